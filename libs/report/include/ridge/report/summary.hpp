// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/model/run.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/tone.hpp>

// A run in a few lines: a line for each experiment, then everything that got no verdict or no check, grouped
// by its cause. The console, Markdown and the page of a run are written from these.
namespace ridge::report {

// The line of one experiment on one backend. Several problems of it share the line: ratio and share of the
// ceiling are then ranges over the problems.
struct summary_row {
  std::string experiment{};
  std::string title{};
  model::backend backend{model::backend::cpu};
  std::string problem{};  // "stride=64 elements=2^21"; "6 problems"
  std::string values{};   // the same where there is little room: "64, 2^21"
  std::string best{};   // the variant with the greatest ratio to the baseline; "3 variants" where they differ
  std::string ratio{};  // "1.783× [1.778, 1.787]"; "1.2× to 5.8×"; empty where nothing was compared
  std::string verdict{};  // "BETTER"; "4 BETTER, 1 WORSE"; "not judged", "one variant", "skipped", "REFUSED"
  std::string of_ceiling{};  // of the best variant: "82 % memory"; "5.0 to 82 %"
  tone look{tone::plain};    // of the verdict
};

// Returns the line of these families, which are problems of one experiment on one backend. Bug: no family.
[[nodiscard]] summary_row summarized(std::span<const model::family* const> problems);

// Returns the families that share lines, in the order in which experiments and backends appear in the run.
[[nodiscard]] std::vector<std::vector<const model::family*>> summary_groups(const model::run& run);

// What kept results from being made or trusted.
enum class cause_kind : std::uint8_t { invalid, refused, skipped, unchecked, warned };

// One cause, with everything that it befell.
struct cause {
  cause_kind kind{cause_kind::skipped};
  std::string text{};  // "needs openblas: OpenBLAS cannot be loaded ..."
  std::vector<std::string>
      cases{};  // "precision_ladder/onednn": experiments, with variants where it is theirs
};

// Returns a problem where there is little room for it: its values alone, "64, 2^21".
[[nodiscard]] std::string values_of(const model::problem_point& problem);

// Returns every cause of the run once, the gravest kind first.
[[nodiscard]] std::vector<cause> causes(const model::run& run);

// Returns whether a cause befell each experiment of a run of several as a whole; what befell single variants
// of each did not.
[[nodiscard]] bool befell_all(const cause& cause, const model::run& run);

// Lays out lines of a summary whose values come one after another: the widths are fixed by the greatest
// values that may come.
class summary_lines final {
 public:
  // `expected` holds, in its texts, the widest values that may come: experiments, problems, names of
  // variants.
  summary_lines(std::span<const summary_row> expected, const options& options);

  // Returns the titles of the columns.
  [[nodiscard]] std::string header(const model::run& run) const;
  // Returns one line; a verdict that is longer than its column is wrapped below itself.
  [[nodiscard]] std::string line(const summary_row& row) const;

 private:
  [[nodiscard]] std::string joined(const summary_row& row, bool is_header) const;
  options options_;
  std::string chapter_{};  // "ch01." where all experiments are of one chapter: it stands in the title alone
  bool values_alone_ = false;  // of problems, where one would be cut otherwise
  std::size_t experiment_ = 0, problem_ = 0, best_ = 0, ceiling_ = 0;  // widths; 0: the column is left out
};

// Returns the lines of a whole run with their titles.
[[nodiscard]] std::string console_lines(const model::run& run, const options& options = {});

}  // namespace ridge::report
