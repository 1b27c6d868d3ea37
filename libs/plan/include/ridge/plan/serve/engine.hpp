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

namespace ridge::plan::serve {

enum class engine_event_kind : std::uint8_t {
  queued,     // the scheduler has seen it: the end of the step in which it came
  scheduled,  // first admitted
  first_token,
  finished,     // its last token is out
  preempted,    // its blocks were taken; it waits again
  handed_over,  // role prefill: prompt computed, first token out; another engine may take it from here
  rejected,     // can never fit this engine
};

struct engine_event {
  double at_s = 0;
  request_id id = 0;
  engine_event_kind kind{engine_event_kind::queued};
};

// What a router may know of an engine.
struct engine_load {
  std::uint32_t running = 0;  // admitted and not finished
  std::uint32_t waiting = 0;
  std::uint32_t free_blocks = 0;
  std::uint64_t queued_tokens = 0;   // of prompts, not computed yet: waiting and running
  std::uint64_t context_tokens = 0;  // in caches of what runs
};

// What an engine has done since it started.
struct engine_counts {
  std::uint64_t submitted = 0, finished = 0, rejected = 0, handed_over = 0, evicted = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t steps = 0;
  std::uint64_t prefill_tokens = 0;  // computed, recomputed ones included
  std::uint64_t decode_tokens = 0;   // given out by steps that decode
  std::uint64_t prompt_lookups = 0;  // tokens of prompts at their first admission
  std::uint64_t prompt_hits = 0;     // of those, found in the prefix cache
  std::uint64_t tier_hits = 0;       // of those, in host or disk
  double busy_s = 0;                 // in which a step computed
};

// The twin of one replica of a serving engine, driven from outside: time goes forward by advance() alone, and
// what was submitted at an instant takes part in the step that starts then. Results do not depend on how
// advance() is sliced, nor on fast-forward: times within a run of decode steps are computed from its start.
class engine final {
 public:
  static constexpr double never_s = std::numeric_limits<double>::infinity();

  // Both must outlive the engine; the table may grow. Settings must pass check().
  engine(engine_settings s, const iteration_timer& timer, const request_table& requests);
  ~engine();
  engine(engine&&) noexcept;
  engine& operator=(engine&&) noexcept;

  // `now_s` must not lie before what advance() has reached.
  void submit(request_id request, double now_s);
  // The same for a request whose prompt a decoding engine computes itself (role decode).
  void submit_prompt(request_id request, double now_s);
  // The earliest instant at which something may happen that events tell: no event comes before it unless
  // more is submitted. Starts the step that is due, so call it when everything of this instant is submitted.
  [[nodiscard]] double next_s();
  // Everything up to and including this instant; a step that starts at it starts later.
  void advance(double until_s);
  // Takes a request out wherever it is (a client that gives up, a router that moves it); false: not here.
  bool evict(request_id request, double now_s);
  // Loses everything: the ids of what was here, to be submitted elsewhere. The cache is empty after it.
  [[nodiscard]] std::vector<request_id> fail(double now_s);

  [[nodiscard]] engine_load load() const;
  [[nodiscard]] engine_counts counts() const;
  [[nodiscard]] bool idle() const;
  // Tokens at the start of this prompt that are in the GPU's cache now.
  [[nodiscard]] std::uint32_t prefix_overlap(request_id request) const;
  // Events since the last clear(), in order of time. The buffer keeps its memory.
  [[nodiscard]] const std::vector<engine_event>& events() const;
  void clear_events();
  // queued and scheduled are not told unless asked for: most users need only the others.
  void tell_admissions(bool asked);
  // Told of every step when it ends, in order; a run that is cut by advance() comes in pieces. Null: nobody.
  // Must outlive the engine.
  void tell_steps(step_sink* sink);
  [[nodiscard]] const engine_settings& settings() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::plan::serve
