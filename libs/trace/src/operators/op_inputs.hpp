// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <ridge/trace/op_model.hpp>

namespace ridge::trace {

using dims = std::vector<std::int64_t>;

[[nodiscard]] double count_of(const dims& d);  // number of elements
// Returns the product, at most 2^60: no device holds more.
[[nodiscard]] std::int64_t saturated_product(std::initializer_list<std::int64_t> sizes);
// Returns the shape by NumPy's rule of broadcasting; of sizes that do not match the larger one is taken.
[[nodiscard]] dims broadcast(const dims& a, const dims& b);

// One argument: a tensor, a list of tensors, or a value.
struct op_input {
  std::vector<dims> tensors{};  // empty: no tensor
  number_type type = number_type::unknown;
  std::string value{};  // concrete value; "" where the trace does not record it

  [[nodiscard]] bool tensor() const { return tensors.size() == 1; }
  [[nodiscard]] double elements() const;  // sum over its tensors
  [[nodiscard]] double bytes() const { return elements() * bytes_of(type); }
};

// The arguments of a call.
class op_inputs {
 public:
  explicit op_inputs(const op_call& call);

  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const op_input& at(std::size_t i) const;  // an empty input past the end
  [[nodiscard]] bool has_tensor(std::size_t i, std::size_t rank_at_least = 1) const;
  [[nodiscard]] const dims& dims_of(std::size_t i) const;  // requires has_tensor(i)
  // Returns whether any value is recorded: older traces record none.
  [[nodiscard]] bool has_values() const { return has_values_; }
  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t i) const;
  [[nodiscard]] std::optional<bool> boolean(std::size_t i) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::size_t i) const;  // "[2, 2]" or "(2,2)"
  [[nodiscard]] double bytes() const;                                     // sum over all tensors

 private:
  std::vector<op_input> all_{};
  bool has_values_ = false;
};

}  // namespace ridge::trace
