// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ridge/plan/serve/engine.hpp>

#include "admission.hpp"
#include "engine_context.hpp"
#include "front_end.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"
#include "lockstep_decoder.hpp"
#include "step_clock.hpp"
#include "step_draft.hpp"
#include "step_scheduler.hpp"

namespace ridge::plan::serve {

// A step in flight: it is computed or waits for the GPU.
struct flying_step {
  double begin_s = 0, end_s = 0;
  std::int64_t prefill_tokens = 0, decode_tokens = 0, decode_sequences = 0;
  std::vector<std::uint32_t> first{}, last{};  // slots whose first or last token it produces
};

// The state of an engine: its parts, the steps in flight, and the times at which they end. Its functions are
// those of `engine`. The parts refer to each other, so it cannot be moved.
class engine::state {
 public:
  state(engine_settings settings, const iteration_timer& timer, const request_table& requests);
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  void submit(request_id request, double now_s, bool local = false);
  [[nodiscard]] double next_s();
  void advance(double until_s);
  bool evict(request_id request, double now_s);
  std::vector<request_id> fail(double now_s);
  [[nodiscard]] engine_load load() const;
  [[nodiscard]] engine_counts counts() const;
  [[nodiscard]] bool idle() const { return live_.count() == 0 && front_end_.empty(); }
  [[nodiscard]] std::uint32_t prefix_overlap(request_id request) const {
    return blocks_.prefix_overlap(request);
  }
  [[nodiscard]] engine_context& context() { return context_; }
  [[nodiscard]] const engine_context& context() const { return context_; }
  void tell_steps(step_sink* sink) { steps_sink_ = sink; }

 private:
  void receive(request_id request, double now_s, bool local);
  void advance_steps(double until_s);
  [[nodiscard]] double next_step_s();
  void start(double now_s);
  bool progress(double until_s);
  void close_step(double now_s);
  void close_chunks(flying_step& step);
  void land_front();
  void complete(flying_step& step);
  void finish(std::uint32_t slot);
  void drop(std::uint32_t slot);
  [[nodiscard]] bool steady() const;
  bool skip(double until_s);
  bool step_on(double until_s);
  void tell_front_step();
  void fly_on(std::int64_t steps);

  engine_context context_;
  front_end front_end_;
  live_requests live_;
  kv_blocks blocks_;
  lockstep_decoder decoder_;
  step_draft draft_;
  admission admission_;
  step_scheduler scheduler_;
  step_clock clock_;
  step_sink* steps_sink_ = nullptr;

  std::array<flying_step, 2> flying_{};  // the first `in_flight_` of them
  std::uint32_t in_flight_ = 0, depth_ = 1;
  double now_s_ = 0, landed_s_ = 0;
  double pending_s_ = never_s;  // time at which the next step is to be scheduled
  double busy_since_s_ = 0, busy_s_ = 0;
};

}  // namespace ridge::plan::serve
