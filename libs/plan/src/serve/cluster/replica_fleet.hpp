// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ridge/plan/serve/engine.hpp>

#include "cluster_context.hpp"
#include "request_ledger.hpp"
#include "serve/event_tournament.hpp"
#include "serve/kv_link.hpp"

namespace ridge::plan::serve {

enum class replica_state : std::uint8_t { off, warming, up, draining, failed };

// Records the gaps between tokens and the timeline of one replica from its steps.
struct step_notes final : step_sink {
  void take(const engine_step& s) override;
  duration_histogram* gaps = nullptr;
  std::vector<step_span>* spans = nullptr;  // null: not recorded
  std::uint32_t replica = 0;
  std::size_t last = 0;  // index of its last span, plus 1
};

struct cluster_replica {
  engine twin;
  std::uint32_t pool = 0;
  replica_state state{replica_state::up};
  double paid_since_s = 0, paid_s = 0;
  double kv_use_sum = 0, sampled_s = 0;  // shares of its blocks, each times the seconds that it stands for
  std::int64_t failures = 0, preemptions = 0, requests = 0;
  double peak_kv_use = 0, peak_waiting = 0;
  kv_link link{};
  bool touched = false;
};

// The number of replicas of all pools, those that an autoscaler may start included.
[[nodiscard]] std::size_t all_replicas(const cluster_settings& settings);

// The replicas and their engines, which advance independently between the times at which requests reach them.
class replica_fleet {
 public:
  replica_fleet(cluster_context& context, request_ledger& requests);

  [[nodiscard]] std::vector<cluster_replica>& replicas() { return replicas_; }
  [[nodiscard]] const std::vector<cluster_replica>& replicas() const { return replicas_; }
  [[nodiscard]] std::vector<replica_view>& views() { return views_; }
  [[nodiscard]] const std::vector<replica_view>& views() const { return views_; }
  // Number of replicas that accept new requests: the first ones; the others only decode.
  [[nodiscard]] std::uint32_t front() const { return front_; }
  [[nodiscard]] bool any_up(std::uint32_t first, std::uint32_t count) const;

  // The earliest time at which an engine may have an event.
  [[nodiscard]] double next_s() const { return engines_.top_s(); }
  // Advances to the present all engines that are due. `alone`: no timer or arrival comes now.
  void take_engine_events(bool alone);
  // Advances one engine to the present and handles its events.
  void reach(std::uint32_t i);
  // Gives a request to an engine; `prompt_too`: to a decoding one that computes its prompt itself.
  void submit(std::uint32_t i, request_id r, bool prompt_too);
  // Starts the steps of the engines that received requests or events.
  void settle();
  void stop_paying(std::uint32_t i);
  // The use of each replica; those that still serve are paid until now.
  void close_books();

 private:
  void add_replicas();
  void add_replica(std::uint32_t pool, bool up);
  void take(std::uint32_t i, const engine_event& e);
  void hand_over(std::uint32_t sender, request_id r);
  void take_events(std::uint32_t i);
  [[nodiscard]] replica_use use_of(const cluster_replica& r) const;

  cluster_context* context_;
  request_ledger* requests_;
  std::vector<cluster_replica> replicas_{};
  std::vector<step_notes> notes_{};
  std::vector<replica_view> views_{};
  event_tournament engines_;
  bool goes_on_at_once_;
  std::vector<std::uint32_t> touched_{};
  std::uint32_t front_ = 0;
  kv_link receiving_{};  // the decoding replicas' side of all transfers
};

}  // namespace ridge::plan::serve
