// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <ridge/plan/serve/engine_settings.hpp>
#include <ridge/plan/serve/iteration.hpp>
#include <ridge/plan/serve/request.hpp>
#include <ridge/plan/serve/step_sink.hpp>
#include <ridge/plan/serve/tier_use.hpp>

namespace ridge::plan::serve {

// What happened to a request in an engine.
enum class engine_event_kind : std::uint8_t {
  queued,     // seen by the scheduler: at the end of the step in which it arrived
  scheduled,  // admitted for the first time
  first_token,
  finished,     // its last token was produced
  preempted,    // its blocks were taken away; it waits again
  handed_over,  // role prefill: prompt and first token are done; another engine continues
  rejected,     // can never fit into this engine
};

// One event of one request.
struct engine_event {
  double at_s = 0;
  request_id id = 0;
  engine_event_kind kind{engine_event_kind::queued};
};

// The present load of an engine, as a router may know it.
struct engine_load {
  std::uint32_t running = 0;  // admitted and not finished
  std::uint32_t waiting = 0;
  std::uint32_t free_blocks = 0;
  std::uint64_t queued_tokens =
      0;  // prompt tokens not yet computed, of waiting and running requests; in the front end, too
  std::uint64_t context_tokens = 0;  // tokens in the caches of running requests
  double front_end_left_s = 0;       // until the front end has handled the requests in it
  double step_left_s = 0;  // seconds until the last step that has been scheduled ends; 0 without one
  bool blocked = false;    // requests wait for a sequence or blocks that another must give up first
};

// What an engine has done since it started.
struct engine_counts {
  std::uint64_t submitted = 0, finished = 0, rejected = 0, handed_over = 0, evicted = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t steps = 0;
  std::uint64_t prefill_tokens = 0;  // tokens of prompts computed, recomputed ones included
  std::uint64_t decode_tokens = 0;   // tokens produced by decoding
  std::uint64_t prompt_lookups = 0;  // prompt tokens looked up at first admission
  std::uint64_t prompt_hits = 0;     // those found in the prefix cache, loaded ones included
  tier_use tiers{};
  std::uint64_t adapter_uses = 0, adapter_loads = 0;  // admissions with an adapter; that had to load it
  double busy_s = 0;                                  // time during which a step was computed
};

// A simulated replica of a serving engine. Time advances only by advance(), and requests submitted at an
// instant take part in the step that starts then. Results depend neither on how advance() is sliced nor on
// fast_forward: times within a run of decode steps are computed from its start. Not thread-safe.
class engine final {
 public:
  static constexpr double never_s = std::numeric_limits<double>::infinity();

  // Timer and table must outlive the engine; the table may grow. The settings must pass check().
  engine(engine_settings s, const iteration_timer& timer, const request_table& requests);
  ~engine();
  engine(engine&&) noexcept;
  engine& operator=(engine&&) noexcept;

  // Submits a request at `now_s`, which must not lie before the time that advance() has reached.
  void submit(request_id request, double now_s);
  // Submits a request whose prompt a decoding engine computes itself (role decode).
  void submit_prompt(request_id request, double now_s);
  // The earliest time of a next event in seconds, never_s when idle: no event comes before it unless more is
  // submitted. Starts the step that is due, so call it after submitting everything of the present instant.
  [[nodiscard]] double next_s();
  // Simulates up to and including `until_s`; a step that would start then does not start yet.
  void advance(double until_s);
  // Removes a request in any state (its client gives up, a router moves it); false when it is not here.
  bool evict(request_id request, double now_s);
  // Fails the replica: returns the ids of all its requests, to be submitted elsewhere, and empties the cache.
  [[nodiscard]] std::vector<request_id> fail(double now_s);

  // Load and counts at the time that advance() has reached; idle: no request waits or runs.
  [[nodiscard]] engine_load load() const;
  [[nodiscard]] engine_counts counts() const;
  [[nodiscard]] bool idle() const;
  // Tokens at the start of this prompt that are in the cache of the GPU now.
  [[nodiscard]] std::uint32_t prefix_overlap(request_id request) const;
  // Events since the last clear_events() in order of time. The buffer keeps its memory.
  [[nodiscard]] const std::vector<engine_event>& events() const;
  void clear_events();
  // Whether events of kind queued and scheduled are recorded; by default they are not.
  void tell_admissions(bool asked);
  // The sink receives every step when it ends, in order; a run of steps that advance() divides comes in
  // pieces. It must outlive the engine; null: no sink.
  void tell_steps(step_sink* sink);
  [[nodiscard]] const engine_settings& settings() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::plan::serve
