// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>

#include "pages/export_page.hpp"
#include "view/application.hpp"
#include "view/help_text.hpp"

namespace ridge::tui {
namespace {

// The workload of a row: most sheets have its parts as fields, others only its text.
struct row_workload {
  std::string experiment{}, problem{}, machine{}, backend{};
  bool operator==(const row_workload&) const = default;
};

row_workload workload_of(const report::sheet& sheet, const report::row& row) {
  row_workload w{.experiment = value_of(sheet, row, "experiment"),
                 .problem = value_of(sheet, row, "problem"),
                 .machine = value_of(sheet, row, "machine"),
                 .backend = value_of(sheet, row, "backend")};
  if (!w.experiment.empty()) return w;
  const auto text = value_of(sheet, row, "workload");
  const auto space = text.find(' ');
  w.experiment = text.substr(0, space);
  if (space != std::string::npos) w.problem = text.substr(space + 1);
  return w;
}

settings settings_of(const row_workload& w) {
  settings given{{"experiment", w.experiment}};
  if (!w.problem.empty()) given["problem"] = w.problem;
  if (!w.machine.empty()) given["machine"] = w.machine;
  if (!w.backend.empty()) given["backend"] = w.backend;
  return given;
}

std::string variant_of(const report::sheet& sheet, const report::row& row) {
  auto variant = value_of(sheet, row, "variant");
  return variant.empty() ? value_of(sheet, row, "candidate") : variant;
}

}  // namespace

void application::enter() {
  const auto* const selected = here().row();
  if (selected == nullptr) return;
  const auto& sheet = *here().table();
  if (const auto name = value_of(sheet, *selected, "screen"); screen_named(name) != nullptr)
    return open(name);
  if (here().which().name == "series" && sheet.key == "series") return here().next_pane(1);
  show_detail();
}

void application::show_detail() {
  const auto* const selected = here().row();
  if (selected != nullptr) over_screen_ = row_in_full(*here().table(), *selected);
}

void application::show_help() {
  over_screen_ = {.title = "Help",
                  .lines = styled_lines(help_text(here().which(), !work_.run_command().empty()))};
}

void application::open_run() {
  const auto* const selected = here().row();
  if (selected == nullptr) return say("There is no row to open.");
  const auto& sheet = *here().table();
  const auto run = value_of(sheet, *selected, "run");
  if (run.empty()) return say("This row names no run.");
  settings given{{"run", run}};
  if (const auto w = workload_of(sheet, *selected); !w.experiment.empty()) given["experiment"] = w.experiment;
  open("run", std::move(given));
}

void application::compare_runs(const std::vector<const report::row*>& rows, const report::sheet& sheet) {
  if (rows.size() != 2) return say("Mark two runs with the space bar, then press c.");
  auto a = value_of(sheet, *rows.front(), "run"), b = value_of(sheet, *rows.back(), "run");
  if (b < a) std::swap(a, b);  // ids of runs sort by time: the older one is held against
  here().clear_marks();
  open("compare", {{"a", a}, {"b", b}});
}

void application::compare_marked() {
  const auto* const sheet = here().table();
  if (sheet == nullptr) return say("Only rows of tables can be compared.");
  auto rows = here().marked_rows();
  if (sheet->key == "runs") return compare_runs(rows, *sheet);
  if (rows.empty() && here().row() != nullptr) rows.push_back(here().row());
  if (rows.empty()) return say("There is no row to compare.");
  const auto first = workload_of(*sheet, *rows.front());
  if (first.experiment.empty()) return say("These rows are no results of variants.");
  std::vector<std::string> variants;
  for (const auto* row : rows) {
    if (workload_of(*sheet, *row) != first)
      return say("The marked rows are of several workloads; variants are compared within one.");
    variants.push_back(variant_of(*sheet, *row));
  }
  auto given = settings_of(first);
  if (variants.size() > 1) given["variant"] = join(variants, ",");
  here().clear_marks();
  open("compare", std::move(given));
}

void application::obey(const std::string& command) {
  std::vector<std::string> words;
  for (const auto word : split(std::string_view(command), ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  if (words.empty()) return;
  const auto first = words.front();
  words.erase(words.begin());
  if (first == "q" || first == "quit") return quit();
  if (first == "help") return show_help();
  if (first == "run" && (words.empty() || words.front().find('=') == std::string::npos))
    return start_run(words);
  if (first == "stop") {
    if (!work_.run().running()) return say("No run was started from here.");
    work_.run().stop();
    return say("The run was asked to end; what it finished is kept.");
  }
  if (first == "export")
    return export_as(words.empty() ? "ridge-" + here().which().name + ".csv" : words.front());
  const auto* const which = screen_named(first == "set" ? here().which().name : first);
  if (which == nullptr) {
    std::vector<std::string> names{"run", "stop", "set", "export", "help", "quit"};
    for (const auto& one : screens()) names.push_back(one.name);
    const auto meant = nearest_name(first, names);
    return say(fmt::format("There is no command '{}'{}.", terminal_escaped(first, 40),
                           meant ? fmt::format("; did you mean {}?", *meant) : std::string("; ? shows all")));
  }
  auto given = settings_from(words, which->parameters);
  if (!given) return refuse(given.why());
  if (first == "set") {
    auto merged = here().given();
    for (auto& [key, value] : *given) merged[key] = value;
    return here().tell(std::move(merged));
  }
  open(which->name, *std::move(given));
}

void application::export_as(const std::string& path) {
  const auto* const shown = here().content();
  if (shown == nullptr) return say("There is nothing to export.");
  const auto* const sheet = here().table();
  const auto done = export_page(*shown, sheet == nullptr ? "" : sheet->key, path);
  if (!done) return refuse(done.why());
  say("Wrote " + terminal_escaped(path));
}

void application::link() {
  copied_ = command_of(here().which().name, here().given());
  say(copied_);
}

}  // namespace ridge::tui
