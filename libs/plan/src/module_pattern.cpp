// SPDX-License-Identifier: Apache-2.0
#include "module_pattern.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace ridge::plan {
namespace module_expressions {

constexpr std::size_t longest_pattern = 512;
constexpr int deepest = 32;

enum class piece_kind : std::uint8_t { any, set, start, end, group };

struct piece;
using sequence = std::vector<piece>;

struct piece {
  piece_kind kind{piece_kind::set};
  std::string members{};  // of a set
  bool negated = false;
  std::vector<sequence> alternatives{};  // of a group
  int least = 1;
  bool unlimited = false, optional = false;
};

void add_range(std::string& members, char first, char last) {
  const int end = static_cast<unsigned char>(last);
  for (int c = static_cast<unsigned char>(first); c <= end; ++c) members += static_cast<char>(c);
}

class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  // The alternatives of the whole expression, or nothing where it is not understood.
  std::optional<std::vector<sequence>> all() {
    auto made = alternatives(0);
    return wrong_ || position_ != text_.size() ? std::nullopt : std::optional(std::move(made));
  }

 private:
  [[nodiscard]] bool more() const { return position_ < text_.size() && !wrong_; }

  std::vector<sequence> alternatives(int depth) {
    std::vector<sequence> made(1);
    if (depth > deepest) wrong_ = true;
    while (more() && text_[position_] != ')') {
      if (text_[position_] == '|') {
        made.emplace_back();
        ++position_;
        continue;
      }
      made.back().push_back(one(depth));
      quantify(made.back().back());
    }
    return made;
  }

  piece one(int depth) {
    const char c = text_[position_++];
    if (c == '.') return {.kind = piece_kind::any};
    if (c == '^') return {.kind = piece_kind::start};
    if (c == '$') return {.kind = piece_kind::end};
    if (c == '(') return group(depth);
    if (c == '[') return set();
    if (c == '\\') return escaped();
    if (c == '*' || c == '+' || c == '?' || c == '{') wrong_ = true;
    return {.members = std::string(1, c)};
  }

  piece group(int depth) {
    if (text_.substr(position_).starts_with("?:"))
      position_ += 2;
    else if (text_.substr(position_).starts_with("?"))
      wrong_ = true;
    piece made{.kind = piece_kind::group, .alternatives = alternatives(depth + 1)};
    if (!more()) wrong_ = true;
    ++position_;
    return made;
  }

  piece escaped() {
    if (!more()) wrong_ = true;
    const char c = wrong_ ? ' ' : text_[position_++];
    if (c == 'd') return {.members = "0123456789"};
    if (c == 'w') return {.members = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"};
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) wrong_ = true;
    return {.members = std::string(1, c)};
  }

  piece set() {
    piece made;
    if (more() && text_[position_] == '^') made.negated = ++position_ > 0;
    while (more() && text_[position_] != ']') {
      const char first = text_[position_++];
      if (first == '\\') {
        made.members += escaped().members;
      } else if (position_ + 1 < text_.size() && text_[position_] == '-' && text_[position_ + 1] != ']') {
        add_range(made.members, first, text_[position_ + 1]);
        position_ += 2;
      } else {
        made.members += first;
      }
    }
    if (!more()) wrong_ = true;
    ++position_;
    return made;
  }

  void quantify(piece& p) {
    if (!more()) return;
    const char c = text_[position_];
    if (c == '{') wrong_ = true;
    if (c != '*' && c != '+' && c != '?') return;
    ++position_;
    p.least = c == '+' ? 1 : 0;
    p.unlimited = c != '?';
    p.optional = c == '?';
    if (more() && text_[position_] == '?') ++position_;  // a lazy one matches the same names
  }

  std::string_view text_;
  std::size_t position_ = 0;
  bool wrong_ = false;
};

using then = std::function<bool(std::size_t)>;

class matcher {
 public:
  matcher(std::string_view name, std::int64_t& steps_left) : name_(name), steps_left_(steps_left) {}

  bool any(const std::vector<sequence>& alternatives, std::size_t at, const then& rest) {
    return std::ranges::any_of(alternatives, [&](const sequence& s) { return all(s, 0, at, rest); });
  }

 private:
  bool all(const sequence& s, std::size_t index, std::size_t at, const then& rest) {
    if (--steps_left_ < 0) return false;
    if (index == s.size()) return rest(at);
    return repeated(s[index], 0, at, [&](std::size_t next) { return all(s, index + 1, next, rest); });
  }

  bool repeated(const piece& p, int times, std::size_t at, const then& rest) {
    if (--steps_left_ < 0) return false;
    const bool may_go_on = times < p.least || p.unlimited || (p.optional && times == 0);
    if (may_go_on && once(p, at, [&](std::size_t next) {
          return (next > at || times < p.least) && repeated(p, times + 1, next, rest);
        }))
      return true;
    return times >= p.least && rest(at);
  }

  bool once(const piece& p, std::size_t at, const then& rest) {
    if (p.kind == piece_kind::group) return any(p.alternatives, at, rest);
    if (p.kind == piece_kind::start) return at == 0 && rest(at);
    if (p.kind == piece_kind::end) return at == name_.size() && rest(at);
    if (at >= name_.size()) return false;
    const bool fits =
        p.kind == piece_kind::any || (p.members.find(name_[at]) != std::string::npos) != p.negated;
    return fits && rest(at + 1);
  }

  std::string_view name_;
  std::int64_t& steps_left_;
};

}  // namespace module_expressions

struct module_expression::tree {
  std::vector<module_expressions::sequence> alternatives{};
};

module_expression::module_expression(std::string_view text) : begins_anywhere_(text.starts_with(".*")) {
  if (text.size() > module_expressions::longest_pattern) return;
  if (auto read = module_expressions::reader(text).all())
    tree_ = std::make_unique<tree>(tree{std::move(*read)});
}
module_expression::~module_expression() = default;
module_expression::module_expression(module_expression&&) noexcept = default;
module_expression& module_expression::operator=(module_expression&&) noexcept = default;

bool module_expression::matches(std::string_view name) const {
  return tree_ != nullptr && !exhausted() &&
         module_expressions::matcher(name, steps_left_).any(tree_->alternatives, 0, [](std::size_t) {
           return true;
         });
}

bool matches_wildcards(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resumed = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == name[n] && pattern[p] != '*'))) {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumed = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resumed;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace ridge::plan
