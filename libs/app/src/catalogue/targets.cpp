// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/targets.hpp>

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "catalogue/chapters.hpp"

namespace ridge::app {
namespace {

std::string_view short_name(std::string_view id) { return id.substr(id.rfind('.') + 1); }

bool has_tag(const experiment& entry, std::string_view tag) {
  return std::ranges::count(entry->tags, tag) > 0;
}

// Returns whether an id lies in a chapter, the labs or one lab: `part` must be whole segments of the id.
bool is_within(std::string_view id, std::string_view part) {
  return id.starts_with(part) && id.size() > part.size() && id[part.size()] == '.';
}

bool matches(const experiment& entry, const std::string& target) {
  const std::string& id = entry->id;
  if (target == "all" || id == target || is_within(id, target)) return true;
  if (target.starts_with("tag:")) return has_tag(entry, target.substr(4));
  return target.find_first_of("*?") != std::string::npos && glob_matches(target, id);
}

std::vector<std::string> known_names(const std::vector<experiment>& all) {
  std::set<std::string> names{"all"};
  for (const auto& one : all) {
    names.insert(one->id);
    names.insert(std::string(short_name(one->id)));
    names.insert(std::string(chapter_of(one->id)));
    names.insert(one->tags.begin(), one->tags.end());
  }
  return {names.begin(), names.end()};
}

// Marks the experiments that a target names; returns false when it names none.
bool mark(const std::vector<experiment>& all, const std::string& target, std::vector<bool>& chosen) {
  const auto choose = [&](auto wanted) {
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (wanted(all[i])) chosen[i] = any = true;
    }
    return any;
  };
  if (choose([&](const experiment& entry) { return matches(entry, target); }) || target == "all") return true;
  if (choose([&](const experiment& entry) { return has_tag(entry, target); })) return true;
  std::set<std::string_view> ids;
  for (const auto& one : all) {
    if (short_name(one->id) == target) ids.insert(one->id);
  }
  return ids.size() == 1 && choose([&](const experiment& entry) { return entry->id == *ids.begin(); });
}

}  // namespace

std::string normal_target(std::string_view target) {
  const bool one_digit = target.size() >= 3 && target.starts_with("ch") &&
                         std::isdigit(static_cast<unsigned char>(target[2])) != 0 &&
                         (target.size() == 3 || target[3] == '.');
  return one_digit ? fmt::format("ch0{}", target.substr(2)) : std::string(target);
}

error unknown_name(std::string_view kind, std::string_view wanted, const std::vector<std::string>& known,
                   std::string_view remedy) {
  const auto near = nearest_name(wanted, known);
  return {fmt::format("no {} is called \"{}\"", kind, wanted),
          near ? fmt::format("did you mean \"{}\"?", *near) : std::string(remedy)};
}

result<std::vector<experiment>> select(const std::vector<experiment>& all,
                                       const std::vector<std::string>& targets) {
  std::vector<bool> chosen(all.size(), false);
  for (const auto& target : targets) {
    if (mark(all, normal_target(target), chosen)) continue;
    return unknown_name("experiment, chapter or tag", target, known_names(all),
                        "`ridge list` prints every experiment");
  }
  std::vector<experiment> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) found.push_back(all[i]);
  }
  return found;
}

result<std::vector<experiment>> select(const experiment_shelf& shelf,
                                       const std::vector<std::string>& targets) {
  const auto candidates = shelf.named_by(targets);
  if (!candidates) return candidates.why();
  auto chosen = select(*candidates, targets);
  const auto absent = fmt::format("not built here: {}; `make build` builds every chapter",
                                  fmt::join(shelf.not_built(), ", "));
  if (chosen && (targets.empty() || !chosen->empty())) return chosen;
  if (chosen)
    return shelf.not_built().empty() ? error{"this program has no experiments", "link some with it"}
                                     : error{"no experiment is built", absent};
  const auto& why = chosen.why();
  return shelf.not_built().empty() ? why : error{why.what, fmt::format("{} ({})", why.remedy, absent)};
}

}  // namespace ridge::app
