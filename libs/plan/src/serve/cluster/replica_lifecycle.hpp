// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cluster_context.hpp"
#include "replica_fleet.hpp"
#include "request_dispatcher.hpp"

namespace ridge::plan::serve {

// Starts and stops of replicas: failures, recovery, and the autoscaler.
class replica_lifecycle {
 public:
  replica_lifecycle(cluster_context& context, replica_fleet& fleet, request_dispatcher& dispatcher);

  // Schedules the first failures and the first decision of the autoscaler.
  void start();
  void fail(std::uint32_t i);
  void recover(std::uint32_t i);
  void start_replica(std::uint32_t i);
  // Failures so far that made requests start again.
  [[nodiscard]] std::uint64_t losses() const { return losses_; }
  // Starts or stops replicas so that the target share of their sequences is in use; removes some only when
  // fewer sufficed for scale_down_delay_s.
  void rescale();

 private:
  void retire(std::uint32_t i);
  void start_more(std::uint32_t pool, int& active, int wanted);
  void retire_some(std::uint32_t pool, int active, int wanted);

  cluster_context* context_;
  replica_fleet* fleet_;
  request_dispatcher* dispatcher_;
  std::uint64_t losses_ = 0;
  double fewer_since_s_ = never_s;
  int most_wanted_ = 0;  // most replicas wanted since fewer than now were wanted
};

}  // namespace ridge::plan::serve
