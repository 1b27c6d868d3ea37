// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::trace_c {

// The arguments of one question: pairs of texts. What is no number where one is wanted, and what no table
// asked for, throws refused.
class arguments {
 public:
  arguments() = default;
  explicit arguments(std::map<std::string, std::string> given) : given_(std::move(given)) {}

  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] double real(std::string_view name, double otherwise) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const;
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::vector<std::int64_t> integer_list(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> text_list(std::string_view name) const;

  // Throws where an argument was given that no call above named.
  void expect_all_used(std::string_view question) const;

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  std::map<std::string, std::string> given_{};
  mutable std::set<std::string> known_{};
};

// Parses a whole number; nullopt where the text is none.
[[nodiscard]] std::optional<std::int64_t> integer_of(std::string_view text);

}  // namespace ridge::trace_c
