// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/model/run.hpp>

namespace ridge::report {

enum class format : std::uint8_t { table, markdown, csv, json, jsonl, google_benchmark, nvbench };

// "table", "md", "csv", "json", "jsonl", "gbench", "nvbench", in this order of `format`.
[[nodiscard]] std::string_view name(format);
[[nodiscard]] std::optional<format> named_format(std::string_view word);

struct options {
  std::size_t columns = 100;
  bool color = false;
};

// A whole run in one format.
[[nodiscard]] std::string render(const model::run& run, format kind, const options& options = {});

// The pieces of the console's table, for printing as results come: the machine, one family, what it came to.
[[nodiscard]] std::string console_header(const model::run& run, const options& options = {});
[[nodiscard]] std::string console_family(const model::run& run, const model::family& family,
                                         const options& options = {});
[[nodiscard]] std::string console_summary(const model::run& run, const options& options = {});
// How to read it, in three lines, for who sees it for the first time.
[[nodiscard]] std::string console_guide(const model::run& run, const options& options = {});

[[nodiscard]] std::string console(const model::run& run, const options& options = {});
[[nodiscard]] std::string markdown(const model::run& run);
[[nodiscard]] std::string csv(const model::run& run);               // RFC 4180
[[nodiscard]] std::string json_lines(const model::run& run);        // ridge.comparison/1, one a line
[[nodiscard]] std::string google_benchmark(const model::run& run);  // its json_schema_version 1
[[nodiscard]] std::string nvbench(const model::run& run);           // its JSON 1.0.0

// What stands between the table markers of an experiment's README: provenance, a table a problem (or, for
// one variant with several metrics, a row a problem). Empty where the run has no result of it.
[[nodiscard]] std::string readme_table(const model::run& run, std::string_view experiment);
// One row an experiment, of its first problem.
[[nodiscard]] std::string readme_summary(const model::run& run);

}  // namespace ridge::report
