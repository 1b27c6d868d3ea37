// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <ridge/trace/op_model.hpp>
#include <ridge/trace/op_tree.hpp>

namespace ridge::trace {

// A name with shapes, types and values of its arguments, and the model of such a call.
struct op_signature {
  name_id name = 0, input_dims = 0, input_types = 0, concrete_inputs = 0;
  std::optional<op_model> model{};
  std::vector<double> input_bytes{};  // bytes of each tensor
};

// Operators by their arguments; every signature is modelled once.
class op_signatures {
 public:
  op_signatures(const trace& t, const op_tree& tree);
  [[nodiscard]] std::uint32_t of_node(std::uint32_t node);  // its signature's index
  [[nodiscard]] const op_signature& operator[](std::uint32_t signature) const { return all_[signature]; }
  // Returns the innermost operator with a model on the path of `node`, else `node`.
  [[nodiscard]] std::uint32_t owner_of(std::uint32_t node);

 private:
  const trace& t_;
  const op_tree& tree_;
  std::vector<std::uint32_t> of_node_;
  std::vector<op_signature> all_{};
  std::map<std::array<name_id, 4>, std::uint32_t> index_{};
};

}  // namespace ridge::trace
