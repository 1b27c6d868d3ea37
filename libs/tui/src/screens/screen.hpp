// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/results/analysis.hpp>
#include <ridge/tui/page.hpp>

#include "screens/workspace.hpp"

namespace ridge::tui {

using settings = std::map<std::string, std::string>;

// One screen: what it is called, what it can be told, and how its page is made.
struct screen {
  std::string name{};     // its word on the command line: "results"
  std::string title{};    // "Results"
  std::string brief{};    // the same where there is little room
  std::string purpose{};  // what it answers, a sentence
  char key = 0;           // '1' to '9'; 0: reached by other ways
  std::vector<results::parameter> parameters{};
  std::function<result<page>(workspace&, const results::arguments&)> make{};
  double refresh_s = 0;        // how often it changes by itself; 0: only with the store
  std::string_view follows{};  // the parameter that is the hidden field of this key of the selected row
  bool asks_first = false;     // an answer without settings says little: the prompts come first
};

// Returns all screens in the order of their keys; those without a key come last.
[[nodiscard]] const std::vector<screen>& screens();
// Returns the screen of this name; null when there is none.
[[nodiscard]] const screen* screen_named(std::string_view name);

// Makes the page of a screen from texts as they were typed. Failures of the store and of the machine become
// errors.
[[nodiscard]] result<page> make_page(const screen& which, workspace& work, const settings& given);

// Pages of one screen each; each file of this folder makes one.
[[nodiscard]] result<page> live_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> results_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> compare_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> series_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> roofline_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> machine_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> run_page(workspace& work, const results::arguments& given);
[[nodiscard]] result<page> analyses_page(workspace& work, const results::arguments& given);

}  // namespace ridge::tui
