// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/model/json.hpp>

#include "commands/commands.hpp"
#include "session/experiment_session.hpp"
#include "session/fail_on.hpp"
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

int run(const context& in, const options& o) {
  if (o.targets.empty())
    return in.refuse(
        {"run what?", "name experiments: `ridge run ch01`, `ridge run all`; `ridge list` prints them"},
        exit_code::usage);
  const auto chosen = select(in.experiments, o.targets);
  if (!chosen) return in.refuse(chosen.why(), exit_code::usage);
  const auto rules = parse_fail_on(o.fail_on);
  if (!rules) return in.refuse(rules.why(), exit_code::usage);
  const interrupt_guard guard;
  experiment_session session(in, *chosen, [](const std::string& id) {
    return std::vector<std::string>{"run", id, "--no-store"};
  });
  if (const auto refused = session.prepare(o.settings)) return in.refuse(refused->why, refused->code);
  run_reporter reporter(in, *report::named_format(o.format), store_if_possible(in, !o.no_store),
                        session.options().suite_budget_s);
  const auto done = session.measure(reporter);
  if (!o.save.empty()) save_text(o.save, model::to_json(done));
  return interrupted() ? exit_code::interrupted : exit_code_of(done, *rules);
}

}  // namespace

void add_run(command& to, context& in) {
  auto o = std::make_shared<options>();
  auto& command = to.add("run", "Verify and measure experiments, their variants interleaved");
  command.option("TARGETS", o->targets, "TARGET", "Experiments: ids, chapters, globs, tags or all");
  add_run_settings(command, o->settings);
  command.choice("--format", o->format, formats(), "Format of the printed results")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .flag("--no-store", o->no_store, "Do not keep results in the store")
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
