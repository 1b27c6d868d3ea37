// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine_context.hpp"
#include "live_requests.hpp"
#include "lockstep_decoder.hpp"
#include "step_draft.hpp"

namespace ridge::plan::serve {

// What a step computes and when it ends, by the timer of the model on its GPUs and the host's own time.
class step_clock {
 public:
  step_clock(const engine_context& context, const live_requests& live, lockstep_decoder& decoder,
             const step_draft& draft, const iteration_timer& timer);

  // The sums over the step that is being scheduled; decode contexts already include the tokens of this step.
  [[nodiscard]] iteration measured_step() const;
  // The end of this step. A decode-only step continues the decoder's run; every other step ends that run.
  [[nodiscard]] double end_s(double start_s, const iteration& step);

 private:
  [[nodiscard]] bool is_on_a_pace() const;
  [[nodiscard]] std::int64_t longest_context() const;  // 0 unless the timer wants it
  void renew_pace(double start_s, std::int64_t context_before);
  [[nodiscard]] double adapters_s(std::int64_t tokens) const;
  [[nodiscard]] double images_s() const;
  void hold_by_host(const decode_line& line);

  const engine_context* context_;
  const live_requests* live_;
  lockstep_decoder* decoder_;
  const step_draft* draft_;
  const iteration_timer* timer_;
};

}  // namespace ridge::plan::serve
