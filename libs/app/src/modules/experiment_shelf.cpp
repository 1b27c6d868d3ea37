// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/experiment_shelf.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/targets.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/experiment_list.hpp>

#include "modules/module_file.hpp"

namespace ridge::app {
namespace {

// Returns the part before the first dot of a target without wildcards, which may be the id of a chapter.
std::string first_segment(const std::string& target) {
  const auto normal = normal_target(target);
  if (normal.find_first_of("*?:") != std::string::npos) return {};
  return normal.substr(0, normal.find('.'));
}

bool has(const chapter_file& chapter, const std::string& target) {
  return target == chapter.id || std::ranges::count(chapter.experiments, target) > 0;
}

}  // namespace

experiment_shelf::experiment_shelf(std::vector<experiment> linked, std::vector<chapter_file> chapters)
    : experiments_(std::move(linked)), closed_(std::move(chapters)) {}

void experiment_shelf::open(const chapter_file& chapter) const {
  const auto opened = open_module(chapter.path, "ridge_chapter", command_that_builds(chapter.id));
  if (!opened) throw failure(opened.why());
  for (auto& one : static_cast<const experiments::chapter_module*>(*opened)->all())
    experiments_.push_back(std::move(one));
  std::ranges::stable_sort(experiments_, std::ranges::less{},
                           [](const experiment& entry) { return entry->id; });
  std::erase_if(closed_, [id = chapter.id](const chapter_file& other) { return other.id == id; });
}

void experiment_shelf::open_all(unopened chapter) const {
  for (const auto& one : std::vector(closed_)) {
    if (!std::filesystem::exists(one.path)) continue;
    try {
      open(one);
    } catch (const failure&) {
      if (chapter == unopened::is_an_error) throw;
      unusable_.insert(one.id);
    }
  }
}

const std::vector<experiment>& experiment_shelf::all() const {
  open_all(unopened::is_left_out);
  return experiments_;
}

const std::vector<experiment>& experiment_shelf::named_by(const std::vector<std::string>& targets) const {
  for (const auto& target : targets) {
    const auto segment = first_segment(target);
    const auto closed = std::ranges::find(closed_, segment, &chapter_file::id);
    if (closed != closed_.end() && std::filesystem::exists(closed->path)) {
      open(chapter_file(*closed));
    } else if (closed != closed_.end() && has(*closed, normal_target(target))) {
      continue;  // it is not built, and no other chapter has it
    } else if (std::ranges::none_of(experiments_, [&](const experiment& entry) {
                 return !segment.empty() && entry->id.starts_with(segment + ".");
               })) {
      open_all(target == "all" ? unopened::is_an_error : unopened::is_left_out);
    }
  }
  return experiments_;
}

std::vector<std::string> experiment_shelf::ids() const {
  std::set<std::string> all;
  for (const auto& one : experiments_) all.insert(one->id);
  for (const auto& chapter : closed_) all.insert(chapter.experiments.begin(), chapter.experiments.end());
  return {all.begin(), all.end()};
}

std::vector<chapter_file> experiment_shelf::not_built() const {
  std::vector<chapter_file> absent;
  for (const auto& chapter : closed_)
    if (unusable_.contains(chapter.id) || !std::filesystem::exists(chapter.path)) absent.push_back(chapter);
  return absent;
}

std::vector<chapter_file> chapters_in(const std::filesystem::path& folder, int layout) {
  std::vector<chapter_file> found;
  std::ifstream file(folder / "chapters.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string id, stem;
    if (!(words >> id >> stem)) continue;
    const auto shifted = folder / "layouts" / std::to_string(layout) / (stem + ".so");
    const auto usual = folder / "chapters" / (stem + ".so");
    auto& chapter = found.emplace_back(chapter_file{id, std::filesystem::exists(shifted) ? shifted : usual});
    while (words >> id) chapter.experiments.push_back(id);
  }
  return found;
}

int code_layouts(const std::filesystem::path& folder, std::string_view experiment_id) {
  const auto id = experiment_id.substr(0, experiment_id.find('.'));
  int count = 1;
  for (int layout = 1; layout < 4; ++layout) {
    const auto shifted = folder / "layouts" / std::to_string(layout);
    const auto chapters = chapters_in(folder, layout);
    const auto found = std::ranges::find(chapters, id, &chapter_file::id);
    if (found != chapters.end() && found->path.parent_path() == shifted) ++count;
  }
  return count;
}

std::string command_that_builds(std::string_view id) { return fmt::format("make build ONLY={}", id); }

std::string text_of_absent(const std::vector<chapter_file>& chapters) {
  std::vector<std::string> ids;
  for (const auto& chapter : chapters) ids.push_back(chapter.id);
  if (ids.empty()) return {};
  return fmt::format("not built here: {}; `make build` builds every chapter", join(ids, ", "));
}

}  // namespace ridge::app
