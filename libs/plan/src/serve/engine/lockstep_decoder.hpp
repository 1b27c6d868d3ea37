// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "decode_pace.hpp"
#include "engine_context.hpp"
#include "finish_wheel.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"

namespace ridge::plan::serve {

// The sequences that decode, all one token a step. What one has computed is its offset to the count of steps,
// so that a step touches none of them: blocks needed at a step are a histogram of the offsets modulo the
// block size, and ends lie on a wheel of steps.
class lockstep_decoder {
 public:
  lockstep_decoder(const engine_context& context, live_requests& live, kv_blocks& blocks);

  [[nodiscard]] std::int64_t sequences() const { return sequences_; }
  // Tokens in the caches of all sequences that decode.
  [[nodiscard]] std::int64_t context_tokens() const { return context_tokens_; }
  // Tokens in the cache of one of them, and tokens that it has still to give.
  [[nodiscard]] std::int64_t computed(const live_request& live) const {
    return live.offset + static_cast<std::int64_t>(steps_);
  }
  [[nodiscard]] std::uint64_t remaining(const live_request& live) const { return live.last_step - steps_; }

  void join(std::uint32_t slot);
  void leave(std::uint32_t slot);
  // Moves a sequence so many tokens further than its step alone takes it; negative: it stays behind.
  void shift(std::uint32_t slot, std::int64_t tokens);
  void clear();

  // Blocks that the next step needs.
  [[nodiscard]] std::uint32_t blocks_due() const { return phase_count_[steps_ % block_size_]; }
  void take_blocks_due();
  // One step of all sequences; their blocks have been taken.
  void step() {
    ++steps_;
    context_tokens_ += sequences_;
  }
  // Takes out who gets the last token from the step just made, and appends the slots to `ended`.
  void remove_ended(std::vector<std::uint32_t>& ended);

  // Steps from the last one to the next in which a sequence may end.
  [[nodiscard]] std::int64_t steps_to_an_end() const {
    return static_cast<std::int64_t>(wheel_.distance(steps_));
  }
  // How many of the next steps, at most `most`, have blocks and stay on the timer's line.
  [[nodiscard]] std::int64_t steps_alike(std::int64_t most) const;
  // So many steps at once, their blocks included.
  void jump(std::int64_t steps);

  // The run of steps on one line of the timer; invalid once a sequence has joined or left.
  [[nodiscard]] decode_pace& pace() { return pace_; }
  [[nodiscard]] const decode_pace& pace() const { return pace_; }

 private:
  [[nodiscard]] std::uint32_t phase_of(std::int64_t offset) const;
  void link_phase(std::uint32_t slot);
  void unlink_phase(std::uint32_t slot);
  void link_wheel(std::uint32_t slot);
  void unlink_wheel(std::uint32_t slot);
  [[nodiscard]] std::int64_t counted_blocks_of(std::int64_t steps) const;

  live_requests* live_;
  kv_blocks* blocks_;
  std::uint32_t block_size_;
  std::uint64_t steps_ = 0;
  std::int64_t sequences_ = 0, context_tokens_ = 0;
  std::vector<std::uint32_t> phase_count_, phase_head_;  // who needs a block at steps ≡ index
  finish_wheel wheel_{};
  decode_pace pace_{};
};

}  // namespace ridge::plan::serve
