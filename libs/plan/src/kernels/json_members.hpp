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

// Reads members of a JSON object; the first that is wrong is kept with its place, and all after it are
// skipped. A member that is absent leaves its target alone unless it must be there.
class json_members {
 public:
  // `place` is the object's JSON pointer, `name` the file's.
  json_members(const nlohmann::json& of, std::string name, std::string place);
  void number(const char* member, double& into, double least, double most);
  void count(const char* member, std::int64_t& into);
  void flag(const char* member, bool& into);
  void text(const char* member, std::string& into, bool must = false);
  // The members of an object in this one; an empty object where it is absent.
  [[nodiscard]] json_members object(const char* member) const;
  [[nodiscard]] const std::optional<error>& wrong() const { return wrong_; }
  void take(const json_members& inner);  // its error, if there is none yet

 private:
  [[nodiscard]] const nlohmann::json* find(const char* member);
  void fail(const char* member, std::string_view what);
  const nlohmann::json* of_;
  std::string name_, place_;
  std::optional<error> wrong_{};
};

// A document of this schema, or the error that names the file and, for broken JSON, the byte.
[[nodiscard]] result<nlohmann::json> parse_document(std::string_view text, std::string_view name,
                                                    std::string_view schema);

// The text of a file inside the program.
[[nodiscard]] std::string_view embedded_text(std::string_view file);

}  // namespace ridge::plan::kernels
