// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>
#include <ridge/store/store.hpp>

// Questions to stored results. An analysis is one file in `analyses/`: its parameters, and a function from a
// store to a document with charts. The command line, the REST API, the pages and the terminal's screens offer
// every analysis by what it says of itself, so that one added appears in all of them.
namespace ridge::results {

enum class parameter_kind : std::uint8_t {
  text,      // any text: an experiment, a machine
  choice,    // one of `choices`
  count,     // a whole number above 0
  quantity,  // a number with or without a unit: "24GiB", "100 ms"
  flag,      // given or not
};

// What an analysis can be told.
struct parameter {
  std::string_view key{};  // "vram": --vram on the command line, ?vram= in a request
  parameter_kind kind{parameter_kind::text};
  std::string_view placeholder{};  // of its value, in help: "GPU"
  std::string_view help{};         // a sentence without full stop
  std::string_view preset{};       // its value where none is given; empty: none
  std::string_view unit{};         // of a quantity without unit: "GiB", "ms"
  std::vector<std::string_view> choices{};
};

// The values that were given, checked against the parameters of one analysis.
class arguments {
 public:
  // Checks keys, choices and numbers; the error names the key, the value and what is possible. An empty value
  // is one that was not given.
  [[nodiscard]] static result<arguments> parse(std::span<const parameter> known,
                                               const std::map<std::string, std::string>& given);

  // The value of a text or choice; empty when absent.
  [[nodiscard]] std::string text(std::string_view key) const;
  // The value of a count.
  [[nodiscard]] std::optional<std::size_t> count(std::string_view key) const;
  // The value of a quantity in SI units: bytes, seconds, watts, US dollars, per second.
  [[nodiscard]] std::optional<double> quantity(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;

 private:
  std::map<std::string, std::string, std::less<>> texts_{};
  std::map<std::string, double, std::less<>> numbers_{};
};

// What an analysis found.
struct answer {
  report::document document{};
  std::vector<report::chart> charts{};
};

struct analysis {
  std::string_view
      name{};  // "leaderboards": the last part of its address and its `--only` on the command line
  std::string_view command{};   // the command that prints it: "analyze", "whatif"; several may share one
  std::string_view title{};     // "Leaderboards"
  std::string_view question{};  // "Which variant of a workload is best by speed, memory, ...?"
  std::vector<parameter> parameters{};
  // The error says what was asked in a way that cannot be answered; a store without results gives a document
  // whose sheets say which command fills them.
  result<answer> (*run)(store::store& results, const arguments& given) = nullptr;
};

// All analyses, in the order in which pages show them (generated from the folder `analyses`).
[[nodiscard]] std::span<const analysis> analyses();
// The one of a name; null when there is none.
[[nodiscard]] const analysis* analysis_named(std::string_view name);

// Runs an analysis by its name with texts, as a request or a command line gives them.
[[nodiscard]] result<answer> answer_of(std::string_view name, store::store& results,
                                       const std::map<std::string, std::string>& given);

// Returns an answer as JSON for pages and other programs: the members of report::json_of(document), and
// beside them "layout" (for each sheet its key, title, notes and fields with header and unit) and "charts"
// (report::chart as it is). Numbers that are not finite are null.
[[nodiscard]] std::string answer_json(const answer& found);

}  // namespace ridge::results
