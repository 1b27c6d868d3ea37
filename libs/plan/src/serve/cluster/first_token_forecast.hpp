// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/serve/engine.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>

namespace ridge::plan::serve {

// A prompt that asks for admission: its tokens, and those of them that the prefix cache holds.
struct asked_prompt {
  std::uint32_t tokens = 0, cached = 0;
};

// The rate at which prompt tokens have been meant for a replica of late, admitted or not: a mean whose
// weights die away over seconds.
class recent_rate {
 public:
  // Counts tokens that arrive at `now_s`, which must not lie before the last time.
  void add(double now_s, double tokens);
  [[nodiscard]] double tokens_per_s(double now_s) const;

 private:
  double tokens_ = 0, at_s_ = 0, begun_s_ = never_s;
};

// Predicts from above when the first token of a prompt would come that is given to an engine now, in seconds
// from now: the way through the front end, the step in progress to its end, then every queued prompt token
// and the prompt's own in full steps that also decode all that runs or waits; the last of them is filled up
// by twice the tokens that come meanwhile at `arriving_tokens_per_s`, since prompts that arrive later share
// it. Infinite where the prompt would wait for others to end: no sequence or block is free for it, admission
// is at a standstill, or a static batch runs.
[[nodiscard]] double latest_first_token_s(const replica_pool& pool, const engine_load& load,
                                          const asked_prompt& prompt, double arriving_tokens_per_s);

}  // namespace ridge::plan::serve
