// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Returns whether a word can only name a file: it ends in .json, holds a slash, or a file has this name.
[[nodiscard]] bool names_a_file(const std::string& word);

// Returns whether a word can only name a run: `last`, a file, or at least four of the capitals and digits
// that ids consist of.
[[nodiscard]] bool names_a_run(const std::string& word);

// Returns the run that a word names: `last` (the newest in the store), the id of a stored run, the beginning
// or end of the id, or a file written by `ridge run --save`. An error where there is none.
[[nodiscard]] result<model::run> run_named(const context& program, const std::string& word);

// The exit code of a command for which `run_named` found no run: `file` for a file, `unavailable` where
// nothing is stored, else `usage`.
[[nodiscard]] int code_of_no_run(const context& program, const std::string& word);

// Leaves only the families of these experiments, which are ids, names without the chapter, or globs; all
// where none is given. An error that names what the run holds where a word matches none of it.
[[nodiscard]] result<void> keep_experiments(model::run& run, const std::vector<std::string>& words);

}  // namespace ridge::app
