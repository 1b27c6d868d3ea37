// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config_members.hpp"
#include "module_pattern.hpp"

namespace ridge::plan {

// How the elements of a module are stored: a name of number_formats(), and the exact bytes of an element with
// its share of the scales.
struct stored_format {
  std::string name{"bf16"};
  double bytes = 2;

  bool operator==(const stored_format&) const = default;
};

// Names of modules as a configuration lists them: whole names or parts of them between dots ("lm_head",
// "model.layers.3.mlp", "gate"), wildcards ("*.self_attn*"), and regular expressions.
class module_list {
 public:
  // Adds a name, with wildcards where it has "*", or "re:" and a regular expression; false: not understood.
  bool add(const std::string& name);
  // Adds a regular expression.
  bool add_expression(const std::string& text);
  // Whether the list names a module. `path` begins at "layers."; or it is the name of a module outside them.
  [[nodiscard]] bool names(const std::string& path) const;
  // Whether a name or pattern of the list tells layer `index` from layers that the list does not mention.
  [[nodiscard]] bool tells(std::int64_t index) const { return layered_ || numbers_.contains(index); }
  // Whether patterns were given up, for they took too many steps.
  [[nodiscard]] bool exhausted() const;
  [[nodiscard]] bool empty() const { return plain_.empty() && wildcards_.empty() && expressions_.empty(); }

 private:
  [[nodiscard]] bool matches_wildcards_of(const std::string& path) const;
  [[nodiscard]] bool matches_expressions_of(const std::string& path) const;

  std::unordered_set<std::string> plain_{};
  std::vector<std::string> wildcards_{};
  std::vector<module_expression> expressions_{};
  std::unordered_set<std::int64_t> numbers_{};  // in plain names
  mutable std::int64_t wildcard_checks_left_ = 10'000'000;
  bool layered_ = false;  // a pattern has a digit
};

// The formats of a checkpoint's matrices.
struct weight_scheme {
  bool quantized = false;
  stored_format plain{};                   // of what is not quantized
  stored_format usual{};                   // of matrices that no list names
  std::optional<stored_format> experts{};  // of experts that no list names, where it differs
  bool heads = false;                      // whether the output head is quantized where no list spares it
  module_list spared{};                    // modules that stay plain
  std::vector<std::pair<module_list, stored_format>> named{};  // the first list that names a module counts

  // Whether layer `index` may be stored otherwise than layers that no list mentions.
  [[nodiscard]] bool tells(std::int64_t index) const;
  // The format of a module that has one of these names.
  [[nodiscard]] stored_format of(std::span<const std::string> names, bool expert = false) const;
};

// Reads the formats from quantization_config (fp8, mxfp4, awq, gptq, hqq, compressed-tensors, modelopt,
// bitsandbytes, ...) or the dtype. A method that is not understood, and each part of one, is a doubt that
// says what was assumed.
[[nodiscard]] weight_scheme read_weight_scheme(const config_members& m);

}  // namespace ridge::plan
