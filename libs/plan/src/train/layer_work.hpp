// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/plan/model_shape.hpp>

namespace ridge::plan::train {

// Which dimension of a weight tensor ranks divide.
enum class matrix_split : std::uint8_t { none, columns, rows };

// A product of tokens x inner and inner x columns.
struct weight_product {
  double columns = 0, inner = 0;
  matrix_split split{matrix_split::none};
  double replicated_columns = 0;  // part of `columns` that at most most_ranks ranks divide
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
[[nodiscard]] product_list dense_products(const feed_forward_shape& f,
                                          double hidden);                         // shared experts included
[[nodiscard]] double expert_weights(const feed_forward_shape& f, double hidden);  // parameters of one expert

[[nodiscard]] std::int64_t value_dim(const attention_shape& a);

// Mean number of keys per query in a sequence under a causal mask.
[[nodiscard]] double mean_keys(const attention_shape& a, double sequence);
// FLOP of the attention core for one query and one key over all heads; a multiply-add counts two.
[[nodiscard]] double core_flop(const attention_shape& a);
// FLOP per query and key of the indexer of sparse attention.
[[nodiscard]] double indexer_flop(const attention_shape& a);
// FLOP per token of the recurrence of a linear mixer: decay, outer product and read of its state.
[[nodiscard]] double recurrence_flop(const attention_shape& a);
// Elements of keys and values that ring attention sends, per token and tensor rank.
[[nodiscard]] double passed_elements(const attention_shape& a, double tensor);

}  // namespace ridge::plan::train
