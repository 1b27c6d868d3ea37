// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/changes/series_changes.hpp>
#include <ridge/model/json_writer.hpp>

namespace ridge::changes {

// Write one value: the changes of a series, its segments or what is watched, as ridge.changes/1 holds them.
// What is not known is null.
void write_changes(model::json_writer& out, const series_changes& seen);
void write_segments(model::json_writer& out, const series_changes& seen);
void write_watching(model::json_writer& out, const series_changes& seen);

// Returns the whole document: the rules, every series, and how many were not searched yet.
[[nodiscard]] std::string changes_json(std::span<const series_changes> all, const rules& rules,
                                       std::size_t not_searched = 0);

}  // namespace ridge::changes
