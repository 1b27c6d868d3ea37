// SPDX-License-Identifier: Apache-2.0
// Work on streams that the marks of the call do not cover.
#include <memory>

#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

template <int Steps>
void mix_on(arrays& w, queue_handle queue) {
  launch_mixed(w.source.data(), w.target.data(), w.source.size(), Steps, queue);
}

auto runs_on_a_stream_of_its_own(arrays&, setup&) {
  return [side = own_stream()](arrays& w, call& c) mutable {
    side.follow(c.queue());
    mix_on<many_steps>(w, side);
  };
}

void runs_on_the_legacy_stream(arrays& w, call&) { mix_on<many_steps>(w, cudaStreamLegacy); }
void runs_on_the_stream_of_its_thread(arrays& w, call&) { mix_on<many_steps>(w, cudaStreamPerThread); }

// The queue computes a third of the elements, and the stream, which nobody joins, the rest.
auto leaves_a_share_unjoined(arrays&, setup&) {
  return [side = own_stream()](arrays& w, call& c) mutable {
    const auto share = w.source.size() / 3;
    side.follow(c.queue());
    launch_mixed(w.source.data() + share, w.target.data() + share, w.source.size() - share, few_steps, side);
    launch_mixed(w.source.data(), w.target.data(), share, few_steps, c.queue());
  };
}

// Joins the stream before its last kernel is enqueued.
auto joins_too_early(arrays&, setup& s) {
  return [side = own_stream(), states = s.workspace<std::uint32_t>(2048 + 5)](arrays& w, call& c) mutable {
    side.follow(c.queue());
    launch_first_steps(w.source.data(), states.data(), w.source.size(), many_steps / 4, side);
    side.join(c.queue());
    launch_last_steps(w.source.data(), states.data(), w.target.data(), w.source.size(),
                      many_steps - many_steps / 4, side);
  };
}

// The last quarter of the elements is computed by the call after, in its time.
auto finishes_in_the_next_call(arrays& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size())](arrays& w, call& c) {
    const auto n = w.source.size(), most = n - n / 4;
    launch_mixed(w.source.data(), w.target.data(), most, few_steps, c.queue());
    cudaMemcpyAsync(w.target.data() + most, kept.data() + most, (n - most) * sizeof(float),
                    cudaMemcpyDeviceToDevice, c.queue());
    launch_mixed(w.source.data() + most, kept.data() + most, n - most, few_steps, c.queue());
  };
}

}  // namespace

std::vector<cheat> stream_cheats() {
  return {
      {"runs_on_a_stream_of_its_own",
       "All work is on a stream that begins behind the queue and is not joined",
       gain::time,
       {"refused", "timed_results", "audit"},
       "joined_stream",
       single_on_gpu<runs_on_a_stream_of_its_own>},
      {"runs_on_the_legacy_stream",
       "All work is on the legacy default stream",
       gain::time,
       {"refused", "timed_results", "audit"},
       "joined_stream",
       single_on_gpu<runs_on_the_legacy_stream>},
      {"runs_on_the_stream_of_its_thread",
       "All work is on the default stream of the thread",
       gain::time,
       {"refused", "timed_results", "audit"},
       "joined_stream",
       single_on_gpu<runs_on_the_stream_of_its_thread>},
      {"leaves_a_share_unjoined",
       "Two thirds of the elements are computed on a stream that is not joined",
       gain::time,
       {"refused", "timed_results", "audit", "left_running", "fresh_calls"},
       "joined_stream",
       wide_on_gpu<leaves_a_share_unjoined>},
      {"joins_too_early",
       "A stream is joined before its last kernel is enqueued",
       gain::time,
       {"refused", "timed_results", "audit", "left_running"},
       "joined_stream",
       single_on_gpu<joins_too_early>},
      {"finishes_in_the_next_call",
       "A quarter of the results is what the call before computed",
       gain::others,
       {"refused", "timed_results"},
       "workspace_on_gpu",
       wide_on_gpu<finishes_in_the_next_call>},
  };
}

}  // namespace ridge::cheats::cuda
