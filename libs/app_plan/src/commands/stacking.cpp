// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan_report/stacking_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

struct stacking_options {
  std::string file{}, memory{}, choose{};
  plan_output output{};
};

result<analysis::stacking_case> case_of(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return error{text.why().message, "give a JSON file with shares and gains"};
  return analysis::parse_stacking_case(*text, file, analysis::known_techniques());
}

std::vector<const analysis::technique*> with_gains(const analysis::stacking_case& c) {
  std::vector<const analysis::technique*> all;
  for (const auto& t : analysis::known_techniques()) {
    if (std::ranges::find(c.gains, t.id, &analysis::gain::technique) != c.gains.end()) all.push_back(&t);
  }
  return all;
}

plan_report::stacking_answer answer_of(const analysis::stacking_case& c, const stacking_options& o) {
  plan_report::stacking_answer a{.given = c, .searched = o.choose.empty()};
  std::optional<double> memory;
  if (!o.memory.empty()) memory = static_cast<double>(*app::parse_bytes(o.memory));
  if (a.searched) {
    a.stack = best_stack(c, analysis::known_techniques(), memory);
  } else {
    std::vector<std::string> ids;
    for (const auto id : split(o.choose, ',')) ids.emplace_back(trim(id));
    a.stack = combine(ids, c);
  }
  const auto techniques = with_gains(c);
  for (std::size_t i = 0; i < techniques.size(); ++i) {
    a.alone.push_back(combine(std::vector{techniques[i]->id}, c));
    for (std::size_t j = i + 1; j < techniques.size(); ++j)
      a.pairs.push_back(judge_pair(*techniques[i], *techniques[j], c));
  }
  return a;
}

int stacking(const app::context& context, const stacking_options& o) {
  if (o.file.empty())
    return print_plan(context, o.output, plan_report::techniques_page(analysis::known_techniques()), {});
  const auto c = case_of(o.file);
  if (!c) return context.refuse(c.why(), app::exit_code::usage);
  for (const auto id : split(o.choose, ',')) {
    const std::string name(trim(id));
    if (!name.empty() && std::ranges::find(c->gains, name, &analysis::gain::technique) == c->gains.end())
      return context.refuse(
          {fmt::format("--choose: {} has no gain for \"{}\"", o.file, name), "choose among its gains"},
          app::exit_code::usage);
  }
  const auto a = answer_of(*c, o);
  return print_plan(context, o.output, stacking_page(a), stacking_derivation(a));
}

}  // namespace

void add_plan_stacking(app::command& command, app::context& context) {
  auto o = std::make_shared<stacking_options>();
  auto& verb =
      command.add("stacking", "Which optimizations combine, and their combined speedup, by shares of time");
  verb.option(
          "file", o->file, "FILE",
          "Shares of time, measured gains and pairs (JSON); without it: all techniques and their conflicts")
      .option("--choose", o->choose, "ID,ID",
              "Evaluate these together in place of searching for the best set")
      .option("--memory", o->memory, "SIZE", "Memory that the set may add")
      .checked(app::is_size);
  add_plan_output(verb, o->output);
  verb.notes(
          "Speedups are not multiplied: each technique shortens only the share of the time that its phase "
          "takes.")
      .runs([&context, o] { return stacking(context, *o); });
}

}  // namespace ridge::app_plan
