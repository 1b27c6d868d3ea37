// SPDX-License-Identifier: Apache-2.0
#include "catalogue/experiment_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <experiment_templates.hpp>
#include <fstream>

#include <fmt/format.h>

#include <ridge/app/targets.hpp>

#include "catalogue/chapters.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_'; }

std::string replaced(std::string text, std::string_view pattern, std::string_view replacement) {
  for (auto at = text.find(pattern); at != std::string::npos;
       at = text.find(pattern, at + replacement.size()))
    text.replace(at, pattern.size(), replacement);
  return text;
}

std::string filled(std::string_view text, const experiment_name& experiment) {
  auto all = replaced(std::string(text), "@NAMESPACE@", experiment.space());
  all = replaced(std::move(all), "@NAME@", experiment.name);
  return replaced(std::move(all), "@ID@", experiment.id());
}

// Returns the folder of a chapter directly in `dir`: ch07_memory_access; empty when there is none.
fs::path chapter_in(const fs::path& dir, const std::string& chapter) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(dir, ignored)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with(chapter + '_'))
      found.push_back(entry.path());
  }
  return found.empty() ? fs::path{} : std::ranges::min(found);
}

// Returns whether `dir` is the folder of experiments of a checkout.
bool holds_chapters(const fs::path& dir) {
  std::error_code ignored;
  const auto root = fs::absolute(dir).lexically_normal() / "..";
  return fs::exists(dir / "CMakeLists.txt", ignored) && fs::exists(root / "Makefile", ignored) &&
         fs::exists(root / "cmake" / "RidgePlugins.cmake", ignored);
}

std::string_view title_of(const std::string& id) {
  const auto& all = chapters();
  return std::ranges::find(all, id, &chapter::id)->title;
}

// Returns the title in lower case with one "_" between words: "Storage and I/O" is storage_and_io.
std::string folder_name_of(std::string_view title) {
  std::string words;
  for (const char c : title) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (is_word(lower))
      words += lower;
    else if (lower != '/' && !words.ends_with('_'))
      words += '_';
  }
  return words;
}

std::string chapter_page(const std::string& id, const experiment_name& first) {
  return fmt::format(
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Chapter {}: {}\n\n| experiment | question "
      "|\n|---|---|\n"
      "| [{}]({}/README.md) | Does walking from the end cost anything? |\n",
      std::stoi(id.substr(2)), title_of(id), first.name, first.name);
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw io_failure("write", path.string(), errno);
}

}  // namespace

result<experiment_name> parse_experiment_name(std::string_view text) {
  const auto id = normal_target(text);
  const auto dot = id.find('.');
  const error wrong{fmt::format("invalid experiment id \"{}\"", text),
                    "write chNN.name with NN from 01 to 20 and a name of lower-case letters, digits and _, "
                    "e.g. ch07.my_copy"};
  if (dot != 4 || !id.starts_with("ch") || !is_digit(id[2]) || !is_digit(id[3])) return wrong;
  const int number = (id[2] - '0') * 10 + (id[3] - '0');
  const auto name = id.substr(dot + 1);
  if (number < 1 || number > 20 || name.empty() || is_digit(name[0]) || !std::ranges::all_of(name, is_word))
    return wrong;
  return experiment_name{id.substr(0, dot), name};
}

fs::path folder_for(const experiment_name& experiment, const fs::path& dir) {
  const auto own = fs::absolute(dir).lexically_normal();
  const auto last = own.has_filename() ? own.filename() : own.parent_path().filename();
  if (last.string().starts_with(experiment.chapter + '_')) return dir / experiment.name;
  for (const auto& place : {dir, dir / "experiments"}) {
    if (const auto chapter = chapter_in(place, experiment.chapter); !chapter.empty())
      return chapter / experiment.name;
  }
  for (const auto& place : {dir, dir / "experiments"}) {
    if (holds_chapters(place))
      return place / (experiment.chapter + '_' + folder_name_of(title_of(experiment.chapter))) /
             experiment.name;
  }
  std::error_code ignored;
  const bool tree = fs::is_directory(dir / "experiments", ignored);
  return (tree ? dir / "experiments" : dir) / experiment.id();
}

bool is_in_checkout(const fs::path& folder) {
  const auto chapter = fs::absolute(folder).lexically_normal().parent_path();
  return chapter.filename().string().starts_with("ch") && holds_chapters(chapter.parent_path());
}

result<std::vector<fs::path>> write_experiment(const experiment_name& experiment, const fs::path& folder) {
  std::error_code code;
  if (fs::exists(folder, code))
    return error{fmt::format("{} exists already", folder.string()), "choose another name or folder"};
  fs::create_directories(folder, code);
  if (code) throw io_failure("create", folder.string(), code.value());
  std::vector<fs::path> written;
  for (const auto& file : experiment_templates()) {
    auto name = replaced(std::string(file.name), "name.hpp", experiment.name + ".hpp");
    written.push_back(folder / replaced(std::move(name), ".in", ""));
    write(written.back(), filled(file.text, experiment));
  }
  const auto page = folder.parent_path() / "README.md";
  if (is_in_checkout(folder) && !fs::exists(page, code)) {
    written.push_back(page);
    write(page, chapter_page(experiment.chapter, experiment));
  }
  return written;
}

}  // namespace ridge::app
