// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace ridge::hardware {

using node = nlohmann::ordered_json;

// An error of a reader; `pointer` is a JSON pointer.
struct refused {
  std::string pointer{};
  std::string fault{};
};

// Reads the fields of one object and throws `refused` at the first error. finish() refuses fields that were
// not read: in a file written by hand they are misspelt.
class object_reader {
 public:
  object_reader(const node& object, std::string pointer);

  [[nodiscard]] std::string text(const std::string& name);           // required
  [[nodiscard]] std::string optional_text(const std::string& name);  // empty when absent
  [[nodiscard]] std::string one_of(const std::string& name, const std::vector<std::string>& words);
  [[nodiscard]] double number(const std::string& name);  // required, above 0
  [[nodiscard]] std::optional<double> optional_number(const std::string& name);
  [[nodiscard]] int count(const std::string& name);  // 0 when absent
  [[nodiscard]] std::vector<std::string> texts(const std::string& name);

  // Calls `read` with a reader for each element of an array (none when absent), or with name and reader for
  // each member of an object.
  template <class Read>
  void each(const std::string& name, Read read) {
    const auto* list = array(name);
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      object_reader one((*list)[i], below(name) + '/' + std::to_string(i));
      read(one);
      one.finish();
    }
  }
  template <class Read>
  void each_member(const std::string& name, Read read) {
    const auto* group = object(name);
    if (!group) return;
    for (const auto& [key, value] : group->items()) {
      object_reader one(value, below(name) + '/' + key);
      read(key, one);
      one.finish();
    }
  }
  // The same for one object, if it is there.
  template <class Read>
  void part(const std::string& name, Read read) {
    const auto* found = object(name);
    if (!found) return;
    object_reader one(*found, below(name));
    read(one);
    one.finish();
  }

  void finish() const;
  [[nodiscard]] const std::string& where() const { return pointer_; }
  [[nodiscard]] std::string below(const std::string& name) const { return pointer_ + '/' + name; }

 private:
  const node* find(const std::string& name);
  const node* array(const std::string& name);
  const node* object(const std::string& name);
  const node& object_;
  std::string pointer_;
  std::vector<std::string> asked_{};
};

}  // namespace ridge::hardware
