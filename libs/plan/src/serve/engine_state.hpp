// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ridge/plan/serve/engine.hpp>

#include "block_pool.hpp"
#include "counted_blocks.hpp"
#include "decode_pace.hpp"
#include "finish_wheel.hpp"
#include "waiting_line.hpp"

namespace ridge::plan::serve {

constexpr std::uint32_t no_slot = 0xffffffffU;

enum class phase : std::uint8_t { unused, waiting, loading, prefilling, decoding, ending };

// A request that is here. Sequences that decode move in lockstep: what they have computed is an offset to the
// engine's count of decode steps, so that a step touches none of them.
struct live_request {
  request_id id = 0;
  phase is{phase::unused};
  bool local = false;           // role decode: its prompt is computed here all the same
  bool loaded = false;          // its computed tokens were brought, not computed here
  bool admitted = false;        // before, once
  bool holds = false;           // blocks
  bool listed = false;          // among the running
  std::uint32_t generated = 0;  // tokens given or in flight; of a decoding one when it joined
  std::uint32_t computed = 0;   // tokens in the cache; of a decoding one: offset_ + steps
  std::uint32_t target = 0;     // tokens to compute before the next one is given
  std::uint64_t last_step = 0;  // decoding: the step that gives its last token
  std::int64_t offset = 0;
  block_list blocks{};
  std::uint32_t before = no_slot, after = no_slot;  // in the order of running
  std::uint32_t phase_before = no_slot,
                phase_after = no_slot;  // among those that need a block at the same step
  std::uint32_t wheel_before = no_slot, wheel_after = no_slot;  // among those that end at the same step
  std::uint64_t served = 0;                                     // the walk that served it last
  std::uint32_t accepted = 0;                                   // tokens it gets from that walk
};

// A step that computes or waits for its turn.
struct flying_step {
  double begin_s = 0, end_s = 0;
  std::int64_t prefill_tokens = 0, decode_tokens = 0, decode_sequences = 0;
  std::vector<std::uint32_t> first{}, last{};  // who gets the first or the last token from it
};

class engine::state {
 public:
  state(engine_settings s, const iteration_timer& timer, const request_table& requests);

  void submit(request_id r, double now_s, bool local = false);
  [[nodiscard]] double next_s();
  void advance(double until_s);
  bool evict(request_id r, double now_s);
  std::vector<request_id> fail(double now_s);
  [[nodiscard]] engine_load load() const;
  [[nodiscard]] engine_counts counts() const;
  [[nodiscard]] bool idle() const { return live_ == 0; }
  [[nodiscard]] std::uint32_t prefix_overlap(request_id r) const;

  engine_settings settings{};
  std::vector<engine_event> events{};
  bool tells_admissions = false;
  step_sink* steps_to = nullptr;

 private:
  struct chunk {
    std::uint32_t slot = 0, tokens = 0, context = 0;
  };
  // What admission found of a prompt.
  struct cached_prompt {
    std::uint32_t blocks = 0;       // in the GPU
    std::uint32_t tier_blocks = 0;  // after them, in host or disk
    std::uint32_t free_blocks = 0;  // of the first, those nobody holds
    double load_s = 0;
  };

  // engine_rounds.cpp: time
  void start(double now_s);
  bool progress(double until_s);
  void land_front();
  [[nodiscard]] double next_ready_s() const;
  [[nodiscard]] bool steady() const;
  [[nodiscard]] std::int64_t steps_alike(std::int64_t most) const;
  bool skip(double until_s);
  void take_blocks_of_step();
  void take_counted_blocks(std::int64_t steps);

  // engine_schedule.cpp: one step; engine_close.cpp: its time and what it gives
  bool schedule(double now_s);
  void serve(double now_s);
  void serve_running(double now_s);
  [[nodiscard]] std::uint32_t prompt_share(const live_request& r, std::uint32_t budget) const;
  [[nodiscard]] bool everyone_fits() const;
  void serve_decodes(double now_s);
  void serve_prompts();
  void compute_prompt(std::uint32_t slot, std::uint32_t tokens);
  void close_step(double now_s);
  void close_chunks(flying_step& step);
  void close_decodes(flying_step& step);
  [[nodiscard]] double step_end_s(double start_s, const iteration& i);
  void renew_pace(double start_s, std::int64_t context_before);
  [[nodiscard]] iteration measured_step() const;
  [[nodiscard]] std::int64_t longest_context() const;
  [[nodiscard]] bool on_a_pace() const;

  // engine_walk.cpp: one by one, where memory or the budget is short
  void walk_running(double now_s);
  [[nodiscard]] bool make_room(std::uint32_t slot, std::uint32_t blocks, double now_s);
  [[nodiscard]] std::uint32_t victim() const;
  void preempt(std::uint32_t slot, double now_s);
  [[nodiscard]] bool walk_decode(std::uint32_t slot, double now_s);
  [[nodiscard]] bool walk_prompt(std::uint32_t slot, double now_s);
  void settle_walk();
  [[nodiscard]] std::uint32_t drawn_tokens(const live_request& of) const;

  // engine_admission.cpp; engine_lookup.cpp: what of a prompt is cached
  void admit(double now_s);
  void admit_batch(double now_s);
  [[nodiscard]] bool admit_front(double now_s);
  [[nodiscard]] bool has_room(const live_request& r, const cached_prompt& c, std::uint32_t tokens) const;
  [[nodiscard]] bool fits_to_its_end(request_id r) const;
  [[nodiscard]] std::uint64_t set_aside() const;
  [[nodiscard]] cached_prompt look_up(std::uint32_t slot);
  [[nodiscard]] std::uint32_t cached_block(const live_request& r, std::uint32_t block) const;
  [[nodiscard]] double tier_s(std::uint64_t key) const;
  void attach(std::uint32_t slot, const cached_prompt& c);
  void start_loading(std::uint32_t slot, double ready_s);
  [[nodiscard]] double transferred_s(std::uint32_t slot, double now_s);
  void note_loaded(double now_s);
  void note_arrivals(double now_s);
  void count_admission(std::uint32_t slot, const cached_prompt& c, double now_s);

  // engine_blocks.cpp
  [[nodiscard]] std::uint64_t shared_key(request_id r, std::uint32_t block) const;  // 0: unknown
  [[nodiscard]] std::uint64_t private_key(request_id r, std::uint32_t block) const;
  [[nodiscard]] std::uint32_t blocks_for(std::uint64_t tokens) const {
    return static_cast<std::uint32_t>((tokens + settings.block_size - 1) / settings.block_size);
  }
  [[nodiscard]] std::uint32_t free_blocks() const { return named_ ? pool_.free() : counted_.free(); }
  void extend(std::uint32_t slot, std::uint32_t from, std::uint32_t to);
  void name_last(live_request& r);
  void release(std::uint32_t slot, bool keeps_list);
  void name_own(live_request& r);

  // engine_decoding.cpp: who moves in lockstep
  void join_decoding(std::uint32_t slot);
  void leave_decoding(std::uint32_t slot);
  void link_phase(std::uint32_t slot);
  void unlink_phase(std::uint32_t slot);
  void link_wheel(std::uint32_t slot);
  void unlink_wheel(std::uint32_t slot);
  void shift(std::uint32_t slot, std::int64_t tokens);
  [[nodiscard]] std::uint32_t phase_of(std::int64_t offset) const;

  // engine_requests.cpp: who is here; engine_outside.cpp: what others ask and take
  [[nodiscard]] std::uint32_t new_slot(request_id r, bool local);
  void drop_slot(std::uint32_t slot);
  void append_running(std::uint32_t slot);
  void remove_running(std::uint32_t slot);
  void complete(flying_step& step, double now_s);
  void finish(std::uint32_t slot, double now_s);
  void tell(double at_s, request_id id, engine_event_kind kind) { events.push_back({at_s, id, kind}); }
  [[nodiscard]] bool can_never_run(request_id r) const;
  [[nodiscard]] std::uint32_t outputs_here(request_id r) const;
  [[nodiscard]] std::uint32_t outputs_of(const live_request& r) const;
  [[nodiscard]] std::uint32_t whole_tokens(request_id r) const;
  void forget_in_flight(std::uint32_t slot);
  [[nodiscard]] std::uint32_t find_live(request_id r) const;

  const iteration_timer* timer_;
  const request_table* requests_;
  bool named_;              // blocks have names: prompts may share them
  block_pool pool_;         // where they have
  counted_blocks counted_;  // where they have not
  std::vector<live_request> slots_{};
  std::vector<std::uint32_t> spare_slots_{};
  waiting_line waiting_;
  std::vector<std::uint32_t> unseen_{}, prefilling_{};
  struct arriving {
    std::uint32_t slot = 0;
    double ready_s = 0;
  };
  std::vector<arriving> loading_{};
  std::uint32_t first_running_ = no_slot, last_running_ = no_slot;
  std::uint32_t running_ = 0, live_ = 0;

  // Lockstep.
  std::uint64_t decode_steps_ = 0;
  std::int64_t decoding_ = 0, decode_context_ = 0;
  std::vector<std::uint32_t> phase_count_{}, phase_head_{};  // who needs a block at steps ≡ index
  finish_wheel wheel_{};
  decode_pace pace_{};

  // Steps: at most two in flight.
  std::array<flying_step, 2> flying_{};
  std::uint32_t in_flight_ = 0, depth_ = 1;
  double now_s_ = 0, pending_s_ = never_s, landed_s_ = 0;  // pending: a step is to be scheduled

  // Of the step being put together.
  std::vector<chunk> chunks_{};
  std::uint32_t budget_ = 0;
  std::vector<std::uint32_t> hits_{}, own_{};  // blocks of the prompt looked up; those it had before
  bool preempted_ = false, walked_ = false, decodes_ = false, blocked_ = false;
  std::int64_t idle_decodes_ = 0, idle_context_ = 0, extra_tokens_ = 0;
  std::uint64_t walks_ = 0;
  std::uint64_t committed_blocks_ = 0;  // no_evict: to the last token of all that runs
  std::uint32_t batch_longest_ = 0;     // static batching
  double link_free_s_ = 0;

  engine_counts counts_{};
  std::uint64_t queued_tokens_ = 0;
  double busy_since_s_ = 0, busy_s_ = 0;
};

}  // namespace ridge::plan::serve
