// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "admission.hpp"
#include "engine_context.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"
#include "lockstep_decoder.hpp"
#include "step_draft.hpp"

namespace ridge::plan::serve {

// Schedules the running requests one by one in their order, which is needed when memory or the budget of a
// step is short or when drafted tokens are accepted at random. A request without a free block preempts from
// the end of the order.
class running_walk {
 public:
  running_walk(engine_context& context, live_requests& live, kv_blocks& blocks, lockstep_decoder& decoder,
               admission& admission, step_draft& draft);

  // vLLM, v1/core/sched/scheduler.py: each running request preempts from the end until it
  // fits; the first that cannot fit ends the walk.
  void serve(double now_s);
  // Called before a step that was walked is closed: sequences that the walk did not reach stay where they
  // are, and those with accepted drafts advance further.
  void settle();

 private:
  [[nodiscard]] bool serve_decode(std::uint32_t slot, double now_s);
  [[nodiscard]] bool serve_prompt(std::uint32_t slot, double now_s);
  [[nodiscard]] bool make_room(std::uint32_t slot, std::uint32_t blocks, double now_s);
  [[nodiscard]] std::uint32_t victim() const;
  void preempt(std::uint32_t slot, double now_s);
  void withdraw(std::uint32_t slot);
  [[nodiscard]] std::uint32_t drawn_tokens(const live_request& live) const;

  engine_context* context_;
  live_requests* live_;
  kv_blocks* blocks_;
  lockstep_decoder* decoder_;
  admission* admission_;
  step_draft* draft_;
  std::uint64_t walks_ = 0;
};

}  // namespace ridge::plan::serve
