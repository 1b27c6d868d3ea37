// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <ridge/base/text.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

constexpr std::size_t no_limit = 1'000'000;
// Of larger groups the rarest word is shown, whether or not it is enough: comparing all takes their square.
constexpr std::size_t most_compared = 300;

// A word of a name's template arguments and how often it stood before in the name.
using word = std::pair<std::string, int>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The identifiers and numbers of the template arguments, those of parameters left out; of a::b::c the last
// part.
std::vector<word> words_of(std::string_view name) {
  std::vector<word> words;
  std::map<std::string, int> seen;
  int depth = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(name.size(), 4096); ++i) {
    depth += (name[i] == '<') - (name[i] == '>' && depth > 0 && name[i - 1] != '-');
    if (depth == 0 && name[i] == '(' && !name.substr(i).starts_with("(anonymous namespace)")) break;
    if (depth == 0 || !is_word(name[i])) continue;
    const auto begin = i;
    while (i < name.size() && is_word(name[i])) ++i;
    const bool qualifies = name.substr(i).starts_with("::");
    auto text = std::string(name.substr(begin, i - begin));
    --i;
    if (qualifies) continue;
    const auto times = seen[text]++;
    words.emplace_back(std::move(text), times);
  }
  return words;
}

// Names that are alike without their template arguments.
class alike_names {
 public:
  explicit alike_names(const std::set<std::string>& names) {
    for (const auto& name : names) {
      auto words = words_of(name);
      for (const auto& w : std::set(words.begin(), words.end())) ++holders_[w];
      words_.emplace(name, std::move(words));
    }
  }

  // The words that no other of the names has all of, the rarest first, in the order of the name.
  [[nodiscard]] std::string telling(const std::string& name) const {
    const auto& words = words_.at(name);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (static_cast<std::size_t>(holders_.at(words[i])) < words_.size()) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return holders_.at(words[i]); });
    std::vector<std::size_t> chosen;
    for (const auto i : order) {
      chosen.push_back(i);
      if (words_.size() > most_compared || is_alone(name, chosen)) break;
    }
    std::ranges::sort(chosen);
    std::string text;
    for (const auto i : chosen) text += (text.empty() ? "" : ", ") + words[i].first;
    return text;
  }

 private:
  [[nodiscard]] bool is_alone(const std::string& name, const std::vector<std::size_t>& chosen) const {
    const auto& own = words_.at(name);
    return std::ranges::none_of(words_, [&](const auto& other) {
      return other.first != name && std::ranges::all_of(chosen, [&](std::size_t i) {
               return std::ranges::find(other.second, own[i]) != other.second.end();
             });
    });
  }
  std::map<std::string, std::vector<word>> words_{};
  std::map<word, int> holders_{};
};

// Without the namespaces and classes that the name stands in, which say least.
std::string unqualified(const std::string& text) {
  const auto arguments = std::min(text.find('<'), text.size());
  const auto colons = text.rfind("::", arguments);
  return colons == std::string::npos ? text : text.substr(colons + 2);
}

// The longest word of a name's arguments, where it is long enough to say something ("AUnaryFunctor", a tile
// of cutlass): all that a name like cutlass::Kernel<..> has.
std::string main_word(const std::string& name) {
  constexpr std::size_t telling = 12;
  std::string longest;
  for (const auto& [text, times] : words_of(name)) {
    if (text.size() > longest.size()) longest = text;
  }
  return longest.size() < telling ? "" : longest;
}

// `base` holds "<..>" where arguments were left out; the telling ones take its place.
std::string with_arguments(const std::string& whole, const std::string& telling, std::size_t columns) {
  const bool fits = display_width(whole) + display_width(telling) <= columns;
  const auto base = fits ? whole : unqualified(whole);
  const auto place = base.find("<..>");
  if (telling.empty() || place == std::string::npos)
    return cut_middle(display_width(whole) <= columns ? whole : unqualified(whole), columns);
  const auto front = base.substr(0, place), back = base.substr(place + 4);
  const auto around = display_width("<..") + display_width("..>");
  const auto room = columns > around ? columns - around : 1;
  const auto least_front = std::min(display_width(front), room / 2);
  const auto inside = cut_middle(telling, room - least_front);
  const auto left = room - std::min(room, display_width(inside));
  return cut_middle(front, std::max<std::size_t>(left, 4)) + "<.." + inside + "..>" +
         (display_width(front) + display_width(back) <= left ? back : "");
}

// The first bytes from `position` on at which a character begins.
std::size_t next_character(const std::string& text, std::size_t position) {
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; };
  while (position < text.size() && is_inside(text[position])) ++position;
  return position;
}

}  // namespace

std::string cut_middle(const std::string& text, std::size_t columns) {
  if (display_width(text) <= columns || columns < 4) return text;
  const auto half = (columns - 1) / 2;
  auto front = text.substr(0, next_character(text, half));
  auto back = text.substr(next_character(text, text.size() - (columns - 1 - half)));
  return front + "…" + back;
}

bool is_python_frame(std::string_view name) {
  if (name.starts_with('<')) return true;  // <built-in method ...>, <frozen importlib._bootstrap>(241): ...
  const auto line = name.find(".py(");
  if (line == std::string_view::npos) return false;
  const auto digits = name.find_first_not_of("0123456789", line + 4);
  return digits != std::string_view::npos && digits > line + 4 && name.substr(digits).starts_with(')');
}

std::string frame_name(std::string_view frame, std::size_t columns) {
  std::string text(frame);
  if (display_width(text) <= columns) return text;
  const auto file = text.find(".py(");
  const auto folder = file == std::string::npos ? std::string::npos : text.rfind('/', file);
  if (folder != std::string::npos) text.erase(0, folder + 1);
  return cut_middle(text, columns);
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t columns) {
  std::map<std::string, std::set<std::string>> alike;
  for (const auto& name : names) alike[short_name(name, no_limit)].insert(name);
  std::map<std::string, std::string> made;
  std::map<std::string, int> used;
  for (const auto& [base, group] : alike) {
    const alike_names words(group);
    for (const auto& name : group) {
      auto text = is_python_frame(name) ? frame_name(name, columns)
                  : group.size() == 1   ? with_arguments(base, main_word(name), columns)
                                        : with_arguments(base, words.telling(name), columns);
      if (const auto before = used[text]++; before > 0) {
        const auto number = " #" + std::to_string(before + 1);
        text = cut_middle(text, columns - std::min(columns, number.size())) + number;
      }
      made[name] = std::move(text);
    }
  }
  std::vector<std::string> all;
  for (const auto& name : names) all.push_back(made.at(name));
  return all;
}

}  // namespace ridge::trace_report
