// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/app/document_output.hpp>
#include <ridge/results/analysis.hpp>

namespace ridge::app_results {

using analysis_list = std::vector<const results::analysis*>;

// What a command line asked of the analyses of one command. The maps hold every key from the beginning, since
// the parser writes through addresses.
struct analysis_options {
  std::string target{};                        // the positional argument; stands for the key "experiment"
  std::map<std::string, std::string> texts{};  // values of parameters by key; empty: not given
  std::map<std::string, bool> flags{};         // parameters that are flags
  std::map<std::string, bool> chosen{};        // --leaderboards, by name; only where there are several
  std::string only{};                          // the same as names between commas
  bool chart = false;
  app::document_output output{};
};

// Returns whether the command of these analyses offers a choice among them: it does not bear the name of its
// only one.
[[nodiscard]] bool has_choice(const analysis_list& all);

// Adds every parameter of the analyses as an option, and the choice among them of has_choice.
void add_options(app::command& command, analysis_options& options, const analysis_list& all);

// Takes an argument that is the name of one of the analyses for the choice of it: `analyze pareto` is
// `analyze --pareto`.
void take_name_of_analysis(analysis_options& options, const analysis_list& all);

// Returns the analyses that are asked for, in the order of `all`; all of them where none is named. The error
// names what is not one of them.
[[nodiscard]] result<analysis_list> chosen_of(const analysis_options& options, const analysis_list& all);

// Returns the values that were given of the parameters that the analysis has.
[[nodiscard]] std::map<std::string, std::string> values_for(const analysis_options& options,
                                                            const results::analysis& asked);

// Returns a complaint about a value that was given and that none of the analyses takes, or that was given
// twice; an empty text when there is none.
[[nodiscard]] std::string complaint_about(const analysis_options& options, const analysis_list& asked);

}  // namespace ridge::app_results
