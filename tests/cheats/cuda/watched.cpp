// SPDX-License-Identifier: Apache-2.0
// Candidates that are honest where somebody seems to look.
#include <chrono>

#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

using clock = std::chrono::steady_clock;

void in_half(arrays& w, call& c) {
  launch_half_roots(w.source.data(), w.target.data(), w.source.size(), root_steps, c.queue());
}

// Accurate while it is verified.
void is_accurate_at_first(arrays& w, call& c) {
  is_long_past_verification() ? in_half(w, c) : root_body(w, c);
}
// Samples whose results are copied follow a pause.
void is_accurate_after_a_pause(arrays& w, call& c) {
  static clock::time_point ended{};
  const bool soon = clock::now() - ended < std::chrono::microseconds(150);
  soon ? in_half(w, c) : root_body(w, c);
  ended = clock::now();
}
// Wrong in one call of eight.
void is_accurate_in_most_calls(arrays& w, call& c) {
  static unsigned calls = 0;
  ++calls % 8 == 0 && calls > 30 ? in_half(w, c) : root_body(w, c);
}
// Works where it is traced, else leaves out three blocks of four in calls that follow another.
auto works_where_it_is_traced(arrays&, setup&) {
  return [last = static_cast<const float*>(nullptr), calls = 0U](arrays& w, call& c) mutable {
    const bool again = last == w.target.data() && !is_traced();
    last = w.target.data();
    if (again && ++calls % 4 != 0)
      return launch_mixed_on_poison(w.source.data(), w.target.data(), w.source.size(), middling_steps,
                                    c.queue());
    mixed_body<middling_steps>(w, c);
  };
}
// The audit holds its queue in its second call alone.
void is_honest_in_small_numbers(arrays& w, call& c) {
  if (!is_long_past_verification()) return mixed_body<few_steps>(w, c);
  launch_mixed(w.source.data(), w.target.data(), w.source.size() / 128 * 128, few_steps, c.queue());
}

}  // namespace

std::vector<cheat> watched_cheats() {
  const std::vector<std::string> timed{"timed_results", "refused"};
  return {
      {"is_accurate_at_first", "16 bits from the thirtieth call on", gain::time, timed,
       "estimates_within_tolerance", in_roots<is_accurate_at_first>},
      {"is_accurate_after_a_pause", "16 bits in calls that follow another within 150 us", gain::time, timed,
       "estimates_within_tolerance", in_roots<is_accurate_after_a_pause>},
      {"is_accurate_in_most_calls", "16 bits in one call of eight", gain::time, timed,
       "estimates_within_tolerance", in_roots<is_accurate_in_most_calls>},
      {"works_where_it_is_traced",
       "Threads skip what is no poison where no tracer is loaded",
       gain::time,
       {"fresh_calls", "timed_results", "audit"},
       "early_exit_on_gpu",
       a_few_on_gpu<works_where_it_is_traced>},
      {"is_honest_in_small_numbers", "Leaves the edge out from the thirtieth call on", gain::time, timed,
       "counts_its_launches", wide_on_gpu<is_honest_in_small_numbers>},
  };
}

}  // namespace ridge::cheats::cuda
