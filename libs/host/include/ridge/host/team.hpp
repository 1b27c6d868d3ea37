// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace ridge::host {

// Threads that are made once, each pinned to a CPU of its own, and started together. The thread that makes
// the team is its rank 0: it is pinned too until the team ends, and it alone may call run. Between runs the
// others spin for some tens of microseconds and then sleep.
class team final {
 public:
  // Starts one thread per CPU. Throws unavailable when one cannot be pinned.
  explicit team(std::vector<int> cpus);
  // Returns a team on this many physical cores of the process, rank 0 on the best of them (not the core of
  // CPU 0 where there is another); 0 means all cores. Throws unavailable when there are fewer.
  [[nodiscard]] static team of_cores(int threads = 0);
  ~team();
  team(team&&) noexcept;
  team& operator=(team&&) = delete;

  // Returns the number of threads, the caller among them.
  [[nodiscard]] int size() const;
  // Returns the logical CPU of each rank.
  [[nodiscard]] const std::vector<int>& cpus() const;

  // Calls body(rank, size) once on every thread: all wait until the last is awake, then start together.
  // Returns when all have ended; throws what the lowest rank threw. Costs under a microsecond while the
  // threads still spin.
  template <class Body>
  void run(Body&& body) {
    run_erased({&body, [](void* callable, int rank, int ranks) {
                  (*static_cast<std::remove_reference_t<Body>*>(callable))(rank, ranks);
                }});
  }

  // Calls body(begin, end) on contiguous shares of [0, count) that differ by at most one; a thread without a
  // share is not called.
  template <class Body>
  void parallel_for(std::size_t count, Body&& body) {
    run([&](int rank, int ranks) {
      const auto r = static_cast<std::size_t>(rank), n = static_cast<std::size_t>(ranks);
      const auto begin = share_begin(count, r, n), end = share_begin(count, r + 1, n);
      if (begin < end) body(begin, end);
    });
  }

  // Called inside a body: waits until every thread of the team has called it. All must call it, also one that
  // would otherwise throw.
  void barrier();

 private:
  struct call {
    void* callable;
    void (*invoke)(void*, int, int);
  };
  struct state;
  void run_erased(call body);
  static constexpr std::size_t share_begin(std::size_t count, std::size_t rank, std::size_t ranks) {
    return count / ranks * rank + (rank < count % ranks ? rank : count % ranks);
  }
  std::unique_ptr<state> state_;
};

}  // namespace ridge::host
