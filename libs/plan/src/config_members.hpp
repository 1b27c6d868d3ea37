// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <ridge/base/error.hpp>

namespace ridge::plan {

// Findings while reading a configuration: the first error, and all assumptions.
struct config_findings {
  std::string file{};
  std::optional<error> wrong{};
  std::vector<std::string> doubts{};
  // Members that were lifted out of a nested object, and the pointers under which the file has them.
  std::map<std::string, std::string, std::less<>> lifted{};
  // Pointers of the members that were asked for and found, under whichever of their names.
  std::set<std::string, std::less<>> used{};

  void refuse(const std::string& pointer, const std::string& why, const std::string& remedy);
  void doubt(std::string text);
};

using member_names = std::initializer_list<std::string_view>;

// The largest number that a member may state: far beyond any model, and small enough that sums do not
// overflow.
constexpr std::int64_t largest_count = std::int64_t{1} << 40;

// A member that nothing has asked for.
struct unread_member {
  std::string name{};
  bool is_object = false;
};

// The members of one JSON object of a configuration. A member has different names in different
// architectures: the first name that is present and not null counts. Errors are recorded in the findings, and
// the member then reads as absent.
class config_members {
 public:
  config_members(const nlohmann::json& object, std::string pointer, config_findings& findings)
      : object_(&object), pointer_(std::move(pointer)), findings_(&findings) {}

  [[nodiscard]] bool has(std::string_view name) const { return find({name}) != nullptr; }
  // A whole number of at least `least`; a list of one number is accepted.
  [[nodiscard]] std::optional<std::int64_t> count(member_names names, std::int64_t least = 1) const;
  [[nodiscard]] std::int64_t count_or(member_names names, std::int64_t otherwise,
                                      std::int64_t least = 0) const;
  // Records an error when none of the names is present.
  [[nodiscard]] std::int64_t needed(member_names names, std::string_view meaning) const;
  // The number for layer `index` when the member is a list of one number per layer; else as count().
  [[nodiscard]] std::optional<std::int64_t> of_layer(member_names names, std::int64_t index,
                                                     std::int64_t least = 0) const;
  [[nodiscard]] bool flag(member_names names, bool otherwise = false) const;
  [[nodiscard]] std::string text(member_names names) const;
  // Any number; 0 when absent or no number.
  [[nodiscard]] double real(std::string_view name) const;
  // Whole numbers; empty when absent.
  [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const;
  [[nodiscard]] bool is_list(std::string_view name) const;
  // The object of that name; empty when absent.
  [[nodiscard]] config_members inside(std::string_view name) const;
  // The element of the list of that name; empty when absent.
  [[nodiscard]] config_members element(std::string_view list, std::int64_t index) const;

  // Members that nothing has asked for and that are a whole number above 1, a list of whole numbers, or an
  // object that is not empty.
  [[nodiscard]] std::vector<unread_member> unread() const;

  [[nodiscard]] config_findings& findings() const { return *findings_; }
  [[nodiscard]] const nlohmann::json& object() const { return *object_; }
  // Where the file has the member of that name.
  [[nodiscard]] std::string pointer(std::string_view name) const;
  // The pointer of a member of this object, lifted or not.
  [[nodiscard]] std::string pointer_of(std::string_view name) const;
  void refuse(std::string_view name, const std::string& why, const std::string& remedy) const;

 private:
  [[nodiscard]] bool too_long(const nlohmann::json& list, std::string_view name) const;
  [[nodiscard]] const nlohmann::json* find(member_names names, std::string_view* found = nullptr) const;
  [[nodiscard]] std::optional<std::int64_t> whole(const nlohmann::json& value, const std::string& place,
                                                  std::int64_t least) const;

  const nlohmann::json* object_;
  std::string pointer_;
  config_findings* findings_;
};

// A value as errors show it: short and on one line.
[[nodiscard]] std::string shown(const nlohmann::json& value);

}  // namespace ridge::plan
