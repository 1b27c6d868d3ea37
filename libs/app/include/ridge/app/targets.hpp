// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/app/experiment_shelf.hpp>
#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// Returns the experiments that targets name, each once, in the order of the catalogue. A target is `all`, a
// chapter (`ch01`, `ch1`, `labs`, `labs.engine`), an id (`ch01.coalescing`, `ch1.coalescing`, or `coalescing`
// where only one experiment has this name), a glob over ids, or a tag (`tag:memory`, or `memory` alone). No
// targets select nothing. A target that names nothing in `all` is an error: where it names what one of the
// `absent` chapters holds, that it is not built here and what builds it; else the nearest names.
[[nodiscard]] result<std::vector<experiment>> select(const std::vector<experiment>& all,
                                                     const std::vector<std::string>& targets,
                                                     const std::vector<chapter_file>& absent = {});
// Does the same for the experiments of a program: opens the chapters that the targets name, or all of them.
// Targets that select nothing, because no chapter is built, are an error as well.
[[nodiscard]] result<std::vector<experiment>> select(const experiment_shelf& shelf,
                                                     const std::vector<std::string>& targets);

// Returns the ids of the experiments that one target names, ordered. A chapter is opened only where the
// target is no id, part of one, short name or glob of ids, since tags stand in the chapters alone: stored
// results are found although their chapter cannot be opened. Nothing where the target names no experiment.
[[nodiscard]] std::vector<std::string> ids_named(const experiment_shelf& shelf, const std::string& target);

// Returns `ch01` for `ch1` and `ch01.name` for `ch1.name`; any other target is unchanged.
[[nodiscard]] std::string normal_target(std::string_view target);

// Returns the error "no <kind> is called X; did you mean Y?", with `remedy` as its second part when no known
// name is near.
[[nodiscard]] error unknown_name(std::string_view kind, std::string_view wanted,
                                 const std::vector<std::string>& known, std::string_view remedy);

}  // namespace ridge::app
