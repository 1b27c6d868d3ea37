// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan_report/stacking_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

struct options {
  std::string file{}, memory{}, choose{};
  plan_output as{};
};

result<analysis::stacking_case> case_of(const std::string& file) {
  std::ifstream in(file);
  if (!in) return error{fmt::format("cannot read {}", file), "give a JSON file with shares and gains"};
  std::ostringstream text;
  text << in.rdbuf();
  return analysis::parse_stacking_case(text.str(), file, analysis::known_techniques());
}

std::vector<const analysis::technique*> with_gains(const analysis::stacking_case& c) {
  std::vector<const analysis::technique*> all;
  for (const auto& t : analysis::known_techniques()) {
    if (std::ranges::find(c.gains, t.id, &analysis::gain::technique) != c.gains.end()) all.push_back(&t);
  }
  return all;
}

plan_report::stacking_answer answer_of(const analysis::stacking_case& c, const options& o) {
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

int stacking(const app::context& in, const options& o) {
  if (o.file.empty())
    return print_plan(in, o.as, plan_report::techniques_page(analysis::known_techniques()), {});
  const auto c = case_of(o.file);
  if (!c) return in.refuse(c.why(), app::exit_code::usage);
  for (const auto id : split(o.choose, ',')) {
    const std::string name(trim(id));
    if (!name.empty() && std::ranges::find(c->gains, name, &analysis::gain::technique) == c->gains.end())
      return in.refuse(
          {fmt::format("--choose: {} has no gain for \"{}\"", o.file, name), "choose among its gains"},
          app::exit_code::usage);
  }
  const auto a = answer_of(*c, o);
  return print_plan(in, o.as, stacking_page(a), stacking_derivation(a));
}

}  // namespace

void add_plan_stacking(app::command& of, app::context& in) {
  auto o = std::make_shared<options>();
  auto& to =
      of.add("stacking", "Which optimizations combine, and what they bring together, by shares of time");
  to.option("file", o->file, "FILE",
            "Shares of time, measured gains and pairs (JSON); none: the techniques and their conflicts")
      .option("--choose", o->choose, "ID,ID", "Judge these together in place of the best set")
      .option("--memory", o->memory, "SIZE", "The set may add so much memory")
      .checked(app::is_size);
  add_plan_output(to, o->as);
  to.notes(
        "A combined gain is never a product of whole speedups: each technique shortens its phase's share of "
        "the time.")
      .runs([&in, o] { return stacking(in, *o); });
}

}  // namespace ridge::app_plan
