// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// One step of an engine, or a run of equal decode-only steps without a pause between them.
struct engine_step {
  double begin_s = 0, end_s = 0;  // of the whole run
  std::int64_t steps = 1;
  std::int64_t prefill_tokens = 0, decode_tokens = 0, decode_sequences = 0;  // per step
};

// Receives the steps of an engine.
class step_sink {
 public:
  virtual ~step_sink() = default;
  // Called for every step or run when it ends, in order of time, on the thread that advances the engine.
  virtual void take(const engine_step& s) = 0;
};

}  // namespace ridge::plan::serve
