// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <ridge/model/run.hpp>

namespace ridge::report {

enum class format : std::uint8_t { table, markdown, csv, json, jsonl, google_benchmark, nvbench };

// Returns the word of a format: "table", "md", "csv", "json", "jsonl", "gbench", "nvbench", in the order of
// `format`.
[[nodiscard]] std::string_view name(format);
// Returns the format with that word; nothing for an unknown word.
[[nodiscard]] std::optional<format> named_format(std::string_view word);

// How text for a terminal is laid out.
struct options {
  std::size_t columns = 100;
  bool color = false;
};

// Returns a whole run in one format.
[[nodiscard]] std::string render(const model::run& run, format kind, const options& options = {});

// Return the pieces of the table for a terminal, to be printed as results come: the machine, one family, and
// the conclusion.
[[nodiscard]] std::string console_header(const model::run& run, const options& options = {});
[[nodiscard]] std::string console_family(const model::run& run, const model::family& family,
                                         const options& options = {});
[[nodiscard]] std::string console_summary(const model::run& run, const options& options = {});
// Returns a short explanation of the table for someone who sees it for the first time.
[[nodiscard]] std::string console_guide(const model::run& run, const options& options = {});

// Return a whole run in one format; every text ends in a newline. `console` is for a terminal.
[[nodiscard]] std::string console(const model::run& run, const options& options = {});
[[nodiscard]] std::string markdown(const model::run& run);
[[nodiscard]] std::string csv(const model::run& run);               // RFC 4180
[[nodiscard]] std::string json_lines(const model::run& run);        // ridge.comparison/1, one per line
[[nodiscard]] std::string google_benchmark(const model::run& run);  // its json_schema_version 1
[[nodiscard]] std::string nvbench(const model::run& run);           // its JSON 1.0.0

// Returns what stands between the table markers of the README of an experiment: provenance and one table per
// problem (or, for one variant with several metrics, one row per problem). Empty where the run has no result
// of the experiment.
[[nodiscard]] std::string readme_table(const model::run& run, std::string_view experiment);
// Returns provenance and a table with one row per experiment and backend, of its first problem in the first
// run that has it. The runs are of one machine, the newest first; one at least.
[[nodiscard]] std::string readme_summary(std::span<const model::run> runs);

}  // namespace ridge::report
