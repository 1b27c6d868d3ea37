// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/model/json.hpp>

#include "commands/commands.hpp"
#include "session/fail_on.hpp"
#include "session/forked_run.hpp"
#include "session/gpu_presence.hpp"
#include "session/laboratory.hpp"
#include "session/run_header.hpp"
#include "session/run_reporter.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct options {
  run_settings settings{};
  std::vector<std::string> targets{};
  std::string format{"table"};
  std::string save{};
  std::string fail_on{};
  bool no_store = false;
};

// A store that cannot be opened must not cost the results.
std::unique_ptr<store::store> store_if_possible(const context& in, bool wanted) {
  if (!wanted) return nullptr;
  try {
    return open_store(in);
  } catch (const failure& why) {
    in.tell(fmt::format("{} results will be printed but not stored: {}\n",
                        paint(in.err, report::tone::doubtful, "ridge:"), why.why().text()));
    return nullptr;
  }
}

int nothing_to_run(const context& in, const harness::run_options& how) {
  if (how.backend == model::backend::cuda)
    return in.refuse(
        {"no chosen experiment has a cuda variant in this build", "build with the CUDA toolkit installed"},
        exit_code::unavailable);
  return in.refuse({"the chosen axes leave no problem to measure", "see `ridge show ID`"}, exit_code::usage);
}

int run(const context& in, const options& o) {
  if (o.targets.empty())
    return in.refuse(
        {"run what?", "name experiments: `ridge run ch01`, `ridge run all`; `ridge list` prints them"},
        exit_code::usage);
  const auto chosen = select(in.experiments, o.targets);
  if (!chosen) return in.refuse(chosen.why(), exit_code::usage);
  const auto how = options_of(o.settings, *chosen);
  if (!how) return in.refuse(how.why(), exit_code::usage);
  const auto rules = parse_fail_on(o.fail_on);
  if (!rules) return in.refuse(rules.why(), exit_code::usage);
  auto families = harness::plan(*chosen, *how);
  if (!families) return in.refuse(families.why(), exit_code::usage);
  if (families->empty()) return nothing_to_run(in, *how);

  const interrupt_guard guard;
  laboratory lab;
  const auto no_gpu = leave_out_missing_gpu(*families, lab.instruments());
  if (!no_gpu.empty() && families->empty())
    return in.refuse({"on the GPU, " + no_gpu, "`ridge doctor` shows what this machine offers"},
                     exit_code::unavailable);
  lab.load_ceilings();
  run_reporter reporter(in, *report::named_format(o.format), store_if_possible(in, !o.no_store),
                        how->suite_budget_s);
  auto header = run_header(in, how->profile.name, how->protocol.seed);
  if (!no_gpu.empty()) header.environment.facts.emplace_back("gpu", no_gpu);
  const auto done = how->profile.forks > 1
                        ? run_forked(std::move(header), *families, lab.instruments(), *how, reporter)
                        : harness::run_all(std::move(header), *families, lab.instruments(), *how, reporter);
  if (!o.save.empty()) save_text(o.save, model::to_json(done));
  return interrupted() ? exit_code::interrupted : exit_code_of(done, *rules);
}

}  // namespace

void add_run(command& to, context& in) {
  auto o = std::make_shared<options>();
  auto& command = to.add("run", "Verify and measure experiments, their variants interleaved");
  command.option("TARGETS", o->targets, "TARGET", "Ids, chapters, globs, tags or all");
  add_run_settings(command, o->settings);
  command.choice("--format", o->format, formats(), "How results are printed")
      .option("--save", o->save, "FILE", "Write the whole run as JSON, raw samples too")
      .flag("--no-store", o->no_store, "Keep nothing in the store")
      .option("--fail-on", o->fail_on, "LIST", fail_on_help())
      .notes(
          "A target is an id (ch01.coalescing), a chapter (ch01, ch1, labs), a glob ('ch01.*gemm*'), a tag "
          "(tag:memory) "
          "or all. Results are stored, then printed, as each problem finishes; Ctrl-C keeps what is "
          "finished. --format "
          "jsonl prints one object for each comparison as soon as it is stored.")
      .runs([&in, o] { return run(in, *o); });
}

}  // namespace ridge::app
