// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/table.hpp>
#include <ridge/selftest/stage_costs.hpp>
#include <ridge/validity/issues.hpp>
#include <ridge/validity/markdown.hpp>
#include <ridge/validity/names.hpp>

#include "commands/commands.hpp"
#include "session/build_warning.hpp"
#include "session/laboratory.hpp"

namespace ridge::app {
namespace {

using validity::issue;

struct validity_options {
  std::vector<std::string> wanted{};
  std::string format{"table"};
  bool open = false;
  bool cost = false;
  std::vector<std::string> costs_of{};  // experiments
};

void write_list(model::json_writer& out, std::string_view key, std::string_view list) {
  out.key(key).begin_array(true);
  for (const auto word : validity::words_of(list)) out.value(word);
  out.end_array();
}

void write(model::json_writer& out, const issue& one) {
  out.begin_object().field("id", one.id).field("category", validity::name(one.category));
  out.field("happens", one.happens).field("threat", validity::name(one.threat));
  out.field("status", validity::name(one.status));
  write_list(out, "checks", one.checks);
  out.field("where", validity::name(one.place)).field("severity", validity::name(one.severity));
  out.field("answer", one.answer).field("missing", one.missing);
  write_list(out, "cheats", one.cheats);
  write_list(out, "selftest", one.selftest);
  out.field("incident", one.incident);
  write_list(out, "covers", one.covers);
  out.end_object();
}

std::string json_of(const std::vector<issue>& listed) {
  model::json_writer out(2);
  const auto seen = validity::count(listed);
  out.begin_object().field("schema", "ridge.validity/1").key("counts").begin_object();
  out.field("checked", seen.checked).field("prevented", seen.prevented).field("open", seen.open);
  out.field("not_applicable", seen.not_applicable).field("proved", seen.proved).end_object();
  out.key("issues").begin_array();
  for (const auto& one : listed) write(out, one);
  out.end_array().end_object();
  return std::move(out).take() + '\n';
}

report::tone tone_of(validity::status value) {
  switch (value) {
    case validity::status::checked:
      return report::tone::good;
    case validity::status::open:
      return report::tone::bad;
    case validity::status::prevented:
    case validity::status::not_applicable:
      break;
  }
  return report::tone::dim;
}

std::string proof_of(const issue& one) {
  if (!one.cheats.empty()) return "cheat";
  return one.selftest.empty() ? "-" : "selftest";
}

// The first of the checks, and how many more there are: "audit +2".
std::string first_check(const issue& one) {
  const auto all = validity::words_of(one.checks);
  if (all.empty()) return "-";
  return std::string(all.front()) + (all.size() > 1 ? fmt::format(" +{}", all.size() - 1) : "");
}

std::string table_of(const std::vector<issue>& listed, const terminal& screen) {
  report::table table({{"ISSUE"}, {"STATUS"}, {"CHECK"}, {"PROOF"}, {"WHAT HAPPENS"}});
  for (const auto& one : listed) {
    table.row({{std::string(one.id), report::tone::strong},
               {std::string(validity::name(one.status)), tone_of(one.status)},
               {first_check(one)},
               {proof_of(one)},
               {std::string(one.happens)}});
  }
  return table.text(layout_on(screen));
}

std::string closing(const std::vector<issue>& listed) {
  const auto seen = validity::count(listed);
  return fmt::format(
      "\n{} issues: {} checked, {} prevented, {} open, {} not applicable; {} of those checked or prevented "
      "are proved by a cheat or a self-test\n`ridge validity ID` explains one\n",
      listed.size(), seen.checked, seen.prevented, seen.open, seen.not_applicable, seen.proved);
}

std::string all_about(const issue& one, const terminal& screen) {
  report::table table({{""}, {""}});
  const auto add = [&](const char* label, std::string_view text) {
    if (!text.empty()) table.row({{label, report::tone::dim}, {std::string(text)}});
  };
  add("category", validity::name(one.category));
  add("happens", one.happens);
  add("by", validity::name(one.threat));
  add("status", validity::name(one.status));
  add("checks", one.checks);
  add("where", validity::name(one.place));
  add("severity", validity::name(one.severity));
  add("answer", one.answer);
  add(one.status == validity::status::open ? "missing" : "not seen", one.missing);
  add("cheats", one.cheats);
  add("selftest", one.selftest);
  add("happened", one.incident);
  add("covers", one.covers);
  return paint(screen, report::tone::strong, one.id) + '\n' + table.text(layout_on(screen, 2));
}

// Whether single issues were asked for, which are then shown in full.
bool asks_for_issues(const std::vector<issue>& listed, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(
      wanted, [&](const std::string& word) { return std::ranges::count(listed, word, &issue::id) > 0; });
}

std::string text_of(const std::vector<issue>& listed, const validity_options& o, const terminal& screen) {
  if (o.format == "json") return json_of(listed);
  if (o.format == "md") return validity::markdown(listed);
  if (!asks_for_issues(listed, o.wanted)) return table_of(listed, screen) + closing(listed);
  std::string text;
  for (const auto& one : listed) text += (text.empty() ? "" : "\n") + all_about(one, screen);
  return text;
}

std::string share_of(double seconds, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * seconds / whole) : "-";
}

std::string json_of(const selftest::family_costs& seen) {
  model::json_writer out(2);
  out.begin_object()
      .field("schema", "ridge.validity_cost/1")
      .field("families", seen.families)
      .field("budget_s", seen.budget_s);
  out.key("stages").begin_array();
  for (const auto& one : seen.stages) {
    out.begin_object().field("stage", one.name).field("seconds", one.seconds).field("check", one.checks);
    out.field("description", one.description).end_object();
  }
  out.end_array().end_object();
  return std::move(out).take() + '\n';
}

std::string cost_table(const selftest::family_costs& seen, const terminal& screen) {
  report::table table({{"STAGE"},
                       {"SECONDS", report::align::right},
                       {"SHARE", report::align::right},
                       {"CHECKS"},
                       {"DESCRIPTION"}});
  for (const auto& one : seen.stages) {
    table.row({{one.name, report::tone::strong},
               {format_quantity(one.seconds, "s")},
               {share_of(one.seconds, seen.seconds())},
               {one.checks ? "yes" : "-"},
               {one.description}});
  }
  return table.text(layout_on(screen)) +
         fmt::format(
             "\nchecks take {} of {}, {}, in {} famil{}; where rounds use all of their budget of {}, checks "
             "take "
             "{}\n",
             format_quantity(seen.check_seconds(), "s"), format_quantity(seen.seconds(), "s"),
             share_of(seen.check_seconds(), seen.seconds()), seen.families, seen.families == 1 ? "y" : "ies",
             format_quantity(seen.budget_s, "s"),
             share_of(seen.check_seconds_at_full_budget(), seen.seconds_at_full_budget()));
}

// The families whose stages are timed: a small one, or those of the targets on the CPU, at the first value of
// each axis.
result<std::vector<harness::planned_family>> families_for_costs(const context& program,
                                                                const std::vector<std::string>& targets) {
  if (targets.empty()) return std::vector{selftest::family_of_two_lines()};
  const auto chosen = select(program.experiments, targets);
  if (!chosen) return chosen.why();
  harness::run_options options{.backend = model::backend::cpu};
  options.profile.every_problem = false;
  return harness::plan(*chosen, options);
}

int costs(const context& program, const validity_options& o) {
  const auto families = families_for_costs(program, o.costs_of);
  if (!families) return program.refuse(families.why(), exit_code::usage);
  warn_of_build(program);
  laboratory here;
  here.load_ceilings();
  const auto seen = selftest::cost_of_checks(here.instruments(), *families);
  if (!seen) return program.refuse(seen.why(), exit_code::unavailable);
  program.print(o.format == "json" ? json_of(*seen) : cost_table(*seen, program.out));
  return exit_code::good;
}

int list_issues(const context& program, const validity_options& o) {
  if (o.cost || !o.costs_of.empty()) return costs(program, o);
  auto listed = validity::select(o.wanted);
  if (!listed) return program.refuse(listed.why(), exit_code::usage);
  if (o.open) std::erase_if(*listed, [](const issue& one) { return one.status != validity::status::open; });
  program.print(text_of(*listed, o, program.out));
  return exit_code::good;
}

}  // namespace

void add_validity(command& parent, context& program) {
  auto o = std::make_shared<validity_options>();
  parent.add("validity", "List the ways in which a benchmark misleads, and the check against each")
      .option("ISSUE", o->wanted, "ISSUE", "Ids of issues, shown in full, or categories; all by default")
      .choice("--format", o->format, {"table", "json", "md"},
              "How to print: a table, one JSON object (ridge.validity/1) or the handbook's page")
      .flag("--open", o->open, "List only issues that nothing reports for certain yet")
      .flag("--cost", o->cost, "Measure what the checks cost: the stages of a small family on this machine")
      .option("--of", o->costs_of, "EXPERIMENT", "With --cost: measure these experiments on the CPU instead")
      .notes(
          "Categories: timing, output, workload, memory, process, device, compilation, distributed, "
          "environment, statistics, evaluation. The same table is docs/handbook/validity.md.")
      .runs([&program, o] { return list_issues(program, *o); });
}

}  // namespace ridge::app
