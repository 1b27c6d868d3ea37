// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/targets.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
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

// Returns whether a target names an experiment by its id alone: all, the id, a part of it or a glob.
bool id_matches(std::string_view id, const std::string& target) {
  if (target == "all" || id == target || is_within(id, target)) return true;
  return target.find_first_of("*?") != std::string::npos && glob_matches(target, id);
}

bool matches(const experiment& entry, const std::string& target) {
  if (target.starts_with("tag:")) return has_tag(entry, target.substr(4));
  return id_matches(entry->id, target);
}

void add_names_of(std::string_view id, std::set<std::string>& names) {
  names.emplace(id);
  names.emplace(short_name(id));
  names.emplace(chapter_of(id));
}

std::vector<std::string> known_names(const std::vector<experiment>& all,
                                     const std::vector<chapter_file>& absent) {
  std::set<std::string> names{"all"};
  for (const auto& one : all) {
    add_names_of(one->id, names);
    names.insert(one->tags.begin(), one->tags.end());
  }
  for (const auto& chapter : absent) {
    names.insert(chapter.id);
    for (const auto& id : chapter.experiments) add_names_of(id, names);
  }
  return {names.begin(), names.end()};
}

// Returns the ids of all experiments, built here or not, that have this short name.
std::vector<std::string> ids_called(std::string_view name, const std::vector<experiment>& all,
                                    const std::vector<chapter_file>& absent) {
  std::set<std::string> ids;
  const auto add = [&](const std::string& id) {
    if (short_name(id) == name) ids.insert(id);
  };
  for (const auto& one : all) add(one->id);
  for (const auto& chapter : absent) std::ranges::for_each(chapter.experiments, add);
  return {ids.begin(), ids.end()};
}

// Returns "did you mean "ch01.copy" or "ch07.copy"?", with the names in their order.
std::string question_of(const std::vector<std::string>& names) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("\"{}\"", names[i]);
  }
  return text + '?';
}

error unknown_target(const std::string& target, const std::vector<experiment>& all,
                     const std::vector<chapter_file>& absent) {
  constexpr std::size_t most = 3;
  auto meant = ids_called(target, all, absent);
  if (meant.empty()) meant = nearest_names(target, known_names(all, absent), most);
  return {fmt::format("no experiment, chapter or tag is called \"{}\"", target),
          meant.empty() ? std::string("`ridge list` prints every experiment") : question_of(meant)};
}

// Returns why a target that names nothing here is no misspelling: the chapter or the experiments that it
// names exist in the sources and are not built. Returns nothing where they do not exist.
std::optional<error> why_not_built(const std::string& target, const std::vector<experiment>& all,
                                   const std::vector<chapter_file>& absent) {
  const auto called = ids_called(target, all, absent);
  const auto is_meant = [&](const std::string& id) {
    return id_matches(id, target) || (called.size() == 1 && called.front() == id);
  };
  for (const auto& chapter : absent) {
    const auto builds = fmt::format("`{}` builds", command_that_builds(chapter.id));
    if (target == chapter.id)
      return error{fmt::format("chapter {} is not built here", chapter.id), builds + " it"};
    const auto found = std::ranges::find_if(chapter.experiments, is_meant);
    if (found != chapter.experiments.end())
      return error{fmt::format("experiment {} is not built here", *found), builds + " its chapter"};
  }
  return std::nullopt;
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
                                       const std::vector<std::string>& targets,
                                       const std::vector<chapter_file>& absent) {
  std::vector<bool> chosen(all.size(), false);
  for (const auto& target : targets) {
    const auto normal = normal_target(target);
    if (mark(all, normal, chosen)) continue;
    if (const auto why = why_not_built(normal, all, absent)) return *why;
    return unknown_target(target, all, absent);
  }
  std::vector<experiment> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) found.push_back(all[i]);
  }
  return found;
}

result<std::vector<experiment>> select(const experiment_shelf& shelf,
                                       const std::vector<std::string>& targets) {
  const auto absent = shelf.not_built();
  auto chosen = select(shelf.named_by(targets), targets, absent);
  if (!chosen || targets.empty() || !chosen->empty()) return chosen;
  if (absent.empty()) return error{"this program has no experiments", "link some with it"};
  return error{"no experiment is built", text_of_absent(absent)};
}

std::vector<std::string> ids_named(const experiment_shelf& shelf, const std::string& target) {
  const auto normal = normal_target(target);
  const auto known = shelf.ids();
  std::vector<std::string> found, called;
  for (const auto& id : known) {
    if (id_matches(id, normal)) found.push_back(id);
    if (short_name(id) == normal) called.push_back(id);
  }
  if (!found.empty()) return found;
  if (called.size() == 1) return called;
  const auto chosen = select(shelf, {target});
  if (!chosen) return {};
  for (const auto& one : *chosen) {
    if (found.empty() || found.back() != one->id) found.push_back(one->id);
  }
  return found;
}

}  // namespace ridge::app
