// SPDX-License-Identifier: Apache-2.0
#include "operators/json_list.hpp"

#include <charconv>

namespace ridge::trace {
namespace {

class reader {
 public:
  explicit reader(std::string_view text) : rest_(text) {}

  std::vector<list_item> list(int depth) {
    std::vector<list_item> items;
    if (depth > 16 || !take('[')) return items;
    while (!blank_then(']') && !rest_.empty()) {
      const auto before = rest_.size();
      items.push_back(item(depth));
      if (rest_.size() == before) break;
      if (!blank_then(',')) continue;
      rest_.remove_prefix(1);
    }
    take(']');
    return items;
  }

 private:
  bool blank_then(char c) {
    while (!rest_.empty() &&
           (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
    return !rest_.empty() && rest_.front() == c;
  }
  bool take(char c) {
    if (!blank_then(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  list_item item(int depth) {
    if (blank_then('[')) return {.form = list_item::kind::list, .items = list(depth + 1)};
    if (blank_then('"')) return {.form = list_item::kind::text, .text = quoted()};
    return plain();
  }

  std::string quoted() {
    std::string text;
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return text;
  }

  list_item plain() {
    const auto length = std::min(rest_.find_first_of(",] \n\t\r"), rest_.size());
    list_item read{.text = std::string(rest_.substr(0, length))};
    const auto* const end = rest_.data() + length;
    if (std::from_chars(rest_.data(), end, read.integer).ptr == end && length > 0)
      read.form = list_item::kind::integer;
    rest_.remove_prefix(length);
    return read;
  }

  std::string_view rest_;
};

}  // namespace

std::vector<list_item> items_of(std::string_view json) { return reader(json).list(0); }

}  // namespace ridge::trace
