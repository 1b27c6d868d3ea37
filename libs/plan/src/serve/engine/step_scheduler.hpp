// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "admission.hpp"
#include "engine_context.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"
#include "lockstep_decoder.hpp"
#include "running_walk.hpp"
#include "step_draft.hpp"

namespace ridge::plan::serve {

// Schedules a step by the rules of the simulated engine.
class step_scheduler {
 public:
  step_scheduler(engine_context& context, live_requests& live, kv_blocks& blocks, lockstep_decoder& decoder,
                 admission& admission, step_draft& draft);

  // Fills the draft with the requests that compute in the step that begins now; false when there are none.
  [[nodiscard]] bool schedule(double now_s);
  // Advances the decoding sequences by the tokens of the step.
  void decode();

 private:
  void serve(double now_s);
  void serve_sglang(double now_s);
  void serve_static_batch(double now_s);
  void serve_running(double now_s);
  void serve_decodes(double now_s);
  [[nodiscard]] bool decodes_alone() const;
  [[nodiscard]] bool everyone_fits() const;

  engine_context* context_;
  live_requests* live_;
  kv_blocks* blocks_;
  lockstep_decoder* decoder_;
  admission* admission_;
  step_draft* draft_;
  running_walk walk_;
};

}  // namespace ridge::plan::serve
