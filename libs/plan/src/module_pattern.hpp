// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::plan {

// A regular expression of the kind that checkpoints use to name modules: characters, ".", "\d", "\w",
// classes, groups, alternatives, "*", "+", "?", "^" and "$". All matching with one expression together takes
// at most a fixed number of steps.
class module_expression {
 public:
  explicit module_expression(std::string_view text);
  ~module_expression();
  module_expression(module_expression&&) noexcept;
  module_expression& operator=(module_expression&&) noexcept;

  // Whether the expression was understood; one that was not matches nothing.
  [[nodiscard]] bool understood() const { return tree_ != nullptr; }
  // Whether the expression begins with ".*".
  [[nodiscard]] bool begins_anywhere() const { return begins_anywhere_; }
  // Whether the steps are used up; from then on the expression matches nothing.
  [[nodiscard]] bool exhausted() const { return steps_left_ <= 0; }
  // Whether it matches the beginning of `name`, as Python's re.match.
  [[nodiscard]] bool matches(std::string_view name) const;

 private:
  struct tree;
  std::unique_ptr<tree> tree_;
  bool begins_anywhere_ = false;
  mutable std::int64_t steps_left_ = 5'000'000;
};

// Whether a pattern with "*" and "?" matches all of `name`.
[[nodiscard]] bool matches_wildcards(std::string_view pattern, std::string_view name);

}  // namespace ridge::plan
