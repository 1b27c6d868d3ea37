// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/table.hpp>

#include "catalogue/catalogue.hpp"
#include "catalogue/chapters.hpp"
#include "commands/commands.hpp"

namespace ridge::app {
namespace {

struct covered {
  std::string chapter{};
  std::string title{};
  std::size_t experiments = 0;
  std::size_t cpu = 0, cuda = 0;  // experiments with a variant on this backend
  std::size_t comparators = 0;    // experiments that compare with a vendor library
  std::set<std::string> answers{};
};

bool any(const model::experiment_description& description, auto holds) {
  return std::ranges::any_of(description.variants, holds);
}

void count(covered& row, const model::experiment_description& description) {
  const auto on = [](model::backend b) { return [b](const auto& v) { return v.backend == b; }; };
  ++row.experiments;
  row.cpu += any(description, on(model::backend::cpu)) ? 1u : 0u;
  row.cuda += any(description, on(model::backend::cuda)) ? 1u : 0u;
  row.comparators +=
      any(description, [](const auto& v) { return v.role == model::role::comparator; }) ? 1u : 0u;
  row.answers.insert(description.answers.begin(), description.answers.end());
}

std::vector<covered> cover(const std::vector<model::experiment_description>& all) {
  std::vector<covered> rows;
  for (const auto& part : chapters())
    rows.push_back({.chapter = std::string(part.id), .title = std::string(part.title)});
  for (const auto& one : all) {
    const auto row = std::ranges::find(rows, chapter_of(one.id), &covered::chapter);
    if (row != rows.end()) {
      count(*row, one);
    } else {
      count(rows.emplace_back(covered{.chapter = std::string(chapter_of(one.id))}), one);
    }
  }
  return rows;
}

std::string json(const std::vector<covered>& rows) {
  model::json_writer out(2);
  out.begin_object().field("schema", "ridge.coverage/1").key("chapters").begin_array();
  for (const auto& row : rows) {
    out.begin_object().field("chapter", row.chapter).field("title", row.title);
    out.field("experiments", row.experiments).field("cpu", row.cpu).field("cuda", row.cuda);
    out.field("comparators", row.comparators).key("answers").begin_array();
    for (const auto& answer : row.answers) out.value(answer);
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return std::move(out).take() + '\n';
}

std::string table_of(const std::vector<covered>& rows, const terminal& screen) {
  report::table table({{"CHAPTER"},
                       {"EXPERIMENTS", report::align::right},
                       {"CPU", report::align::right},
                       {"CUDA", report::align::right},
                       {"COMPARED", report::align::right},
                       {"ANSWERS", report::align::right},
                       {""}});
  for (const auto& row : rows) {
    const auto look = row.experiments == 0 ? report::tone::dim : report::tone::plain;
    const auto number = [&](std::size_t n) { return report::cell{n == 0 ? "-" : std::to_string(n), look}; };
    table.row({{row.chapter, look},
               number(row.experiments),
               number(row.cpu),
               number(row.cuda),
               number(row.comparators),
               number(row.answers.size()),
               {row.title, look}});
  }
  return table.text(layout_on(screen));
}

int coverage(const context& program, bool as_json) {
  const auto rows = cover(describe(program.experiments.all()));
  if (as_json) {
    program.print(json(rows));
    return exit_code::good;
  }
  const auto filled = std::ranges::count_if(rows, [](const auto& row) { return row.experiments > 0; });
  program.print(table_of(rows, program.out));
  program.print(fmt::format(
      "\n{} of {} chapters and labs have experiments. COMPARED counts those that compare\n"
      "with a vendor library; ANSWERS counts entries of the specification (`--json` names them).\n",
      filled, rows.size()));
  return exit_code::good;
}

}  // namespace

void add_coverage(command& parent, context& program) {
  auto json = std::make_shared<bool>(false);
  parent.add("coverage", "Count which chapters, techniques and backends the catalogue covers")
      .flag("--json", *json, "Print one JSON object (ridge.coverage/1)")
      .runs([&program, json] { return coverage(program, *json); });
}

}  // namespace ridge::app
