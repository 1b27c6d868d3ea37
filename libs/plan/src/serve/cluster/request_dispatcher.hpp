// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "cluster_context.hpp"
#include "replica_fleet.hpp"
#include "request_ledger.hpp"
#include "serve/token_bucket.hpp"

namespace ridge::plan::serve {

// Admits requests to the cluster and chooses their replicas.
class request_dispatcher {
 public:
  request_dispatcher(cluster_context& context, replica_fleet& fleet, request_ledger& requests);

  // A request that arrives now: turned away, held, or given to a replica.
  void arrive(request_id r);
  void dispatch(request_id r);
  // By earliest deadline: gives out requests that were held, as far as replicas have room.
  void dispatch_held();
  // A prompt whose keys and values have arrived goes to a replica that decodes.
  void receive(request_id r);
  // What came while no replica was up.
  void dispatch_homeless();
  // Requests that no replica has yet.
  [[nodiscard]] std::size_t queued() const { return homeless_.size() + held_.size(); }

 private:
  void submit(request_id r, std::uint32_t to, bool prompt_too = false);
  [[nodiscard]] bool prefilled_where_it_decodes(request_id r);
  [[nodiscard]] std::uint32_t chosen(request_id r, std::uint32_t first, std::uint32_t count);
  void view(request_id r, std::uint32_t first, std::uint32_t count);
  [[nodiscard]] double predicted_ttft_s(std::uint32_t at, request_id r);
  [[nodiscard]] bool admitted(request_id r, std::uint32_t to);
  [[nodiscard]] double deadline_s(request_id r) const;
  [[nodiscard]] bool has_room(std::uint32_t at) const;

  cluster_context* context_;
  replica_fleet* fleet_;
  request_ledger* requests_;
  token_bucket bucket_;
  std::vector<std::int32_t> home_{};   // of sessions: the replica before, or -1
  std::deque<request_id> homeless_{};  // no replica is up
  using deadline = std::pair<double, request_id>;
  std::priority_queue<deadline, std::vector<deadline>, std::greater<>> held_{};  // by deadline
  std::vector<double> prefill_token_s_{};                                        // by pool
  std::uint64_t rounds_ = 0;
};

}  // namespace ridge::plan::serve
