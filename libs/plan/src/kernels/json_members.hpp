// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// Reads members of a JSON object. The first error is kept with its place, and all later reads are skipped. An
// absent member leaves its destination unchanged unless it is required.
class json_members {
 public:
  // `place` is the JSON pointer of the object, `name` that of the file.
  json_members(const nlohmann::json& document, std::string name, std::string place);
  void number(const char* member, double& destination, double least, double most);
  void count(const char* member, std::int64_t& destination);
  void flag(const char* member, bool& destination);
  void text(const char* member, std::string& destination, bool must = false);
  // The members of an inner object; those of an empty one when it is absent.
  [[nodiscard]] json_members object(const char* member) const;
  [[nodiscard]] const std::optional<error>& wrong() const { return wrong_; }
  void take(const json_members& inner);  // takes over the error of an inner object, if there is none yet

 private:
  [[nodiscard]] const nlohmann::json* find(const char* member);
  void fail(const char* member, std::string_view fault);
  const nlohmann::json* object_;
  std::string name_, place_;
  std::optional<error> wrong_{};
};

// Parses a document of this schema. The error names the file and, when it is not JSON, the byte.
[[nodiscard]] result<nlohmann::json> parse_document(std::string_view text, std::string_view name,
                                                    std::string_view schema);

// The text of an embedded file.
[[nodiscard]] std::string_view embedded_text(std::string_view file);

}  // namespace ridge::plan::kernels
