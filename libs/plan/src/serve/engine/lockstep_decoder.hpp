// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "block_division.hpp"
#include "decode_pace.hpp"
#include "engine_context.hpp"
#include "finish_wheel.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"

namespace ridge::plan::serve {

// The decoding sequences, each of which advances one token per step. The tokens that a sequence has computed
// are its offset plus the number of steps, so a step updates no sequence: the blocks needed at a step follow
// from a histogram of the offsets modulo the block size, and the ends are on a wheel of steps.
class lockstep_decoder {
 public:
  lockstep_decoder(const engine_context& context, live_requests& live, kv_blocks& blocks);

  [[nodiscard]] std::int64_t sequences() const { return sequences_; }
  // Tokens in the caches of all sequences that decode.
  [[nodiscard]] std::int64_t context_tokens() const { return context_tokens_; }
  // Tokens in the cache of one sequence, and tokens that it has still to produce.
  [[nodiscard]] std::int64_t computed(const live_request& live) const {
    return live.offset + static_cast<std::int64_t>(steps_);
  }
  [[nodiscard]] std::uint64_t remaining(const live_request& live) const { return live.last_step - steps_; }

  void join(std::uint32_t slot);
  void leave(std::uint32_t slot);
  // Moves a sequence by so many tokens in addition to its step; negative: it falls behind.
  void shift(std::uint32_t slot, std::int64_t tokens);
  void clear();

  // Blocks that the next step needs.
  [[nodiscard]] std::uint32_t blocks_due() const { return phase_count_[due_]; }
  void take_blocks_due();
  // One step of all sequences; their blocks have been taken.
  void step() {
    ++steps_;
    pass_phases(1);
    context_tokens_ += sequences_;
  }
  // Removes the sequences that got their last token from this step, and appends their slots to `ended`.
  void remove_ended(std::vector<std::uint32_t>& ended);

  // Steps from the last one to the next in which a sequence may end.
  [[nodiscard]] std::int64_t steps_to_an_end() const {
    return static_cast<std::int64_t>(wheel_.distance(steps_));
  }
  // How many of the next steps, at most `most`, have blocks and stay on the timer's line.
  [[nodiscard]] std::int64_t steps_alike(std::int64_t most) const;
  // Advances all sequences by so many steps at once and takes the blocks for them.
  void jump(std::int64_t steps);

  // The run of steps on one line of the timer; invalid once a sequence has joined or left.
  [[nodiscard]] decode_pace& pace() { return pace_; }
  [[nodiscard]] const decode_pace& pace() const { return pace_; }

 private:
  [[nodiscard]] std::uint32_t phase_of(const live_request& live) const;
  // `steps`: at most a block.
  void pass_phases(std::uint32_t steps) {
    due_ += steps;
    if (due_ >= block_size_) due_ -= block_size_;
  }
  void link_phase(std::uint32_t slot);
  void unlink_phase(std::uint32_t slot);
  void link_wheel(std::uint32_t slot);
  void unlink_wheel(std::uint32_t slot);
  [[nodiscard]] std::uint32_t blocks_of_phases(std::uint32_t steps) const;
  void jump_named(std::int64_t steps);
  void jump_counted(std::int64_t steps);

  live_requests* live_;
  kv_blocks* blocks_;
  std::uint32_t block_size_;
  block_division by_block_;
  std::uint64_t steps_ = 0;
  std::uint32_t due_ = 0;  // steps_ modulo the block size
  std::int64_t sequences_ = 0, context_tokens_ = 0;
  std::vector<std::uint32_t> phase_count_, phase_head_;  // sequences that need a block at steps ≡ index
  finish_wheel wheel_{};
  decode_pace pace_{};
};

}  // namespace ridge::plan::serve
