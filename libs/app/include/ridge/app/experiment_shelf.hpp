// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// A chapter in a shared object of its own.
struct chapter_file {
  std::string id{};                        // "ch07", "labs"
  std::filesystem::path path{};            // the file is missing where the chapter is not built
  std::vector<std::string> experiments{};  // ids of the experiments in its sources: "ch07.coalescing"
};

// The experiments of a program: those linked into it, and those of chapters in shared objects, which are
// opened when they are first needed and stay open. Not for use by several threads at once.
class experiment_shelf {
 public:
  // Opens nothing yet.
  experiment_shelf(std::vector<experiment> linked = {}, std::vector<chapter_file> chapters = {});

  // Returns every experiment that is linked or built for this program, ordered by id. A chapter that cannot
  // be opened counts as not built.
  [[nodiscard]] const std::vector<experiment>& all() const;

  // Returns at least the experiments that the targets may name, ordered by id. It opens the chapters that the
  // targets name ("ch07", "ch07.coalescing", "ch7"), or every chapter where a target names none ("all", a
  // tag, a short name, a glob), or one that is not built. Throws `failure` for a chapter that a target names,
  // or "all" includes, and that cannot be opened or was built for another program; its text says how to build
  // the chapter again.
  [[nodiscard]] const std::vector<experiment>& named_by(const std::vector<std::string>& targets) const;

  // Returns the ids of all experiments, ordered, without opening a chapter: results of one that cannot be
  // opened are found by them.
  [[nodiscard]] std::vector<std::string> ids() const;

  // Returns the chapters whose sources exist but are not built here, or not for this program.
  [[nodiscard]] std::vector<chapter_file> not_built() const;

 private:
  void open(const chapter_file& chapter) const;
  enum class unopened : std::uint8_t { is_left_out, is_an_error };
  void open_all(unopened chapter) const;

  mutable std::vector<experiment> experiments_;
  mutable std::vector<chapter_file> closed_;
  mutable std::set<std::string> unusable_{};  // ids of chapters that could not be opened
};

// Returns the chapters listed in `folder`/chapters.txt, one per line: the id, the stem of the shared object
// in `folder`/chapters, and the ids of the experiments. Returns none where there is no such file. `layout`
// chooses the object whose code lies elsewhere, `folder`/layouts/<layout>/<stem>.so, where it is built; 0 is
// that in `folder`/chapters.
[[nodiscard]] std::vector<chapter_file> chapters_in(const std::filesystem::path& folder, int layout = 0);

// Returns in how many layouts of its code the chapter of an experiment is built, 1 to 4. Experiments that are
// linked into a program have one.
[[nodiscard]] int code_layouts(const std::filesystem::path& folder, std::string_view experiment_id);

// Returns the command that builds one chapter or group of commands in a checkout.
[[nodiscard]] std::string command_that_builds(std::string_view id);

// Returns one line that names the chapters and says what builds them; nothing where there are none.
[[nodiscard]] std::string text_of_absent(const std::vector<chapter_file>& chapters);

}  // namespace ridge::app
