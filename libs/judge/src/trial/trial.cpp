// SPDX-License-Identifier: Apache-2.0
#include "trial/trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <ridge/harness/judged_data.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/harness/variant_threads.hpp>

#include "exchange/layout.hpp"
#include "trial/gpu_data.hpp"
#include "trial/shared_data.hpp"

namespace ridge::judge {
namespace {

template <std::size_t N>
void store_text(std::array<char, N>& field, const std::string& text) {
  std::copy_n(text.begin(), std::min(text.size(), N - 1), field.begin());
}

// Calls of an edge size that the candidate makes, each on data of its own.
constexpr std::size_t edge_calls = 2;

// What is wrong with the candidate's results on one problem; empty where nothing is.
std::string wrong_on(const trial& t, const problem& p, sandbox_report& sandbox) {
  harness::judged_data source(t.entry, p, t.equipment);
  auto laid_out = layout_of(t, p, source.arrays(), 0, edge_calls);
  if (!laid_out) return {};
  const auto data = data_for(t, p, *laid_out, source);
  std::string failed;
  const auto runner = start_runner(t, *laid_out, t.candidate, *data, failed);
  sandbox = runner->sandbox();
  for (std::uint64_t call = 0; call < edge_calls && failed.empty(); ++call) {
    const auto key = harness::mixed_key(t.options.seed, call, 0xed6e);
    data->begin(key);
    data->draw_up_to(1);
    data->read_inputs(1);
    data->poison(1);
    failed = runner->ask(operation::bind, 0, 1).failed;
    if (failed.empty()) failed = runner->ask(operation::call, 0, 1).failed;
    if (failed.empty()) failed = data->take(candidate_arm, 1);
    if (failed.empty()) failed = data->difference(key, 0, data->taken(candidate_arm, 0), t.baseline);
    if (failed.empty()) failed = data->damage();
  }
  return failed;
}

}  // namespace

assignment assignment_for(const trial& t, const assignment& laid_out, const known_contender& who) {
  auto given = laid_out;
  given.kind = who.kind;
  given.variant = static_cast<std::uint32_t>(who.variant);
  given.memory_limit = t.options.memory_limit;
  given.processor_seconds =
      static_cast<std::uint64_t>(std::ceil(20 * (t.options.budget_s + t.options.time_limit_s))) *
      given.threads;
  store_text(given.experiment, t.entry->id);
  store_text(given.path, who.path);
  return given;
}

result<assignment> layout_of(const trial& t, const problem& p, const std::vector<array_record>& arrays,
                             std::size_t most_bytes, std::size_t most_members) {
  assignment made;
  made.on_gpu = t.gpu != nullptr ? 1 : 0;
  made.threads =
      static_cast<std::uint32_t>(std::max(1, harness::threads_of(t.entry->variants[t.baseline], p)));
  if (auto laid_out = lay_out(arrays, p, most_bytes, most_members, made); !laid_out) return laid_out.why();
  return made;
}

std::unique_ptr<trial_data> data_for(const trial& t, const problem& p, const assignment& given,
                                     harness::judged_data& source) {
  if (t.gpu == nullptr) return std::make_unique<shared_data>(given, source);
  return std::make_unique<gpu_data>(given, source, t.entry, p, *t.gpu);
}

std::unique_ptr<runner_process> start_runner(const trial& t, const assignment& given,
                                             const known_contender& who, const trial_data& data,
                                             std::string& failed) {
  auto made =
      std::make_unique<runner_process>(runner_start{.command = t.options.runner,
                                                    .inputs = data.inputs(),
                                                    .outputs = data.outputs(),
                                                    .candidate = who.file ? who.file->descriptor() : -1,
                                                    .limit_s = t.options.time_limit_s},
                                       assignment_for(t, given, who));
  failed = made->start().failed;
  if (failed.empty()) failed = made->ask(operation::load, 0, 0).failed;
  return made;
}

edge_outcome compute_edges(const trial& t, const problem& judged) {
  edge_outcome seen;
  harness::run_options all;
  all.backend = t.gpu != nullptr ? model::backend::cuda : model::backend::cpu;
  const auto families = harness::plan_verification({t.entry}, all);
  std::vector<problem> problems;
  if (families && t.options.edges) {
    for (const auto& family : *families) problems.push_back(family.problem);
  }
  const auto is_judged = [&](const problem& p) { return p.point() == judged.point(); };
  if (std::ranges::none_of(problems, is_judged)) problems.push_back(judged);
  for (const auto& p : problems) {
    ++seen.problems;
    seen.wrong = wrong_on(t, p, seen.sandbox);
    if (seen.wrong.empty()) continue;
    if (!p.point().empty()) seen.wrong = fmt::format("at {}: {}", model::text(p.point()), seen.wrong);
    break;
  }
  return seen;
}

}  // namespace ridge::judge
