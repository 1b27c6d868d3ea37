// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/device/stream.hpp>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge {

// How `call` reads the harness's clock.
struct tick_source {
  std::uint64_t (*read)(void*) = nullptr;
  void* self = nullptr;
  double seconds_per_tick = 1e-9;
  [[nodiscard]] std::uint64_t now() const { return read(self); }
};

// A point on the harness's clock. A body may shift one by a time it was given (an arrival), never make a
// duration up.
class moment {
 public:
  [[nodiscard]] moment after(double seconds) const;

 private:
  friend class call;
  moment(std::uint64_t ticks, double seconds_per_tick, bool shifted = false)
      : ticks_(ticks), seconds_per_tick_(seconds_per_tick), shifted_(shifted) {}
  std::uint64_t ticks_;
  double seconds_per_tick_;
  bool shifted_;
};

// What a timed body is given besides its workload. Marks and observations are read by the harness's clock.
class call {
 public:
  static constexpr std::size_t max_phases = 8;
  static constexpr std::size_t max_observed = 4;

  explicit call(tick_source clock, host::team* team = nullptr, int threads = 1, stream queue = {},
                int gpus = 1);

  [[nodiscard]] stream queue([[maybe_unused]] int device = 0) const { return queue_; }
  [[nodiscard]] int threads() const { return threads_; }
  // That the variant may use, the queue's own first, then as CUDA counts them. Work on the others is put in
  // order with the queue by events.
  [[nodiscard]] int gpus() const { return gpus_; }
  // The variant's threads, pinned one per physical core; only for variants that declare more than one.
  [[nodiscard]] host::team& team() const;
  [[nodiscard]] int rank() const { return 0; }
  [[nodiscard]] int ranks() const { return 1; }

  [[nodiscard]] moment now() const { return {clock_.now(), clock_.seconds_per_tick}; }
  [[nodiscard]] bool reached(moment due) const { return clock_.now() >= due.ticks_; }
  // Adds to - from, in seconds, to the values seen under `id`. `to` is a reading of the clock, never shifted,
  // and not before `from`.
  void observe(std::size_t id, moment from, moment to);

  // Marks a phase until the returned guard dies; phases nest, the inner one's time is not the outer one's.
  class phase {
   public:
    phase(call& of, std::size_t id) : of_(of) { of_.enter(id); }
    ~phase() { of_.leave(); }
    phase(const phase&) = delete;
    phase& operator=(const phase&) = delete;

   private:
    call& of_;
  };
  [[nodiscard]] phase in(std::size_t id) { return {*this, id}; }

  // For the harness.
  void clear();
  [[nodiscard]] std::span<const double> observed(std::size_t id) const { return observed_[id]; }
  [[nodiscard]] double phase_seconds(std::size_t id) const;

 private:
  void enter(std::size_t id);
  void leave();

  tick_source clock_;
  host::team* team_;
  int threads_;
  stream queue_{};
  int gpus_;
  std::array<std::vector<double>, max_observed> observed_{};
  std::array<std::uint64_t, max_phases> spent_{};
  std::array<std::size_t, max_phases> open_{};
  std::size_t depth_ = 0;
  std::uint64_t since_ = 0;
};

}  // namespace ridge
