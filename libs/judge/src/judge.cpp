// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/judge.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <span>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/harness/judged_data.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/stats/quantile.hpp>

#include "trial/arms.hpp"
#include "trial/checks.hpp"
#include "trial/trial.hpp"

namespace ridge::judge {
namespace {

constexpr std::size_t most_array_bytes = std::size_t{64} << 20;
constexpr std::size_t most_gpu_bytes = std::size_t{8} << 30;
constexpr std::size_t parts_of_gpu = 4;  // arrays take one; copies of results up to two
constexpr std::size_t most_calls = 4096;
constexpr std::size_t empty_samples = 33;
constexpr double hand_overs_in_a_sample = 150;
constexpr double shortest_sample_s = 200e-6;
constexpr double longest_sample_s = 0.5;  // of the slower arm, which makes as many calls
constexpr double least_recheck_s = 1;

error unknown_variant(const experiment& entry, const std::string& name, model::backend backend) {
  std::string all_known;
  for (const auto& v : entry->variants) {
    if (v.backend == backend) all_known += (all_known.empty() ? "" : ", ") + v.name;
  }
  const auto* place = backend == model::backend::cuda ? "GPU" : "CPU";
  if (all_known.empty())
    return {fmt::format("{} has no variants on the {} in this build", entry->id, place),
            "choose another experiment or --backend"};
  const auto missing = name.empty() ? std::string("baseline") : "variant " + name;
  return {fmt::format("{} has no {} on the {}", entry->id, missing, place), "choose one of " + all_known};
}

// The index of a variant that can run behind the interface of candidates.
result<std::size_t> runnable(const experiment& entry, const std::string& name, model::backend backend) {
  const auto& all = entry->variants;
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (all[v].name != name || all[v].backend != backend) continue;
    if (all[v].stages)
      return error{fmt::format("{} converts its inputs outside the timed call, which no candidate can", name),
                   "choose another variant"};
    if (all[v].needs.gpus > 1)
      return error{fmt::format("{} works on {} GPUs, and a candidate is given one", name, all[v].needs.gpus),
                   "choose another variant"};
    return v;
  }
  return unknown_variant(entry, name, backend);
}

result<known_contender> known(const contender& candidate, const experiment& entry, model::backend backend,
                              judgement& made) {
  if (const auto* own = std::get_if<own_variant>(&candidate)) {
    const auto variant = runnable(entry, own->name, backend);
    if (!variant) return variant.why();
    return known_contender{.kind = arm_kind::variant, .variant = *variant};
  }
  const auto path = std::filesystem::absolute(std::get<shared_object>(candidate).path);
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || text.empty())
    return error{fmt::format("{} cannot be read", path.string()), "name a shared object (.so) or a source"};
  const auto bytes = std::as_bytes(std::span(text));
  made.candidate_bytes = bytes.size();
  made.candidate_digest = device::digest(bytes);
  auto file = std::make_shared<shared_memory>("ridge-candidate", bytes.size(), sharing::read_only);
  std::ranges::copy(bytes, file->bytes().begin());
  return known_contender{.path = path.string(), .file = std::move(file)};
}

// What a sample of no calls takes: the hand-over to a runner and back.
double hand_over(runner_process& baseline) {
  std::vector<double> seen;
  for (std::size_t i = 0; i < empty_samples; ++i) {
    const auto answer = baseline.ask(operation::call, 0, 0);
    if (!answer.failed.empty()) throw arm_failed(baseline_arm, answer.failed);
    seen.push_back(answer.seconds);
  }
  return stats::median(seen);
}

harness::protocol protocol_for(const judge_options& options) {
  harness::protocol made{.budget_s = options.budget_s, .seed = options.seed};
  made.min_effect = options.min_effect;
  return made;
}

// Computes kept rounds again, their calls in a random order, until the time is over; one call of each round
// at least.
recheck_outcome recheck_kept(const trial_arms& arms, trial_data& data, std::size_t variant, double budget_s) {
  recheck_outcome seen;
  std::mt19937_64 lots{std::random_device{}()};
  const double begun = harness::monotonic_seconds();
  for (const auto& round : arms.kept()) {
    std::vector<std::size_t> order(round.members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, lots);
    for (const auto place : order) {
      const auto call = round.members[place];
      for (const auto arm : {candidate_arm, baseline_arm}) {
        auto why = data.difference(round.key, call, round.written[arm][place], variant);
        if (why.empty()) continue;
        seen.wrong =
            fmt::format("{} call {}: {}", arm == candidate_arm ? "" : "the baseline's", call + 1, why);
        return seen;
      }
      ++seen.calls;
      if (harness::monotonic_seconds() - begun > budget_s) break;
    }
    ++seen.rounds;
    if (harness::monotonic_seconds() - begun > budget_s) break;
  }
  return seen;
}

// Has the baseline compute some members in a row, whose results must be the oracle's: its variants share one
// workspace here, and the candidate's results are compared with its.
void verify_baseline(const trial& t, runner_process& baseline, trial_data& data) {
  constexpr std::size_t verified_calls = 3;
  const auto calls = std::min<std::size_t>(verified_calls, data.layout().members);
  const auto key = harness::mixed_key(t.options.seed, 0, 0xba5e);
  data.begin(key);
  data.draw_up_to(calls);
  data.read_inputs(calls);
  data.poison(calls);
  auto failed = baseline.ask(operation::bind, 0, calls).failed;
  if (failed.empty()) failed = baseline.ask(operation::call, 0, calls).failed;
  if (failed.empty()) failed = data.take(baseline_arm, calls);
  for (std::size_t call = 0; call < calls && failed.empty(); ++call)
    failed = data.difference(key, call, data.taken(baseline_arm, call), t.baseline);
  if (!failed.empty()) throw arm_failed(baseline_arm, failed);
}

std::string_view method_of(const experiment& entry, const harness::judged_data& source) {
  if (!entry->has_oracle && !entry->has_element && !entry->has_check) return {};
  return source.method();
}

// One CPU for one thread, the one that variants of one thread are measured on; else all.
std::vector<int> cpus_for(std::uint32_t threads) {
  const auto& all = host::process_cpus();
  if (threads > 1) return all;
  const auto cores = host::read_topology().one_cpu_per_core();
  return {cores.empty() ? all.front() : cores.front()};
}

// Bytes of arrays of a trial.
std::size_t room_for_arrays(const trial& t) {
  if (t.gpu == nullptr) return most_array_bytes;
  return std::min(most_gpu_bytes, t.gpu->memory_bytes() / parts_of_gpu);
}

// The trial itself, when the candidate is known to be right. Throws arm_failed.
void hold(const trial& t, const problem& p, const assignment& laid_out, harness::judged_data& source,
          const harness::session_watch& watch, std::size_t edge_problems, judgement& made) {
  const auto memory_of_trial = data_for(t, p, laid_out, source);
  auto& data = *memory_of_trial;
  std::array<std::string, 2> failed;
  const known_contender reference{.kind = arm_kind::variant, .variant = t.baseline};
  const auto baseline = start_runner(t, laid_out, reference, data, failed[baseline_arm]);
  const auto candidate = start_runner(t, laid_out, t.candidate, data, failed[candidate_arm]);
  made.sandbox = grants_of(candidate->sandbox());
  for (const auto arm : {baseline_arm, candidate_arm}) {
    if (!failed[arm].empty()) throw arm_failed(arm, failed[arm]);
  }
  verify_baseline(t, *baseline, data);
  made.hand_over_s = hand_over(*baseline);
  trial_arms arms(data, *baseline, *candidate, t.entry->within(t.baseline, p), t.options.seed,
                  t.equipment.interference);
  made.calls = arms.choose_calls(std::max(shortest_sample_s, hand_overs_in_a_sample * made.hand_over_s),
                                 std::min(longest_sample_s, t.options.time_limit_s / 4));
  made.session = harness::measure(arms, protocol_for(t.options),
                                  {{.reference = baseline_arm, .candidate = candidate_arm}},
                                  {model::better::lower}, watch);
  if (const auto ended = candidate->ask(operation::finish, 0, 0).failed; !ended.empty())
    throw arm_failed(candidate_arm, "at its end: " + ended);
  const auto rechecked =
      recheck_kept(arms, data, t.baseline, std::max(least_recheck_s, t.options.budget_s / 2));
  made.checks = checks_of({.session = *made.session,
                           .arms = arms,
                           .baseline = *baseline,
                           .candidate = *candidate,
                           .rechecked = rechecked,
                           .method = method_of(t.entry, source),
                           .edge_problems = edge_problems,
                           .edges = t.options.edges,
                           .meter = t.equipment.interference != nullptr,
                           .threads = laid_out.threads,
                           .hand_over_s = made.hand_over_s,
                           .reading_s = {data.reading_s(baseline_arm), data.reading_s(candidate_arm)},
                           .on_gpu = t.gpu != nullptr,
                           .damage = data.damage()});
}

// Whether the text holds a name as a symbol table does: between zeros.
bool names_symbol(const std::string& text, std::string_view name) {
  std::string wanted(1, '\0');
  wanted += name;
  wanted += '\0';
  return text.find(wanted) != std::string::npos;
}

}  // namespace

result<exported_entries> entries_of(const std::filesystem::path& object) {
  std::ifstream stream(object, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || text.empty())
    return error{fmt::format("{} cannot be read", object.string()), "name a shared object (.so) or a source"};
  return exported_entries{.cpu = names_symbol(text, "ridge_candidate"),
                          .cuda = names_symbol(text, "ridge_cuda_candidate")};
}

result<judgement> judge(const contender& candidate, const experiment& entry, const problem& p,
                        const std::string& baseline, const harness::instruments& equipment,
                        const judge_options& options, const harness::session_watch& watch) {
  judgement made;
  const bool on_gpu = options.backend == model::backend::cuda;
  const auto variant = runnable(entry, baseline, options.backend);
  if (!variant) return variant.why();
  auto contender = known(candidate, entry, options.backend, made);
  if (!contender) return contender.why();
  const trial t{.entry = entry,
                .baseline = *variant,
                .equipment = equipment,
                .options = options,
                .candidate = *contender,
                .gpu = on_gpu ? equipment.device : nullptr};
  harness::judged_data source(entry, p, equipment);
  const auto laid_out = layout_of(t, p, source.arrays(), room_for_arrays(t), most_calls);
  if (!laid_out) return laid_out.why();
  made.cpus = cpus_for(laid_out->threads);
  const host::scoped_affinity placed(made.cpus);
  try {
    const auto edges = compute_edges(t, p);
    made.refused = edges.wrong;
    made.sandbox = grants_of(edges.sandbox);
    if (made.refused.empty()) hold(t, p, *laid_out, source, watch, edges.problems, made);
  } catch (const arm_failed& why) {
    if (why.arm() == baseline_arm)
      throw failure({fmt::format("the baseline {} failed: {}", baseline, why.what()), ""});
    made.refused = why.what();
  }
  if (!made.refused.empty()) {
    made.session.reset();
    made.checks = {{.id = "verified", .result = model::outcome::fail, .evidence = made.refused}};
  }
  conclude(made);
  return made;
}

}  // namespace ridge::judge
