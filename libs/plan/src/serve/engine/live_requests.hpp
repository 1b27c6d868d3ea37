// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "block_pool.hpp"
#include "engine_context.hpp"

namespace ridge::plan::serve {

constexpr std::uint32_t no_slot = 0xffffffffU;

enum class phase : std::uint8_t { unused, waiting, loading, prefilling, decoding, ending };

// A request inside an engine. Decoding sequences advance in lockstep: the tokens that one has computed are
// `offset` plus the decoder's number of steps, so a step updates none of them.
struct live_request {
  request_id id = 0;
  phase is{phase::unused};
  bool local = false;           // role decode: this engine computes the prompt nevertheless
  bool loaded = false;          // its keys and values were transferred, not computed here
  bool admitted = false;        // was admitted at least once
  bool holds = false;           // blocks
  bool listed = false;          // is in the list of running requests
  bool adapted = false;         // is one of the users of its adapter
  std::uint32_t generated = 0;  // answer tokens produced or in flight; while decoding: when it joined
  std::uint32_t computed = 0;   // tokens in the cache; while decoding: when it joined
  std::uint32_t target = 0;     // tokens to compute before the next answer token
  std::uint64_t last_step = 0;  // while decoding: the step that produces its last token
  std::int64_t offset = 0;      // while decoding: tokens in the cache minus the decoder's steps
  block_list blocks{};
  std::uint32_t before = no_slot, after = no_slot;  // neighbours in the order of running
  std::uint32_t phase_before = no_slot,
                phase_after = no_slot;  // next of those that need a block at the same step
  std::uint32_t wheel_before = no_slot, wheel_after = no_slot;  // neighbours that end at the same step
  std::uint64_t served = 0;                                     // the last walk that scheduled it
  std::uint32_t accepted = 0;                                   // tokens that it gets from that walk
};

// The requests inside an engine by slot, the order of the running ones, and those that compute their prompts.
class live_requests {
 public:
  explicit live_requests(engine_context& context) : context_(&context) {}

  [[nodiscard]] live_request& operator[](std::uint32_t slot) { return slots_[slot]; }
  [[nodiscard]] const live_request& operator[](std::uint32_t slot) const { return slots_[slot]; }
  // Takes a slot for a request that arrives; `local`: an engine of role decode computes its prompt itself.
  [[nodiscard]] std::uint32_t claim(request_id request, bool local);
  // Frees a slot whose blocks are released.
  void drop(std::uint32_t slot);
  // The slot of a request; no_slot when it is not in the engine.
  [[nodiscard]] std::uint32_t find(request_id request) const;
  // The ids of all requests in the engine in ascending order.
  [[nodiscard]] std::vector<request_id> ids() const;
  void clear();
  [[nodiscard]] std::uint32_t count() const { return live_; }

  void append_running(std::uint32_t slot);
  // Removes a request from the running ones, if it is among them.
  void remove_running(std::uint32_t slot);
  // Makes a request a user of its adapter; true: that has to be loaded. The counterpart is remove_running().
  bool use_adapter(std::uint32_t slot);
  [[nodiscard]] std::uint32_t first_running() const { return first_running_; }
  [[nodiscard]] std::uint32_t last_running() const { return last_running_; }
  [[nodiscard]] std::uint32_t running() const { return running_; }
  // Blocks that all running requests need to finish.
  [[nodiscard]] std::uint64_t committed_blocks() const { return committed_blocks_; }

  [[nodiscard]] const std::vector<std::uint32_t>& prefilling() const { return prefilling_; }
  void start_prefilling(std::uint32_t slot);
  // Does not change the phase of the request.
  void stop_prefilling(std::uint32_t slot) { std::erase(prefilling_, slot); }

  // Answer tokens after which a request leaves: a static batch keeps all sequences until the longest answer
  // ends.
  [[nodiscard]] std::uint32_t outputs(const live_request& request) const {
    return batch_longest_ > 0 ? batch_longest_ : context_->outputs_here(request.id);
  }
  // The longest answer of the static batch; 0 with continuous batching.
  [[nodiscard]] std::uint32_t batch_longest() const { return batch_longest_; }
  void set_batch_longest(std::uint32_t tokens) { batch_longest_ = tokens; }

 private:
  engine_context* context_;
  std::vector<live_request> slots_{};
  std::vector<std::uint32_t> spare_slots_{}, prefilling_{};
  std::uint32_t first_running_ = no_slot, last_running_ = no_slot;
  std::uint32_t running_ = 0, live_ = 0, batch_longest_ = 0;
  std::uint64_t committed_blocks_ = 0;
};

}  // namespace ridge::plan::serve
