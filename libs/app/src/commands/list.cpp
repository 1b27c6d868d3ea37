// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/table.hpp>

#include "catalogue/catalogue.hpp"
#include "catalogue/chapters.hpp"
#include "commands/commands.hpp"

namespace ridge::app {
namespace {

struct list_options {
  std::vector<std::string> targets{};
  std::string chapter{};
  std::string tag{};
  std::string backend{};
  std::string goal{};
  bool json = false;
  bool ids = false;
  bool variants = false;
};

bool wanted(const model::experiment_description& description, const list_options& o) {
  const auto runs_on = [&](const auto& v) { return model::name(v.backend) == o.backend; };
  return (o.goal.empty() || model::name(description.goal) == o.goal) &&
         (o.tag.empty() || std::ranges::count(description.tags, o.tag) > 0) &&
         (o.backend.empty() || std::ranges::any_of(description.variants, runs_on));
}

std::string backends_of(const model::experiment_description& description) {
  std::string text;
  for (const auto backend : {model::backend::cpu, model::backend::cuda}) {
    if (std::ranges::count(description.variants, backend, &model::variant_description::backend) == 0)
      continue;
    text += (text.empty() ? "" : " ") + std::string(model::name(backend));
  }
  return text;
}

std::string table_of(const std::vector<model::experiment_description>& listed, const terminal& screen) {
  report::table table({{"EXPERIMENT"}, {"GOAL"}, {"BACKENDS"}, {"QUESTION"}});
  for (const auto& one : listed) {
    table.row({{one.id, report::tone::strong},
               {std::string(model::name(one.goal))},
               {backends_of(one)},
               {one.question}});
  }
  return table.text(layout_on(screen));
}

std::string ids_of(const std::vector<model::experiment_description>& listed) {
  std::string text;
  for (const auto& one : listed) text += one.id + '\n';
  return text;
}

// Returns the names of their variants, each once, one on a line.
std::string variants_of(const std::vector<model::experiment_description>& listed) {
  std::set<std::string> names;
  for (const auto& one : listed) {
    for (const auto& v : one.variants) names.insert(v.name);
  }
  std::string text;
  for (const auto& name : names) text += name + '\n';
  return text;
}

std::string closing(const std::vector<model::experiment_description>& listed) {
  if (listed.empty()) return "no experiment matches; `ridge list` prints all of them\n";
  return fmt::format("\n{} experiment{}; `ridge show ID` explains one, `ridge run ID` measures it\n",
                     listed.size(), listed.size() == 1 ? "" : "s");
}

int list(const context& program, const list_options& o) {
  auto targets = o.targets;
  if (!o.chapter.empty()) targets.push_back(o.chapter);
  if (targets.empty()) targets.emplace_back("all");
  const bool every = targets == std::vector<std::string>{"all"};  // all of none is an empty list
  const auto chosen = every ? program.experiments.all() : select(program.experiments, targets);
  if (!chosen) return program.refuse(chosen.why(), exit_code::usage);
  auto listed = describe(*chosen);
  std::erase_if(listed, [&](const auto& description) { return !wanted(description, o); });
  if (o.json) {
    mark_unavailable(listed, *chosen);
    program.print(model::catalogue_json(listed));
  } else if (o.ids || o.variants) {
    program.print(o.ids ? ids_of(listed) : variants_of(listed));
  } else {
    const auto absent = every ? text_of_absent(program.experiments.not_built()) : "";
    program.print((listed.empty() ? "" : table_of(listed, program.out)) + closing(listed) +
                  (absent.empty() ? "" : absent + '\n'));
  }
  return exit_code::good;
}

}  // namespace

void add_list(command& parent, context& program) {
  auto o = std::make_shared<list_options>();
  parent.add("list", "List experiments")
      .option("TARGET", o->targets, "TARGET", "Ids, chapters, globs or tags; all by default")
      .option("--chapter", o->chapter, "CHAPTER", "List only experiments of this chapter: ch01, ch1, labs")
      .option("--tag", o->tag, "TAG", "List only experiments with this tag")
      .choice("--backend", o->backend, {"cpu", "cuda"}, "List only experiments with variants on this backend")
      .choice("--goal", o->goal,
              {"speed", "memory", "throughput", "latency", "goodput", "accuracy", "informational"},
              "List only experiments with this goal")
      .flag("--json", o->json, "Print one JSON object (ridge.catalogue/1)")
      .flag("--ids", o->ids, "Print only ids, one per line")
      .flag("--variants", o->variants, "Print only the names of their variants, one per line")
      .runs([&program, o] { return list(program, *o); });
}

}  // namespace ridge::app
