// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/judge.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/judge/compile.hpp>
#include <ridge/judge/runner.hpp>
#include <ridge/report/table.hpp>

#include "commands/commands.hpp"
#include "session/build_warning.hpp"
#include "session/judge_opponent.hpp"
#include "session/judgement_json.hpp"
#include "session/laboratory.hpp"
#include "session/run_header.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct judge_words {
  std::string candidate{};
  std::string against{};
  std::vector<std::string> axes{};
  std::string json{};
  std::string budget{"2s"};
  std::string time_limit{"10s"};
  std::string compile_limit{"60s"};
  std::string memory_limit{"1GiB"};
  std::string min_effect{"1%"};
  std::string flags{};
  std::string backend{};
  bool skip_edges = false;
  std::uint64_t seed = drawn_seed();
};

// The one problem that is judged: the first that a run would measure.
result<problem> judged_problem(const experiment& entry, model::backend backend,
                               const std::vector<std::string>& axes) {
  harness::run_options options{.profile = *harness::profile_named("minimal")};
  options.backend = backend;
  for (const auto& text : axes) {
    auto axis = harness::parse_axis_override(text);
    if (!axis) return axis.why();
    options.axes.push_back(*axis);
  }
  const auto families = harness::plan({entry}, options);
  if (!families) return families.why();
  if (families->empty())
    return error{fmt::format("{} has no such problem on the {}", entry->id,
                             backend == model::backend::cuda ? "GPU" : "CPU"),
                 "see `ridge show`"};
  return families->front().problem;
}

judge::judge_options judge_options_of(const judge_words& o, model::backend backend) {
  judge::judge_options made;
  made.backend = backend;
  made.budget_s = *parse_seconds(o.budget);
  made.time_limit_s = *parse_seconds(o.time_limit);
  made.memory_limit = *parse_bytes(o.memory_limit);
  made.min_effect = *parse_share(o.min_effect);
  made.seed = o.seed;
  made.edges = !o.skip_edges;
  return made;
}

std::vector<std::string> words_of_flags(const std::string& text) {
  std::vector<std::string> words;
  for (const auto word : split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

std::vector<std::string> flags_of(const judge_words& o, const std::string& gpu_architecture) {
  auto flags = judge::default_flags(gpu_architecture);
  std::ranges::copy(words_of_flags(o.flags), std::back_inserter(flags));
  return flags;
}

// The candidate, compiled where it is a source; `gpu_architecture`: for such a GPU. `made` owns what was
// compiled.
result<judge::contender> contender_of(const judge_words& o, const opponent& against,
                                      const std::string& gpu_architecture, judge::compiled_candidate& made) {
  if (const auto own = own_variant_of(o.candidate, against.entry); !own.empty())
    return judge::contender(judge::own_variant{own});
  if (!is_source(o.candidate)) return judge::contender(judge::shared_object{o.candidate});
  auto compiled = judge::compile(o.candidate, {.flags = words_of_flags(o.flags),
                                               .gpu_architecture = gpu_architecture,
                                               .time_limit_s = *parse_seconds(o.compile_limit)});
  if (!compiled) return compiled.why();
  made = std::move(*compiled);
  return judge::contender(judge::shared_object{made.path()});
}

report::tone tone_of_outcome(model::outcome result) {
  switch (result) {
    case model::outcome::pass:
      return report::tone::good;
    case model::outcome::warn:
      return report::tone::strong;
    case model::outcome::fail:
      return report::tone::bad;
    case model::outcome::skipped:
      break;
  }
  return report::tone::dim;
}

std::string first_lines(const published_judgement& published) {
  const auto& judged = published.judged;
  const auto against =
      fmt::format("{} against {}:{}{}{}", published.candidate, published.experiment, published.baseline,
                  published.problem.empty() ? "" : " at ", model::text(published.problem));
  if (!judged.session) return fmt::format("{}\nrefused: {}\n", against, judged.refused);
  const auto c = judged_comparison(published);
  return fmt::format(
      "{}\n{:.4g} times as fast as the baseline, [{:.4g}, {:.4g}] at {:.0f} %; assurance {}\n"
      "{} a call instead of {}; {} calls a sample, {} rounds on CPU {}{}\n",
      against, c.ratio, c.ci.lo, c.ci.hi, 100 * c.level, judged.assurance,
      format_quantity(judged_time(published, 1).median, "s"),
      format_quantity(judged_time(published, 0).median, "s"), judged.calls, judged.session->rounds,
      fmt::join(judged.cpus, ","), published.options.backend == model::backend::cuda ? " and its GPU" : "");
}

std::string judgement_checks(const judge::judgement& judged, const terminal& screen) {
  report::table table({{"CHECK"}, {"RESULT"}, {"EVIDENCE"}});
  for (const auto& one : judged.checks)
    table.row(
        {{one.id}, {std::string(model::name(one.result)), tone_of_outcome(one.result)}, {one.evidence}});
  return table.empty() ? std::string{} : '\n' + table.text(layout_on(screen));
}

std::string sandbox_line(const judge::judgement& judged) {
  std::vector<std::string> granted, refused;
  for (const auto& one : judged.sandbox)
    (one.granted ? granted : refused).push_back(one.granted ? one.part : one.part + " (" + one.refused + ")");
  if (judged.sandbox.empty()) return {};
  return fmt::format("\nsandbox granted: {}\nsandbox refused: {}\n",
                     granted.empty() ? "nothing" : join(granted, ", "),
                     refused.empty() ? "nothing" : join(refused, ", "));
}

std::string judgement_text(const published_judgement& published, const terminal& screen) {
  const auto& judged = published.judged;
  const bool bad = judged.verdict == model::verdict::invalid;
  return paint(screen, bad ? report::tone::bad : report::tone::good, model::name(judged.verdict)) + "  " +
         first_lines(published) + judgement_checks(judged, screen) + sandbox_line(judged) +
         fmt::format("seed {}\n", published.options.seed);
}

harness::session_watch shown_on(progress_line& line, double budget_s) {
  return [&line, budget_s](const harness::session_progress& progress) {
    line.show(fmt::format("{} {} rounds, {} left", bar(progress.fraction), progress.rounds,
                          duration_text(budget_s * (1 - progress.fraction))));
    return !interrupted();
  };
}

// Judges what was compiled or named, with variants on `gpu` unless that is null; a source that does not
// compile is refused.
result<judge::judgement> judgement_of(const context& program, const judge_words& o, const opponent& against,
                                      const problem& p, device::device* gpu, published_judgement& made) {
  const laboratory here(program.equip);
  auto equipment = here.instruments();
  if (gpu != nullptr) {
    equipment.host = equipment.device;
    equipment.device = gpu;
  }
  std::string gpu_architecture;
  if (is_cuda_source(o.candidate))
    gpu_architecture = judge::architecture_of(gpu->gpus().front().compute_capability);
  judge::compiled_candidate compiled;
  const auto candidate = contender_of(o, against, gpu_architecture, compiled);
  if (is_source(o.candidate)) made.compile_flags = flags_of(o, gpu_architecture);
  if (!candidate) return judge::judgement{.refused = candidate.why().text()};
  progress_line line(program.err);
  auto judged = judge::judge(*candidate, against.entry, p, against.variant, equipment, made.options,
                             shown_on(line, made.options.budget_s));
  line.clear();
  return judged;
}

int judge_candidate(const context& program, const judge_words& o) {
  const auto against = opponent_of(o.candidate, o.against, o.backend, program.experiments);
  if (!against) return program.refuse(against.why(), exit_code::usage);
  const auto gpu = against->backend == model::backend::cuda ? open_cuda_device() : nullptr;
  const auto p = judged_problem(against->entry, against->backend, o.axes);
  if (!p) return program.refuse(p.why(), exit_code::usage);
  warn_of_build(program);
  const interrupt_guard guard;
  published_judgement made{.header = run_header(program, "judge", o.seed),
                           .experiment = against->entry->id,
                           .baseline = against->variant,
                           .candidate = o.candidate,
                           .problem = p->point(),
                           .options = judge_options_of(o, against->backend)};
  auto judged = judgement_of(program, o, *against, *p, gpu.get(), made);
  if (!judged) return program.refuse(judged.why(), exit_code::usage);
  made.judged = std::move(*judged);
  program.print(judgement_text(made, program.out));
  if (!o.json.empty()) save_text(o.json, judgement_json(made));
  if (interrupted()) return exit_code::interrupted;
  return made.judged.verdict == model::verdict::invalid ? exit_code::worse : exit_code::good;
}

experiment experiment_of_id(const context& program, const std::string& id) {
  for (const auto& entry : program.experiments.named_by({id})) {
    if (entry->id == id) return entry;
  }
  throw failure({fmt::format("this program has no experiment {}", id), ""});
}

}  // namespace

void add_judge(command& parent, context& program) {
  auto o = std::make_shared<judge_words>();
  parent.add("judge", "Judge code from elsewhere against a variant, in a sandbox")
      .option(
          "CANDIDATE", o->candidate, "FILE",
          "A shared object with the functions of <ridge/judge/candidate.h>, a source of one (.cpp, .cu), or "
          "a variant of the same experiment (ID:VARIANT)")
      .required()
      .option("--against", o->against, "ID",
              "The experiment, and the variant of it to beat (ID:VARIANT; its baseline)")
      .required()
      .option("--axis", o->axes, "AXIS=VALUES",
              "Choose the problem: n=2^20, dtype=fp32 (repeats; the experiment's first)")
      .choice("--backend", o->backend, {"cpu", "cuda"},
              "Judge against variants on this backend (the one that the candidate's function is for)")
      .option("--budget", o->budget, "TIME", "Time for the rounds (2s)")
      .checked(is_duration)
      .option("--min-effect", o->min_effect, "SHARE", "Smallest relative difference that matters (1%)")
      .checked(is_share)
      .option("--time-limit", o->time_limit, "TIME",
              "Longest time that loading, set-up or a sample may take (10s)")
      .checked(is_duration)
      .option("--memory-limit", o->memory_limit, "SIZE",
              "Memory that the candidate may map beside the arrays (1GiB)")
      .checked(is_size)
      .option("--flags", o->flags, "FLAGS",
              "More flags for the compiler of a source, in one word: --flags '-funroll-loops'")
      .option("--compile-limit", o->compile_limit, "TIME", "Longest time that compiling may take (60s)")
      .checked(is_duration)
      .flag("--skip-edges", o->skip_edges,
            "Compute the judged problem alone before it is measured, not every edge size")
      .option("--json", o->json, "FILE",
              "Write the judgement with every check, the environment and all samples")
      .option("--seed", o->seed, "N",
              "Random seed for data and order (drawn for every judgement and printed)")
      .notes(
          "  ridge judge mine.cpp --against ch01.batched_gemm:one_thread --axis shape=40x64\n"
          "  ridge judge mine.cu --against ch01.coalescing\n"
          "Exit codes: 0 a verdict, whichever; 1 the candidate was refused or its verdict is INVALID; 64 "
          "wrong usage; 69 there is no GPU for one that needs it. docs/handbook/judge.md has an example.")
      .runs([&program, o] { return judge_candidate(program, *o); });
}

void add_judge_runner(command& parent, context& program) {
  parent.add("judge-runner", "Run one arm of `ridge judge`").hidden().runs([&program] {
    return judge::run_as_runner([&program](const std::string& id) { return experiment_of_id(program, id); },
                                open_cuda_device);
  });
}

}  // namespace ridge::app
