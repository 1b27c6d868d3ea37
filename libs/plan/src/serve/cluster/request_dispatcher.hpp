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
#include "first_token_forecast.hpp"
#include "replica_fleet.hpp"
#include "request_ledger.hpp"
#include "serve/token_bucket.hpp"

namespace ridge::plan::serve {

// Admits requests to the cluster and chooses their replicas.
class request_dispatcher {
 public:
  request_dispatcher(cluster_context& context, replica_fleet& fleet, request_ledger& requests);

  // Handles a request that arrives now: it is refused, held, or given to a replica.
  void arrive(request_id r);
  void dispatch(request_id r);
  // With earliest_deadline: gives held requests to replicas that have room.
  void dispatch_held();
  // Gives a prompt whose keys and values have arrived to a decoding replica.
  void receive(request_id r);
  // Gives out the requests that arrived while no replica was up.
  void dispatch_homeless();
  // Number of requests that no replica has yet.
  [[nodiscard]] std::size_t queued() const { return homeless_.size() + held_.size(); }

 private:
  void submit(request_id r, std::uint32_t replica, bool prompt_too = false);
  [[nodiscard]] bool prefilled_where_it_decodes(request_id r);
  [[nodiscard]] std::uint32_t chosen(request_id r, std::uint32_t first, std::uint32_t count);
  void view(request_id r, std::uint32_t first, std::uint32_t count);
  [[nodiscard]] double predicted_ttft_s(std::uint32_t replica, request_id r);
  [[nodiscard]] bool admitted(request_id r, std::uint32_t replica);
  [[nodiscard]] double deadline_s(request_id r) const;
  [[nodiscard]] bool has_room(std::uint32_t replica) const;

  cluster_context* context_;
  replica_fleet* fleet_;
  request_ledger* requests_;
  token_bucket bucket_;
  std::vector<std::int32_t> home_{};   // by session: the replica of its previous request, or -1
  std::deque<request_id> homeless_{};  // requests that wait for any replica to be up
  using deadline = std::pair<double, request_id>;
  std::priority_queue<deadline, std::vector<deadline>, std::greater<>> held_{};  // held requests by deadline
  std::vector<recent_rate> arriving_{};                                          // prompt tokens by replica
  std::uint64_t rounds_ = 0;
};

}  // namespace ridge::plan::serve
