// SPDX-License-Identifier: Apache-2.0
#include "sampling/bound_arms.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include <ridge/harness/session.hpp>
#include <ridge/host/resident_memory.hpp>

#include "plan/variant_resources.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridge::harness {
namespace {

#if defined(__x86_64__)
[[gnu::target("avx")]] void clear_upper_halves() { _mm256_zeroupper(); }

// While the upper halves of wide vector registers hold something, code without AVX runs at a fraction of its
// speed; whoever ran before may have left them so.
void clear_wide_registers() {
  if (__builtin_cpu_supports("avx")) clear_upper_halves();
}
#else
void clear_wide_registers() {}
#endif

}  // namespace

namespace {

// Memory that this process has written and holds; 0 where the kernel does not tell.
double written_bytes() {
  const auto seen = host::read_memory_of(getpid());
  return seen ? static_cast<double>(seen->written_bytes) : 0;
}

// Where the workspaces of an arm for a member begin. Which lines of the first cache get into each other's way
// depends on more of their addresses than on where they lie in a page (way predictors hash bits 12 to 27).
// Workspaces of different arms that take each other's part agree in the lower 32 bits, so that identical code
// has the same conflicts with the arrays that all arms share.
std::uintptr_t workspaces_at(std::size_t arm, std::size_t member) {
  constexpr std::uintptr_t first = std::uintptr_t{1} << 44, between_arms = std::uintptr_t{1} << 38,
                           between_members = (std::uintptr_t{1} << 32) + 37 * 4096;
  return first + arm * between_arms + member * between_members;
}

}  // namespace

bound_arms::bound_arms(const experiment::definition& definition, const problem& p, device::device& device,
                       round_members& members, affinity_plan& places)
    : definition_(definition), problem_(p), device_(device), members_(members), places_(places) {}

void bound_arms::add(std::size_t variant, tick_source clock) {
  const auto& facts = definition_.variants[variant];
  const int threads = threads_of(facts, problem_);
  const double start = monotonic_seconds();
  places_.widen();
  auto* team = places_.team(threads);
  auto queues = queues_of(definition_, variant, device_);
  setup_resources resources{device_, queues.get(), team, threads};
  bound_arm a{.variant = variant,
              .placement = facts.placement,
              .stages = facts.stages,
              .threads = threads,
              .queues = std::move(queues),
              .context = call(call_resources_of(definition_, clock, resources))};
  for (auto& member : members_.ring(a.placement)) {
    member.poison_all();
    resources.address = workspaces_at(arms_.size(), a.setups.size());
    a.setups.push_back(std::make_unique<setup>(resources));
    const bool watched = watches_memory_ && a.bodies.empty();
    const double before = watched ? written_bytes() : 0;
    a.bodies.push_back(definition_.bind(variant, member.get(), *a.setups.back()));
    if (watched) a.bound_bytes = std::max(0.0, written_bytes() - before);
  }
  (void)device_.wait_for_other_work();  // what does not end hangs here, where its variant is known
  a.setup_s = (monotonic_seconds() - start) / static_cast<double>(members_.size());
  exact_ = exact_ && definition_.within(variant, problem_).exact();
  arms_.push_back(std::move(a));
}

void bound_arms::stage(std::size_t arm) {
  const auto& a = arms_[arm];
  if (!a.stages) return;
  const auto ring = members_.ring(a.placement);
  for (std::size_t i = members_.first(); i < members_.first() + members_.used(); ++i)
    definition_.stage(a.variant, ring[i].get(), *a.setups[i]);
}

double bound_arms::timed_stage(std::size_t arm) {
  const double start = monotonic_seconds();
  stage(arm);
  if (arms_[arm].stages) device_.synchronize();
  return (monotonic_seconds() - start) / static_cast<double>(members_.used());
}

void bound_arms::stage_round() {
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) arms_[arm].stage_s.push_back(timed_stage(arm));
}

void bound_arms::stage_anew() {
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) arms_[arm].stage_anew_s.push_back(timed_stage(arm));
}

void bound_arms::make_ready(std::size_t arm) {
  arms_[arm].context.clear();
  places_.place(arms_[arm].threads);
  clear_wide_registers();
}

std::span<keyed_member> bound_arms::called_members(std::size_t arm, std::uint64_t n) {
  const auto used = members_.used_of(arms_[arm].placement);
  return used.first(static_cast<std::size_t>(std::min<std::uint64_t>(n, used.size())));
}

std::vector<fingerprint> bound_arms::prints(std::size_t arm, std::uint64_t n,
                                            std::optional<std::uint64_t> pieces_key) {
  std::vector<fingerprint> all;
  for (auto& member : called_members(arm, n))
    all.push_back(take_fingerprint(member.get().memory, exact_, pieces_key));
  return all;
}

void bound_arms::copy_outputs(std::size_t arm, std::uint64_t n, std::optional<std::uint64_t> pieces_key,
                              std::vector<result_bytes>& copies) {
  const auto called = called_members(arm, n);
  copies.resize(called.size());
  for (std::size_t i = 0; i < called.size(); ++i) copy_results(called[i].get().memory, copies[i], pieces_key);
}

void bound_arms::enqueue_prints(std::size_t arm, std::uint64_t n) {
  for (auto& member : called_members(arm, n)) enqueue_fingerprint(member.get().memory, exact_);
}

std::vector<fingerprint> bound_arms::next_prints(std::size_t arm, std::uint64_t n, taken_results& results) {
  std::vector<fingerprint> all;
  for (auto& member : called_members(arm, n))
    all.push_back(next_fingerprint(member.get().memory, exact_, results));
  return all;
}

tolerance bound_arms::within(std::size_t arm) const {
  return definition_.within(arms_[arm].variant, problem_);
}

bool bound_arms::single_threaded() const {
  return std::ranges::all_of(arms_, [](const auto& a) { return a.threads == 1; });
}

}  // namespace ridge::harness
