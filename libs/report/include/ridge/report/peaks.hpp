// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/model/peak_report.hpp>
#include <ridge/report/render.hpp>

// Peaks for people, in pieces that can be printed as they come.
namespace ridge::report {

struct peak_options {
  options in{};
  bool series = false;  // sweeps and matrices too
};

// The heads of the columns.
[[nodiscard]] std::string peak_header(const options& options = {});

// One subject with its rows: value with interval, share of what the units can issue at the clock they ran at,
// share of what the vendor states, clock, power; below it how it was reached and why it is low.
[[nodiscard]] std::string peak_group(const model::probed& subject, std::span<const model::ceiling> rows,
                                     const peak_options& options = {});

// What most people ask for first: bandwidth of memory, products in 16 bits, gain of graphs, NVLink, of the
// GPU where there is one, else of the cores; and what was skipped.
[[nodiscard]] std::string peak_summary(const model::peak_report& report, const options& options = {});

// A whole report.
[[nodiscard]] std::string peak_table(const model::peak_report& report, const peak_options& options = {});

// Tables for a document: provenance, then a table a part ("cpu", "cuda", ...).
[[nodiscard]] std::string peak_markdown(const model::peak_report& report);

}  // namespace ridge::report
