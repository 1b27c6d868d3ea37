// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include <ridge/plan/serve/cluster.hpp>
#include <ridge/plan/serve/engine.hpp>

#include "event_heap.hpp"
#include "kv_link.hpp"
#include "token_bucket.hpp"

namespace ridge::plan::serve {

// One run of a cluster: a clock, engines that are independent between the instants at which something reaches
// them, and what happens outside engines.
class cluster_simulation {
 public:
  cluster_simulation(cluster_settings with, const workload& asked);
  [[nodiscard]] cluster_run run();

 private:
  enum class replica_state : std::uint8_t { off, warming, up, draining, failed };
  // What one replica's steps say of the gaps between tokens, and the stretches of its timeline.
  struct step_notes final : step_sink {
    void take(const engine_step& s) override;
    duration_histogram* gaps = nullptr;
    std::vector<step_span>* spans = nullptr;  // null: not kept
    std::uint32_t replica = 0;
    std::size_t last = 0;  // its last span's place + 1
  };
  struct replica {
    engine twin;
    std::uint32_t pool = 0;
    replica_state state{replica_state::up};
    double paid_since_s = 0, paid_s = 0;
    double kv_use_sum = 0;
    std::int64_t samples = 0, failures = 0, preemptions = 0, requests = 0;
    double peak_kv_use = 0, peak_waiting = 0;
    kv_link link{};
    bool touched = false;
  };
  // What happens outside engines.
  enum class timer_kind : std::uint8_t { arrival, transferred, failure, recovery, warm, scale, sample };
  struct timer {
    double at_s = 0;
    std::uint64_t order = 0;
    timer_kind kind{timer_kind::arrival};
    std::uint32_t who = 0, where = 0;
    [[nodiscard]] bool operator>(const timer& o) const {
      return at_s > o.at_s || (at_s == o.at_s && order > o.order);
    }
  };

  // cluster.cpp: the loop
  void prepare();
  void add_replicas();
  void link_followers();
  void start_timers();
  [[nodiscard]] bool step();
  void take_engine_events();
  void take_timers();
  void take_timer(const timer& t);
  void take_arrivals();
  void settle();
  void take(std::uint32_t i, const engine_event& e);
  void set_timer(double at_s, timer_kind kind, std::uint32_t who, std::uint32_t where = 0);
  [[nodiscard]] double next_arrival_s() const;
  [[nodiscard]] bool asked_to_stop();
  [[nodiscard]] cluster_run finished_run();

  // cluster_requests.cpp: what becomes of a request
  void arrive(request_id r);
  void finish(request_id r, double at_s);
  void give_up(request_id r, outcome why);
  void release_followers(request_id r);
  void hand_over(std::uint32_t from, request_id r);
  void receive(request_id r, std::uint32_t to);

  // cluster_dispatch.cpp: who goes where
  void dispatch(request_id r);
  void dispatch_held();
  void submit(request_id r, std::uint32_t to, bool prompt_too = false);
  [[nodiscard]] bool prefilled_where_it_decodes(request_id r);
  [[nodiscard]] bool any_up(std::uint32_t first, std::uint32_t count) const;
  [[nodiscard]] std::uint32_t chosen(request_id r, std::uint32_t first, std::uint32_t count);
  void view(request_id r, std::uint32_t first, std::uint32_t count);
  [[nodiscard]] double predicted_ttft_s(std::uint32_t at, request_id r);
  [[nodiscard]] bool admitted(request_id r, std::uint32_t to);
  [[nodiscard]] double deadline_s(request_id r) const;
  [[nodiscard]] bool has_room(std::uint32_t at) const;
  void reach(std::uint32_t i);  // its engine to the present

  // cluster_capacity.cpp: replicas come and go
  void fail(std::uint32_t i);
  void recover(std::uint32_t i);
  void rescale();
  void start_replica(std::uint32_t i);
  void retire(std::uint32_t i);
  void stop_paying(std::uint32_t i);
  void sample();
  [[nodiscard]] replica_use use_of(const replica& r) const;

  cluster_settings with_;
  const workload& asked_;
  request_table table_;
  std::vector<replica> replicas_{};
  std::vector<step_notes> notes_{};
  std::vector<replica_view> views_{};
  event_heap engines_;
  std::priority_queue<timer, std::vector<timer>, std::greater<>> timers_{};
  std::uint64_t timers_set_ = 0;
  std::vector<std::uint32_t> touched_{};

  cluster_run made_{};
  std::vector<std::uint32_t> first_follower_{}, next_sibling_{};
  std::vector<std::int32_t> home_{};  // of sessions: the replica before, or -1
  std::size_t next_open_ = 0;         // request of the open loop, or of the clients' list
  std::size_t ended_ = 0;
  double now_s_ = 0;
  std::uint64_t rounds_ = 0, steps_ = 0;
  std::uint32_t front_ = 0;  // replicas that new requests may go to: the first so many; the rest decode only
  token_bucket bucket_;
  std::deque<request_id> homeless_{};  // nobody is up
  using deadline = std::pair<double, request_id>;
  std::priority_queue<deadline, std::vector<deadline>, std::greater<>> held_{};  // by deadline
  std::vector<double> prefill_token_s_{};                                        // by pool
  double sample_interval_s_ = 0, fewer_since_s_ = never_s;
  int most_wanted_ = 0;  // since fewer are wanted
};

}  // namespace ridge::plan::serve
