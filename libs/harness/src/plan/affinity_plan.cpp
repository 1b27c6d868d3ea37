// SPDX-License-Identifier: Apache-2.0
#include "plan/affinity_plan.hpp"

#include <ridge/host/affinity.hpp>
#include <ridge/host/topology.hpp>

namespace ridge::harness {

int threads_of(const variant_facts& v, const problem& p) {
  if (v.threads == threads_of_axis) return static_cast<int>(p.count("threads"));
  if (v.threads == all_cores) return static_cast<int>(host::read_topology().one_cpu_per_core().size());
  return v.threads;
}

affinity_plan::affinity_plan() : all_(host::process_cpus()) {
  const auto cores = host::read_topology().one_cpu_per_core();
  narrow_to_ = {cores.empty() ? all_.front() : cores.front()};
}

affinity_plan::~affinity_plan() {
  teams_.clear();
  set(false);
}

host::team* affinity_plan::team(int threads) {
  if (threads == 1) return nullptr;
  auto& made = teams_[threads];
  if (!made) {
    made = std::make_unique<host::team>(host::team::of_cores(threads));
    set(false);
  }
  return made.get();
}

int affinity_plan::team_threads() const {
  int all = 0;
  for (const auto& [threads, team] : teams_) all += threads - 1;
  return all;
}

void affinity_plan::place(int threads) {
  const bool wanted = threads == 1;
  if (wanted != narrow_ || host::affinity() != (wanted ? narrow_to_ : all_)) set(wanted);
}

void affinity_plan::widen() {
  if (narrow_) set(false);
}

void affinity_plan::set(bool narrow) {
  if (narrow) {
    host::set_affinity(narrow_to_);
  } else {
    host::set_affinity(all_);
  }
  narrow_ = narrow;
}

}  // namespace ridge::harness
