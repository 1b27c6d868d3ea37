// SPDX-License-Identifier: Apache-2.0
#include "verify/untimed_pass.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <string>

#include <fmt/format.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <ridge/base/text.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/cpu_time.hpp>
#include <ridge/host/process_state.hpp>
#include <ridge/host/resident_memory.hpp>

#include "child/in_child.hpp"
#include "child/stepped_child.hpp"
#include "verify/called_variant.hpp"
#include "verify/gpu_watch.hpp"
#include "verify/memory_growth.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {

void fields(auto& visit, record_of<side_effects> auto& x) {
  visit("failed", x.failed);
  visit("undeclared_gpus", x.undeclared_gpus);
  visit("memory_bytes", x.memory_bytes);
  visit("allocated_bytes", x.allocated_bytes);
  visit("changed", x.changed);
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

int entries(const char* folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<int>(std::distance(begin(all), end(all)));
}

// The ids of this process's threads.
std::set<std::string> threads_of_this_process() {
  std::set<std::string> ids;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/task"))
    ids.insert(one.path().filename().string());
  return ids;
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
  std::set<std::string> threads = threads_of_this_process();
  int descriptors = entries("/proc/self/fd");
  unsigned rounding = rounding_control();
  std::vector<int> cpus = host::affinity();
  double mapped = mapped_bytes();
  std::uint64_t allocations = ridge_allocations_so_far ? ridge_allocations_so_far() : 0;
};

// Makes everything of the member as it is before a sample.
void make_ready(keyed_member& member) {
  member.poison_outputs();
  member.restore_inouts();
}

// Makes a call and notes what it does.
void watch_call(called_variant& variant, keyed_member& member, side_effects& seen) {
  make_ready(member);
  const machine_state was;
  variant.run();
  const std::uint64_t allocations = ridge_allocations_so_far ? ridge_allocations_so_far() : 0;
  const machine_state is;
  seen.allocations = ridge_allocations_so_far ? static_cast<double>(allocations - was.allocations) : -1;
  seen.mapped_bytes = std::max(0.0, is.mapped - was.mapped);
  seen.threads_started = static_cast<int>(
      std::ranges::count_if(is.threads, [&](const std::string& id) { return !was.threads.contains(id); }));
  seen.descriptors_opened = std::max(0, is.descriptors - was.descriptors);
  seen.rounding_changed = is.rounding != was.rounding;
  seen.affinity_changed = is.cpus != was.cpus;
}

// Processor time of other threads in one call: the least of five, since two clocks cannot be read at once. 0
// where more than one thread is declared.
double cpu_of_others_s(called_variant& variant, keyed_member& member) {
  if (variant.threads() != 1) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5 && least > 0; ++i) {
    make_ready(member);
    const auto before = host::cpu_used_so_far();
    variant.run();
    least = std::min(least, std::max(0.0, (host::cpu_used_so_far() - before).other_threads_s));
  }
  return least;
}

double difference_of(std::size_t more, std::size_t less) {
  return more > less ? static_cast<double>(more - less) : 0;
}

side_effects watch(const experiment::definition& definition, std::size_t v, const problem& p,
                   const instruments& equipment, keyed_member& member) {
  const gpu_watch other_gpus(*equipment.device, definition.variants[v].needs.gpus);
  called_variant variant(definition, v, p, equipment, member);
  const auto free_before = equipment.device->memory_bytes();
  const auto resident_before = host::read_resident_memory().now_bytes;
  variant.bind();
  variant.stage();
  make_ready(member);
  variant.run();
  const auto free_after = equipment.device->memory_bytes();
  side_effects seen{.undeclared_gpus = other_gpus.undeclared_use(), .allocated_bytes = variant.taken_bytes()};
  const double grown = difference_of(free_before, free_after),
               on_host = difference_of(host::read_resident_memory().now_bytes, resident_before);
  seen.memory_bytes = seen.allocated_bytes + beyond_accident(std::max(0.0, grown - seen.allocated_bytes)) +
                      beyond_accident(on_host);
  watch_call(variant, member, seen);
  seen.allocations = -1;
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
    return watch(definition, v, p, equipment, own);
  } catch (const std::exception& thrown) {
    return {.failed = fmt::format("threw: {}", thrown.what())};
  }
}

// A library may start the threads that a variant declares in its first call.
host::process_state without_threads(host::process_state state, int declared) {
  if (declared == 1) return state;
  state.threads = 0;
  state.other_threads.clear();
  return state;
}

// A vendor's library may be loaded in a first call, with its threads and files.
bool brings_all_its_code(const variant_facts& facts) {
  return facts.is != model::role::comparator && facts.needs.library.empty();
}

// What calls changed of the process; memory that stays mapped where the variant brings all its code along
// and has one thread.
std::string changes_between(const host::process_state& before, const host::process_state& after, int threads,
                            bool own_code) {
  auto all = host::differences(without_threads(before, threads), without_threads(after, threads));
  if (own_code && threads == 1) {
    if (auto kept = host::kept_mapping(before, after); !kept.empty()) all.push_back(std::move(kept));
  }
  return join(all, ", ");
}

// What the child does, step by step. Everything of the harness is done once before the first look at its
// memory, so that what it takes for itself is not taken for the variant's.
side_effects watch_in_steps(const experiment::definition& definition, std::size_t v, const problem& p,
                            const instruments& equipment, keyed_member& member,
                            const stepped_child::next_step& next) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // pages of 2 MiB would be counted for those of 4 KiB in them
  called_variant variant(definition, v, p, equipment, member);
  member.poison_all();
  variant.rehearse();
  auto before = host::read_process_state();
  next();
  variant.bind();
  next();  // this process's parent puts the data into the arrays
  variant.stage();
  make_ready(member);
  side_effects seen{.allocated_bytes = variant.taken_bytes()};
  before = host::read_process_state();
  next();
  variant.run();
  next();
  const bool own_code = brings_all_its_code(definition.variants[v]);
  if (!own_code) before = host::read_process_state();
  watch_call(variant, member, seen);
  seen.changed = changes_between(before, host::read_process_state(), variant.threads(), own_code);
  next();
  seen.undeclared_cpu_s = cpu_of_others_s(variant, member);
  return seen;
}

std::string told_by_child(const experiment::definition& definition, std::size_t v, const problem& p,
                          const instruments& equipment, keyed_member& member,
                          const stepped_child::next_step& next) {
  try {
    return encode(watch_in_steps(definition, v, p, equipment, member, next));
  } catch (const std::exception& thrown) {
    return encode(side_effects{.failed = fmt::format("threw: {}", thrown.what())});
  }
}

// Lets the child go through its steps, looks at its memory between them, and puts the data into its arrays
// when it has bound the variant.
void look_between_steps(stepped_child& child, memory_growth& memory, const std::function<void()>& put_data,
                        double limit_s) {
  if (!child.waits(limit_s)) return;
  memory.begin();
  child.proceed();
  if (!child.waits(limit_s)) return;
  memory.look();  // after the untimed part
  put_data();
  child.proceed();
  if (!child.waits(limit_s)) return;
  memory.begin_anew();  // the data are converted
  constexpr int calls = 2;
  for (int i = 0; i < calls; ++i) {
    child.proceed();
    if (!child.waits(limit_s)) return;
    memory.look();
  }
}

side_effects watch_in_child(const experiment::definition& definition, std::size_t v, const problem& p,
                            const instruments& equipment, const keyed_member& drawn, guarded_arrays& arrays,
                            double limit_s) {
  auto& member = arrays.member();
  member.copy_inputs_from(drawn);  // so that the child knows what its inouts were drawn as
  const memory_watch own_group;
  stepped_child child([&](const stepped_child::next_step& next) {
    return told_by_child(definition, v, p, equipment, member, next);
  });
  memory_growth memory(child.id());
  look_between_steps(
      child, memory, [&] { member.copy_inputs_from(drawn); }, limit_s);
  const auto done = child.finish(limit_s);
  if (!member.damage().empty()) arrays.discard();
  const auto told = decode<side_effects>(done.output);
  if (!succeeded(done.outcome) || !told) return {.failed = silent_end_of(done.outcome, own_group).why};
  auto seen = *told;
  if (!seen.failed.empty()) return seen;
  seen.memory_bytes = memory.bytes_beside(seen.allocated_bytes);
  if (memory.hidden())
    seen.changed += (seen.changed.empty() ? "" : ", ") + std::string("who may see its memory");
  return seen;
}

}  // namespace

side_effects watch_side_effects(const experiment::definition& definition, std::size_t v, const problem& p,
                                const instruments& equipment, const keyed_member& drawn,
                                guarded_arrays& arrays, double limit_s) {
  return equipment.device->on_host() ? watch_in_child(definition, v, p, equipment, drawn, arrays, limit_s)
                                     : watch_on_device(definition, v, p, equipment, drawn.state());
}

}  // namespace ridge::harness
