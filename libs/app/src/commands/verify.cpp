// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/table.hpp>

#include "commands/commands.hpp"
#include "session/experiment_session.hpp"
#include "session/fail_on.hpp"
#include "session/run_settings.hpp"
#include "stored/recompute.hpp"

namespace ridge::app {
namespace {

struct verify_options {
  std::vector<std::string> targets{};
  std::string results{};
  std::vector<std::string> axes{};
  std::string backend{};  // empty: both
  std::string timeout{};
  std::uint64_t seed = drawn_seed();
  bool edges = false, json = false;
};

struct tally {
  std::size_t problems = 0;
  std::size_t tried = 0;  // problems of which at least one variant can run here
  std::size_t right = 0;
  std::vector<std::pair<std::string, std::string>> refused{};  // where, why
  std::vector<std::pair<std::string, std::string>> skipped{};  // variant, why
};

std::string place_of(const model::family& f) {
  return f.problem.empty() ? "its one problem" : model::text(f.problem);
}

void count(tally& seen, const model::family& f) {
  ++seen.problems;
  if (f.skipped.empty()) ++seen.tried;
  if (const auto why = failure_of(f); !why.empty())
    seen.refused.emplace_back(fmt::format("every {} variant at {}", model::name(f.backend), place_of(f)),
                              why);
  for (const auto& m : f.measurements) {
    if (!m.refused.empty()) {
      seen.refused.emplace_back(fmt::format("{} at {}", m.variant, place_of(f)), model::failure_in_words(m));
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

void write_pairs(model::json_writer& out, const char* key, const char* first, const char* second,
                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  out.key(key).begin_array();
  for (const auto& [one, other] : pairs)
    out.begin_object().field(first, one).field(second, other).end_object();
  out.end_array();
}

void write_tally(model::json_writer& out, const std::string& id, const tally& seen) {
  out.begin_object().field("id", id).field("is_right", seen.refused.empty());
  out.field("problems", seen.problems).field("outputs_right", seen.right);
  write_pairs(out, "refused", "place", "why", seen.refused);
  write_pairs(out, "skipped", "variant", "why", seen.skipped);
  out.end_object();
}

int verify_experiments(const context& program, const verify_options& o) {
  const auto chosen =
      select(program.experiments, o.targets.empty() ? std::vector<std::string>{"all"} : o.targets);
  if (!chosen) return program.refuse(chosen.why(), exit_code::usage);
  const interrupt_guard guard;
  experiment_session session(program, *chosen, {});
  if (const auto refused = session.prepare_verification(
          {.axes = o.axes, .backend = o.backend, .timeout = o.timeout, .seed = o.seed}, o.edges))
    return program.refuse(refused->why, refused->code);
  progress_line line(program.err);
  const auto started = [&](const harness::planned_family& first) {
    line.show(first.backend == model::backend::cuda
                  ? fmt::format("{} on the GPU", first.experiment->id)
                  : fmt::format("{} {}", first.experiment->id, model::text(first.problem.point())));
  };
  bool good = true;
  std::size_t right = 0, tried = 0;
  model::json_writer out(2);
  out.begin_object().field("schema", "ridge.verify/1").field("seed", o.seed).key("experiments").begin_array();
  for (const auto& entry : *chosen) {
    tally seen;
    for (const auto& family : session.verify(entry, started)) count(seen, family);
    if (interrupted()) return exit_code::interrupted;
    line.clear();
    if (seen.problems == 0) continue;  // the axes or the missing GPU leave none of its problems
    good = good && seen.refused.empty();
    right += seen.right;
    tried += seen.tried;
    write_tally(out, entry->id, seen);
    if (!o.json) program.print(lines_of(program, entry->id, seen));
  }
  out.end_array().field("not_on_gpu", session.missing_gpu()).end_object();
  if (o.json) program.print(std::move(out).take() + '\n');
  if (!o.json && !session.missing_gpu().empty())
    program.print(fmt::format("on the GPU, {}\n", session.missing_gpu()));
  // The CTest of an experiment counts as skipped by this sentence, not where variants were tried.
  if (good && tried == 0)
    return program.refuse({"nothing was verified", "no chosen variant can run here"}, exit_code::unavailable);
  if (good && right == 0) return exit_code::unavailable;  // every variant was skipped when it was set up
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
      .option("--axis", o->axes, "AXIS=VALUES",
              "Verify only these values of an axis: n=2^20..26:2, n=8,16, dtype=fp32 (repeats)")
      .flag("--edges", o->edges,
            "Leave out the problem that a run would measure: a run verifies it, too, and it may be large")
      .choice("--backend", o->backend, {"cpu", "cuda"}, "Verify only the variants on this backend")
      .option("--timeout", o->timeout, "TIME", "Longest time of one call: 30s, 2min (2min)")
      .checked(is_duration)
      .option("--seed", o->seed, "N", "Seed of the input data (drawn for every run)")
      .flag("--json", o->json, "Print one JSON object (ridge.verify/1)")
      .runs([&program, o] {
        return o->results.empty() ? verify_experiments(program, *o) : verify_results(program, o->results);
      });
}

}  // namespace ridge::app
