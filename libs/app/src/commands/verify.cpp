// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/report/table.hpp>

#include "commands/commands.hpp"
#include "session/gpu_presence.hpp"
#include "session/laboratory.hpp"
#include "stored/recompute.hpp"

namespace ridge::app {
namespace {

struct verify_options {
  std::vector<std::string> targets{};
  std::string results{};
  std::string backend{};  // empty: both
  std::uint64_t seed = 1;
};

// Returns the first problem that a run would measure, and every edge size.
std::vector<harness::planned_family> families_of(const experiment& entry, model::backend backend) {
  if (!std::ranges::count(entry->variants, backend, &variant_facts::backend)) return {};
  const auto axes = axes_on(entry->axes, backend);
  auto problems = edge_problems_of(axes);
  const auto own = problems_of(axes);
  if (!own.empty()) problems.push_back(own.front());
  std::erase_if(problems, [&](const problem& p) { return entry->skips(p); });
  std::vector<harness::planned_family> families;
  for (const auto& at : problems) families.push_back({entry, at, backend});
  return families;
}

bool any_on_gpu(const std::vector<experiment>& chosen) {
  return std::ranges::any_of(chosen, [](const auto& e) { return e->has_cuda; });
}

struct tally {
  std::size_t problems = 0;
  std::size_t right = 0;
  std::vector<std::pair<std::string, std::string>> refused{};  // where, why
  std::vector<std::pair<std::string, std::string>> skipped{};  // variant, why
};

void count(tally& seen, const model::family& f) {
  ++seen.problems;
  for (const auto& m : f.measurements) {
    if (!m.refused.empty()) {
      seen.refused.emplace_back(
          fmt::format("{} at {}", m.variant, f.problem.empty() ? "its one problem" : model::text(f.problem)),
          m.refused);
    } else if (!m.skipped.empty()) {
      const std::pair entry{m.variant, m.skipped};
      if (std::ranges::count(seen.skipped, entry) == 0) seen.skipped.push_back(entry);
    } else {
      ++seen.right;
    }
  }
}

std::string lines_of(const context& program, const std::string& id, const tally& seen) {
  const bool good = seen.refused.empty();
  auto text =
      fmt::format("{} {}  {} problems, {} outputs right\n",
                  paint(program.out, good ? report::tone::good : report::tone::bad, good ? "right" : "WRONG"),
                  paint(program.out, report::tone::strong, id), seen.problems, seen.right);
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(most, seen.refused.size()); ++i)
    text += fmt::format("  {}: {}\n", seen.refused[i].first, seen.refused[i].second);
  if (seen.refused.size() > most) text += fmt::format("  and {} more\n", seen.refused.size() - most);
  for (const auto& [variant, why] : seen.skipped) text += fmt::format("  {} skipped: {}\n", variant, why);
  return text;
}

int verify_experiments(const context& program, const verify_options& o) {
  const auto chosen =
      select(program.experiments, o.targets.empty() ? std::vector<std::string>{"all"} : o.targets);
  if (!chosen) return program.refuse(chosen.why(), exit_code::usage);
  const interrupt_guard guard;
  laboratory lab;
  harness::run_options how;
  how.protocol.seed = o.seed;
  progress_line line(program.err);
  const auto gpu_missing =
      any_on_gpu(*chosen) && o.backend != "cpu" ? gpu_missing_because(lab.instruments()) : "";
  bool good = true;
  for (const auto& one : *chosen) {
    tally seen;
    auto on_cpu = families_of(one, model::backend::cpu);
    if (o.backend == "cuda") on_cpu.clear();
    for (const auto& family : on_cpu) {
      if (interrupted()) return exit_code::interrupted;
      line.show(fmt::format("{} {} {}", one->id, model::text(family.at.point()), seen.problems));
      count(seen, harness::verify_family(family, lab.instruments(), how));
    }
    auto on_gpu = families_of(one, model::backend::cuda);
    if (!gpu_missing.empty() || o.backend == "cpu") on_gpu.clear();
    if (!on_gpu.empty()) line.show(fmt::format("{} on the GPU", one->id));
    for (const auto& family : harness::verify_gpu_families(on_gpu, lab.instruments(), how))
      count(seen, family);
    line.clear();
    good = good && seen.refused.empty();
    program.print(lines_of(program, one->id, seen));
  }
  if (!gpu_missing.empty()) program.print(fmt::format("variants on the GPU were skipped: {}\n", gpu_missing));
  return good ? exit_code::good : exit_code::refused;
}

int verify_results(const context& program, const std::string& path) {
  const auto run = run_of_file(path);
  if (!run) return program.refuse(run.why(), exit_code::file);
  const auto seen = recompute(*run);
  for (const auto& difference : seen.differences) program.print(difference + '\n');
  program.print(fmt::format("{}: {} comparisons and {} medians computed again from the samples, {} differ\n",
                            path, seen.comparisons, seen.medians, seen.differences.size()));
  return seen.differences.empty() ? exit_code::good : exit_code::refused;
}

}  // namespace

void add_verify(command& parent, context& program) {
  auto o = std::make_shared<verify_options>();
  parent
      .add("verify",
           "Check the outputs of variants at every edge size, or a file of results against its samples")
      .option("TARGETS", o->targets, "TARGET", "Ids, chapters, globs or tags; all by default")
      .option("--results", o->results, "FILE",
              "Recompute every interval and verdict of this results file from its samples")
      .choice("--backend", o->backend, {"cpu", "cuda"}, "Verify only the variants on this backend")
      .option("--seed", o->seed, "N", "Seed of the input data (1)")
      .runs([&program, o] {
        return o->results.empty() ? verify_experiments(program, *o) : verify_results(program, o->results);
      });
}

}  // namespace ridge::app
