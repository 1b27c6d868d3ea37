// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster_context.hpp"

namespace ridge::plan::serve {

// The outcome of each request, and the next request to arrive: by the time in the trace, after the request
// that it follows, or when a client of a closed loop has its answer.
class request_ledger {
 public:
  explicit request_ledger(cluster_context& context);

  // Schedules the first request of every client of a closed loop, or finds the first request of an open loop.
  void start();
  // Arrival of the next request of an open loop; never_s when none is left.
  [[nodiscard]] double next_arrival_s() const { return next_arrival_s_; }
  [[nodiscard]] request_id take_next();
  void finish(request_id r, double at_s);
  void give_up(request_id r, outcome why);
  // Whether the end of a request may bring another one.
  [[nodiscard]] bool answers_ask_more() const {
    return context_->asked.clients > 0 || !first_follower_.empty();
  }
  [[nodiscard]] std::size_t ended() const { return ended_; }

 private:
  void prepare();
  void link_followers();
  void release_followers(request_id r);
  void find_next_arrival();

  cluster_context* context_;
  std::vector<std::uint32_t> first_follower_{}, next_sibling_{};
  std::size_t next_open_ = 0;  // index of the next request of the open loop or of the clients' list
  double next_arrival_s_ = never_s;
  std::size_t ended_ = 0;
};

}  // namespace ridge::plan::serve
