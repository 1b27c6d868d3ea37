// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine_context.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"
#include "lockstep_decoder.hpp"
#include "step_draft.hpp"
#include "tier_reader.hpp"
#include "waiting_line.hpp"

namespace ridge::plan::serve {

// Requests that wait for admission to an engine, and those whose keys and values are being transferred to it.
class admission {
 public:
  admission(engine_context& context, live_requests& live, kv_blocks& blocks, const lockstep_decoder& decoder,
            step_draft& draft, const iteration_timer& timer);

  // Whether the request does not fit even into an empty engine.
  [[nodiscard]] bool can_never_run(request_id request) const;
  // A request that arrives; the scheduler sees it at its next step.
  void arrive(std::uint32_t slot) { unseen_.push_back(slot); }
  // A preempted request, in front of those of its priority.
  void wait_again(std::uint32_t slot);
  // Removes a request that waits or loads.
  void remove(std::uint32_t slot);
  void clear();

  // Lets the scheduler see what has arrived or has been loaded by now.
  void note_arrivals(double now_s) {
    if (!unseen_.empty()) take_unseen(now_s);
    if (!loading_.empty()) take_loaded(now_s);
  }
  // Admits from the front of the line while budget, sequences and blocks allow.
  void admit(double now_s);
  // Admits a static batch that has blocks for all its sequences until its longest answer ends.
  void admit_batch(double now_s);
  // Blocked admission is not tried again until something has changed.
  void set_blocked(bool blocked) { blocked_ = blocked; }

  // Whether no request can be admitted or loaded before something changes.
  [[nodiscard]] bool at_rest() const {
    return loading_.empty() && unseen_.empty() && (waiting_.empty() || blocked_);
  }
  [[nodiscard]] bool loads() const { return !loading_.empty(); }
  // Time at which the first loading request is ready; engine::never_s when none loads.
  [[nodiscard]] double next_ready_s() const;
  // Whether the first of the line waits until another request gives up its place or its blocks.
  [[nodiscard]] bool blocked() const { return blocked_ && !waiting_.empty(); }
  // Number of requests that are in the engine and do not run.
  [[nodiscard]] std::uint32_t waiting() const;

 private:
  struct loading_request {
    std::uint32_t slot = 0;
    double ready_s = 0;
  };
  void take_unseen(double now_s);
  void take_loaded(double now_s);
  [[nodiscard]] bool admit_front(double now_s);
  [[nodiscard]] bool lacks_slot(std::uint32_t slot) const;
  void put_back_passed();
  [[nodiscard]] bool has_room(const live_request& live, const cached_prompt& cached,
                              std::uint32_t tokens) const;
  [[nodiscard]] bool fits_to_its_end(request_id request) const;
  [[nodiscard]] std::uint64_t set_aside() const;
  void attach(std::uint32_t slot, const cached_prompt& found, const cached_prompt& cached, double now_s);
  void start_loading(std::uint32_t slot, double ready_s);
  [[nodiscard]] double transferred_s(std::uint32_t slot, double now_s);
  void count_adapter(const live_request& live, bool loads);
  void count_admission(live_request& live, const cached_prompt& cached, double now_s);

  engine_context* context_;
  live_requests* live_;
  kv_blocks* blocks_;
  const lockstep_decoder* decoder_;
  step_draft* draft_;
  tier_reader tiers_;
  waiting_line waiting_;
  std::vector<std::uint32_t> unseen_{};  // arrived since the last step was scheduled
  std::vector<loading_request> loading_{};
  std::vector<std::uint32_t> passed_{};  // waiting ones whose adapter has no slot, while others are admitted
  bool blocked_ = false;
  double link_free_s_ = 0;
};

}  // namespace ridge::plan::serve
