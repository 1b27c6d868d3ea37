// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/device/queue_set.hpp>
#include <ridge/device/stream.hpp>
#include <ridge/harness/phase.hpp>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge {

// How `call` reads the harness's clock: `read(self)` returns ticks.
struct tick_source {
  std::uint64_t (*read)(void*) = nullptr;
  void* self = nullptr;
  double seconds_per_tick = 1e-9;
  // The clock's present reading, in ticks.
  [[nodiscard]] std::uint64_t now() const { return read(self); }
};

// A point on the harness's clock. A body may shift one by a time it was given, such as an arrival, but a
// shifted point never ends an observed duration.
class moment {
 public:
  // The point `seconds` later, marked as shifted.
  [[nodiscard]] moment after(double seconds) const;

 private:
  friend class call;
  moment(std::uint64_t ticks, double seconds_per_tick, bool shifted = false)
      : ticks_(ticks), seconds_per_tick_(seconds_per_tick), shifted_(shifted) {}
  std::uint64_t ticks_;
  double seconds_per_tick_;
  bool shifted_;
};

// What the harness makes a call from. Everything that it points to outlives the call.
struct call_resources {
  tick_source clock{};
  host::team* team = nullptr;  // null for a variant of one thread
  int threads = 1;
  device::queue_set* queues = nullptr;      // queues that the variant declared; null: one null stream
  std::span<const std::string> phases{};    // names of the phases that the experiment lists
  std::span<const std::string> observed{};  // names of the observables that the experiment lists
};

// What a timed body receives besides its workload. Only the thread that runs the body uses it.
class call {
 public:
  static constexpr std::size_t max_phases = 8;
  static constexpr std::size_t max_observed = 4;

  // Bug: more phases or observables than max_phases and max_observed.
  explicit call(const call_resources& resources);

  // The queue that the call is timed on.
  [[nodiscard]] stream queue() const { return queue_; }
  // Queue `index` of GPU 0 of the variant. Each call's work on it begins after what was on queue 0 when the
  // call began, and the call ends when all its queues are done. Asking for more than `.needs.queues` is a bug
  // of the variant.
  [[nodiscard]] stream queue(int index) const { return queue_on(0, index); }
  // Queue `index` of the variant's GPU `gpu`, ordered as the others are. The body itself calls
  // `cudaSetDevice`. Asking for more than `.needs.gpus` or `.needs.queues` is a bug of the variant.
  [[nodiscard]] stream queue_on(int gpu, int index = 0) const;
  // Number of GPUs that the variant declared. GPU 0 owns queue(); the others follow as CUDA counts them.
  [[nodiscard]] int gpus() const { return queues_ == nullptr ? 1 : queues_->gpus(); }
  // Number of threads that the variant declared.
  [[nodiscard]] int threads() const { return threads_; }
  // The variant's threads, pinned one per physical core. Calling it in a variant that declares one thread is
  // a bug.
  [[nodiscard]] host::team& team() const;

  // The present time, and whether `due` has come.
  [[nodiscard]] moment now() const { return {clock_.now(), clock_.seconds_per_tick}; }
  [[nodiscard]] bool reached(moment due) const { return clock_.now() >= due.ticks_; }
  // Adds end - start, in seconds, to the values observed for `value`, which the experiment lists. `end` is a
  // reading of the clock, never shifted, and not before `start`.
  void observe(observable value, moment start, moment end);

  // Marks a phase until it is destroyed. Phases nest; the time of an inner phase does not count for the
  // outer.
  class phase_mark {
   public:
    phase_mark(call& marked, std::size_t index) : call_(marked) { call_.enter(index); }
    ~phase_mark() { call_.leave(); }
    phase_mark(const phase_mark&) = delete;
    phase_mark& operator=(const phase_mark&) = delete;

   private:
    call& call_;
  };
  // Begins the phase `marked`, which the experiment lists; it ends with the returned mark.
  [[nodiscard]] phase_mark in(phase marked) { return {*this, index_of(marked)}; }

  // The functions from here on are for the harness. Whether the variant works on more than one queue.
  [[nodiscard]] bool forks() const { return forks_; }
  // Called before and after one run of a body that forks: order the other queues with the first one.
  void fork() { queues_->fork(); }
  void join() { queues_->join(); }
  // Forgets all phases and observed values.
  void clear();
  // Values observed for the experiment's observable `index` since the last clear(), in seconds.
  [[nodiscard]] std::span<const double> observed(std::size_t index) const { return observed_[index]; }
  // Time spent in the experiment's phase `index` since the last clear().
  [[nodiscard]] double phase_seconds(std::size_t index) const;

 private:
  [[nodiscard]] std::size_t index_of(phase wanted) const;
  void enter(std::size_t index);
  void leave();

  tick_source clock_;
  host::team* team_;
  device::queue_set* queues_;
  stream queue_{};
  int threads_;
  bool forks_;
  std::span<const std::string> phase_names_, observed_names_;
  std::array<std::vector<double>, max_observed> observed_{};
  std::array<std::uint64_t, max_phases> spent_{};
  std::array<std::size_t, max_phases> open_{};
  std::size_t depth_ = 0;
  std::uint64_t since_ = 0;
};

}  // namespace ridge
