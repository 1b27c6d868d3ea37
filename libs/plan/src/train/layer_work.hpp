// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/plan/model_shape.hpp>

namespace ridge::plan::train {

// What of a weight is divided by tensor ranks.
enum class matrix_split : std::uint8_t { none, columns, rows };

// tokens x inner by inner x columns.
struct weight_product {
  double columns = 0, inner = 0;
  matrix_split by{matrix_split::none};
  double replicated_columns = 0;  // part of `columns` that no rank divides further than by `replicas`
  double most_ranks = 1;          // ranks that can divide replicated_columns (key-value heads)
};

// The products of one block of a layer; no block has more than six.
class product_list final {
 public:
  void add(const weight_product& p) { all_[count_++] = p; }
  [[nodiscard]] std::span<const weight_product> all() const { return {all_.data(), count_}; }
  [[nodiscard]] double weights() const;

 private:
  std::array<weight_product, 6> all_{};
  std::size_t count_ = 0;
};

[[nodiscard]] product_list mixer_products(const attention_shape& a, double hidden);
[[nodiscard]] product_list dense_products(const feed_forward_shape& f, double hidden);  // and shared experts
[[nodiscard]] double expert_weights(const feed_forward_shape& f, double hidden);        // of one expert

[[nodiscard]] std::int64_t value_dim(const attention_shape& a);

// Keys that a query meets on average in a sequence under a causal mask.
[[nodiscard]] double mean_keys(const attention_shape& a, double sequence);
// FLOP of the core of attention of one query with one key, all heads; a multiply-add is two.
[[nodiscard]] double core_flop(const attention_shape& a);
// The same of the other work a query does with every earlier token: the indexer of sparse attention.
[[nodiscard]] double indexer_flop(const attention_shape& a);
// A linear mixer's recurrence: decay, outer product and read of its state, a token.
[[nodiscard]] double recurrence_flop(const attention_shape& a);
// Elements of keys and values that ring attention passes on, a token, one of `tensor` ranks.
[[nodiscard]] double passed_elements(const attention_shape& a, double tensor);

}  // namespace ridge::plan::train
