// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// A chapter that stands in a shared object of its own.
struct chapter_file {
  std::string id{};              // "ch07", "labs"
  std::filesystem::path path{};  // need not exist: then the chapter is not built
};

// The experiments of a program: those linked into it, and those of chapters in shared objects, which are
// opened when they are first asked for and stay open. Not for several threads at once.
class experiment_shelf {
 public:
  experiment_shelf(std::vector<experiment> linked = {}, std::vector<chapter_file> chapters = {});

  // Every experiment that is linked or built, in the order of ids. Throws `failure` for a chapter that cannot
  // be opened or was built for another program; it says how to build it again.
  [[nodiscard]] const std::vector<experiment>& all() const;

  // At least the experiments that the targets may name, in the order of ids: opens the chapters that they
  // name
  // ("ch07", "ch07.coalescing", "ch7"), or every chapter where a target names none ("all", a tag, a short
  // name, a glob). Naming a chapter that is not built is an error. Throws as `all` does.
  [[nodiscard]] result<std::vector<experiment>> named_by(const std::vector<std::string>& targets) const;

  // Ids of the chapters that exist but are not built here.
  [[nodiscard]] std::vector<std::string> not_built() const;

 private:
  void open(const chapter_file& chapter) const;
  void open_all() const;

  mutable std::vector<experiment> experiments_;
  mutable std::vector<chapter_file> closed_;
};

// The chapters listed in `folder`/chapters.txt, a line each: the id and the stem of the shared object in
// `folder`/chapters. None where there is no such file.
[[nodiscard]] std::vector<chapter_file> chapters_in(const std::filesystem::path& folder);

// The command that builds one chapter or group of commands in a checkout.
[[nodiscard]] std::string command_that_builds(std::string_view id);

}  // namespace ridge::app
