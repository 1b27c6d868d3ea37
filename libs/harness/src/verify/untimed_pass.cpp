// SPDX-License-Identifier: Apache-2.0
#include "verify/untimed_pass.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include <fmt/format.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <ridge/harness/session.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/cpu_time.hpp>
#include <ridge/host/resident_memory.hpp>

#include "child/in_child.hpp"
#include "plan/affinity_plan.hpp"
#include "plan/variant_resources.hpp"
#include "verify/gpu_watch.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {

void fields(auto& visit, record_of<side_effects> auto& x) {
  visit("failed", x.failed);
  visit("undeclared_gpus", x.undeclared_gpus);
  visit("peak_bytes", x.peak_bytes);
  visit("allocated_bytes", x.allocated_bytes);
  visit("allocations", x.allocations);
  visit("mapped_bytes", x.mapped_bytes);
  visit("threads_started", x.threads_started);
  visit("undeclared_cpu_s", x.undeclared_cpu_s);
  visit("descriptors_opened", x.descriptors_opened);
  visit("rounding_changed", x.rounding_changed);
  visit("affinity_changed", x.affinity_changed);
}

}  // namespace ridge::harness

// Defined by programs that count their allocations (ridge::app does); null in all others.
extern "C" [[gnu::weak]] std::uint64_t ridge_allocations_so_far();

namespace ridge::harness {
namespace {

constexpr double untimed_limit_s = 120;

int entries(const char* folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<int>(std::distance(begin(all), end(all)));
}

double mapped_bytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0;
  in >> pages;
  return pages * 4096;
}

unsigned rounding_control() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3fu;  // less the sticky exception flags
#else
  return 0;
#endif
}

struct machine_state {
  int threads = entries("/proc/self/task");
  int descriptors = entries("/proc/self/fd");
  unsigned rounding = rounding_control();
  std::vector<int> cpus = host::affinity();
  double mapped = mapped_bytes();
  std::uint64_t allocations = ridge_allocations_so_far ? ridge_allocations_so_far() : 0;
};

// Processor time of other threads in one call: the least of five, since two clocks cannot be read at once.
double undeclared_cpu_s(bound_body& body, call& c, const std::function<void()>& ready) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5 && least > 0; ++i) {
    ready();
    const double before = host::cpu_of_other_threads_s();
    body.run(c, 1);
    least = std::min(least, std::max(0.0, host::cpu_of_other_threads_s() - before));
  }
  return least;
}

side_effects watch(const experiment::definition& definition, std::size_t v, const problem& p,
                   const instruments& equipment, keyed_member& member) {
  affinity_plan plan;
  const int threads = threads_of(definition.variants[v], p), gpus = definition.variants[v].needs.gpus;
  const gpu_watch other_gpus(*equipment.device, gpus);
  const auto queues = queues_of(definition, v, *equipment.device);
  const auto free_before = equipment.device->memory_bytes();
  const auto resident_before = host::read_resident_memory().now_bytes;
  const setup_resources resources{*equipment.device, queues.get(), plan.team(threads), threads};
  setup s(resources);
  const auto body = definition.bind(v, member.get(), s);
  definition.stage(v, member.get(), s);
  const tick_source ticks{[](void*) { return static_cast<std::uint64_t>(monotonic_seconds() * 1e9); },
                          nullptr, 1e-9};
  call c(call_resources_of(definition, ticks, resources));
  plan.place(threads);
  const auto ready = [&] {
    member.poison_outputs();
    member.restore_inouts();
    c.clear();
  };
  side_effects seen{.allocated_bytes = static_cast<double>(s.taken_bytes())};
  ready();
  const bool reset = host::reset_peak_resident();
  const auto before = host::read_resident_memory();
  body->run(c, 1);
  equipment.device->synchronize();
  if (equipment.device->on_host()) {
    const auto after = host::read_resident_memory();
    const auto floor = reset ? before.now_bytes : before.peak_bytes;
    seen.peak_bytes = after.peak_bytes > floor ? static_cast<double>(after.peak_bytes - floor) : 0;
  } else {
    const auto free_after = equipment.device->memory_bytes();
    const double grown = free_before > free_after ? static_cast<double>(free_before - free_after) : 0;
    const auto resident_after = host::read_resident_memory().now_bytes;
    const double on_host =
        resident_after > resident_before ? static_cast<double>(resident_after - resident_before) : 0;
    seen.peak_bytes = beyond_accident(std::max(0.0, grown - seen.allocated_bytes)) + beyond_accident(on_host);
    seen.undeclared_gpus = other_gpus.undeclared_use();
  }
  ready();
  const machine_state was;
  body->run(c, 1);
  equipment.device->synchronize();
  const std::uint64_t allocations = ridge_allocations_so_far ? ridge_allocations_so_far() : 0;
  const machine_state is;
  seen.allocations = ridge_allocations_so_far ? static_cast<double>(allocations - was.allocations) : -1;
  seen.mapped_bytes = std::max(0.0, is.mapped - was.mapped);
  seen.threads_started = std::max(0, is.threads - was.threads);
  seen.descriptors_opened = std::max(0, is.descriptors - was.descriptors);
  seen.rounding_changed = is.rounding != was.rounding;
  seen.affinity_changed = is.cpus != was.cpus;
  if (threads == 1 && equipment.device->on_host()) seen.undeclared_cpu_s = undeclared_cpu_s(*body, c, ready);
  return seen;
}

// Runs in this process, since a GPU's context does not outlive a fork, and on a member of its own, since a
// variant's untimed part may leave its workspace in the workload. Allocations are not counted: the driver's
// for a launch are not the variant's.
side_effects watch_on_device(const experiment::definition& definition, std::size_t v, const problem& p,
                             const instruments& equipment, key_state data) {
  try {
    auto own =
        make_member(definition, p, equipment, device::guard::red_zones, definition.variants[v].placement);
    own.restore(data);
    auto seen = watch(definition, v, p, equipment, own);
    seen.allocations = -1;
    return seen;
  } catch (const std::exception& thrown) {
    return {.failed = fmt::format("threw: {}", thrown.what())};
  }
}

}  // namespace

side_effects watch_side_effects(const experiment::definition& definition, std::size_t v, const problem& p,
                                const instruments& equipment, keyed_member& member) {
  if (!equipment.device->on_host()) return watch_on_device(definition, v, p, equipment, member.state());
  const auto work = [&]() -> side_effects {
    try {
      return watch(definition, v, p, equipment, member);
    } catch (const std::exception& thrown) {
      return {.failed = fmt::format("threw: {}", thrown.what())};
    }
  };
  auto seen = in_child<side_effects>(work, untimed_limit_s);
  return seen ? *seen.value : side_effects{.failed = seen.why};
}

}  // namespace ridge::harness
