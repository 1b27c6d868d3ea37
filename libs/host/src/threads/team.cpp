// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/team.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/held_signals.hpp>
#include <ridge/host/topology.hpp>

#include "threads/meeting_point.hpp"

namespace ridge::host {

struct team::state {
  explicit state(std::vector<int> cpus_of_ranks)
      : cpus(std::move(cpus_of_ranks)),
        errors(cpus.size()),
        caller_pin(cpus.front()),
        meet(static_cast<std::uint32_t>(cpus.size())) {}

  std::vector<int> cpus;
  std::vector<std::exception_ptr> errors;
  scoped_affinity caller_pin;
  meeting_point meet;
  meeting_point body_barrier{static_cast<std::uint32_t>(cpus.size())};
  std::thread::id owner = std::this_thread::get_id();
  call body{};
  bool running = false;
  bool ending = false;
  alignas(64) std::atomic<std::uint32_t> posted{0};
  std::vector<std::thread> workers{};

  [[nodiscard]] int size() const { return static_cast<int>(cpus.size()); }

  void take_part(int rank) {
    meet.arrive_and_wait();
    const auto slot = static_cast<std::size_t>(rank);
    try {
      if (!errors[slot]) body.invoke(body.callable, rank, size());
    } catch (...) {
      errors[slot] = std::current_exception();
    }
    meet.arrive_and_wait();
  }

  void pin_worker(int rank) {
    const auto slot = static_cast<std::size_t>(rank);
    try {
      set_affinity(std::span(&cpus[slot], 1));
    } catch (...) {
      errors[slot] = std::current_exception();
    }
  }

  // A signal is handled by the caller, or waits with it: a worker that took it would compute beside what is
  // timed.
  void work(int rank) {
    hold_signals_of_this_thread();
    pin_worker(rank);
    for (std::uint32_t seen = 0;; ++seen) {
      wait_for_change(posted, seen);
      if (ending) return;
      take_part(rank);
    }
  }

  void post() {
    posted.fetch_add(1, std::memory_order_release);
    posted.notify_all();
  }

  void rethrow_first() {
    std::exception_ptr first;
    for (auto& e : errors) {
      if (e && !first) first = e;
      e = nullptr;
    }
    if (first) std::rethrow_exception(first);
  }
};

namespace {

// Widens the mask while it asks: the caller may already be pinned, and the topology shows what the calling
// thread may use.
std::vector<int> core_cpus_of_process() {
  const scoped_affinity wide(process_cpus());
  return read_topology().one_cpu_per_core();
}

}  // namespace

team::team(std::vector<int> cpus) {
  expects(!cpus.empty(), "team: at least one CPU");
  state_ = std::make_unique<state>(std::move(cpus));
  try {
    for (int rank = 1; rank < size(); ++rank)
      state_->workers.emplace_back([s = state_.get(), rank] { s->work(rank); });
    run([](int, int) {});
  } catch (...) {
    team stopped(std::move(*this));
    throw;
  }
}

team team::of_cores(int threads) {
  auto cpus = core_cpus_of_process();
  expects(threads >= 0, "team::of_cores: a count of threads");
  if (threads > static_cast<int>(cpus.size())) {
    throw unavailable(
        std::to_string(threads) + " physical cores: this process may use " + std::to_string(cpus.size()),
        "use fewer threads or widen the CPU mask");
  }
  if (threads > 0) cpus.resize(static_cast<std::size_t>(threads));
  return team(std::move(cpus));
}

team::team(team&&) noexcept = default;

team::~team() {
  if (!state_) return;
  state_->ending = true;
  state_->post();
  for (auto& worker : state_->workers) worker.join();
}

int team::size() const { return state_->size(); }
const std::vector<int>& team::cpus() const { return state_->cpus; }
void team::barrier() { state_->body_barrier.arrive_and_wait(); }

void team::run_erased(call body) {
  expects(std::this_thread::get_id() == state_->owner, "team::run: called by the thread that made the team");
  expects(!state_->running, "team::run: not from inside a body");
  state_->running = true;
  state_->body = body;
  state_->post();
  state_->take_part(0);
  state_->running = false;
  state_->rethrow_first();
}

}  // namespace ridge::host
