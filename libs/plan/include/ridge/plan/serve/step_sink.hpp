// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// Steps of an engine that follow each other without a pause and are alike: one, or a run that only decodes.
struct engine_step {
  double begin_s = 0, end_s = 0;  // of all of them
  std::int64_t steps = 1;
  std::int64_t prefill_tokens = 0, decode_tokens = 0, decode_sequences = 0;  // of one
};

// Whoever wants to know what an engine's time went into.
class step_sink {
 public:
  virtual ~step_sink() = default;
  virtual void take(const engine_step& s) = 0;
};

}  // namespace ridge::plan::serve
