// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/model/peak_report.hpp>
#include <ridge/report/render.hpp>

// Peaks for people, in pieces that can be printed as they come.
namespace ridge::report {

// How peaks are shown.
struct peak_options {
  report::options options{};
  bool series = false;  // show sweeps and matrices too
};

// Returns the headers of the columns.
[[nodiscard]] std::string peak_header(const options& options = {});

// Returns one subject with its rows: value with interval, share of what the units can issue at the clock they
// ran at, share of what the vendor states, clock and power; below each row how its value was reached and why
// it is low.
[[nodiscard]] std::string peak_group(const model::probed& subject, std::span<const model::ceiling> rows,
                                     const peak_options& options = {});

// Returns what most people ask for first: bandwidth of memory, products in 16 bits, gain of graphs and
// NVLink, of the GPU where there is one and else of the cores; and what was skipped.
[[nodiscard]] std::string peak_summary(const model::peak_report& report, const options& options = {});

// Returns a whole report as tables.
[[nodiscard]] std::string peak_table(const model::peak_report& report, const peak_options& options = {});

// Returns Markdown tables: provenance, then one table per part ("cpu", "cuda", ...).
[[nodiscard]] std::string peak_markdown(const model::peak_report& report);

}  // namespace ridge::report
