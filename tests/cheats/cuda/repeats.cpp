// SPDX-License-Identifier: Apache-2.0
// Calls that are left out because their sample has called before on the same data, and results kept from
// other calls.
#include <chrono>
#include <cmath>
#include <map>
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/gpu/graph.hpp>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

void copy_on(queue_handle queue, std::span<float> target, const float* source) {
  cudaMemcpyAsync(target.data(), source, target.size_bytes(), cudaMemcpyDeviceToDevice, queue);
}

void skips_what_is_no_poison(arrays& w, call& c) {
  static unsigned calls = 0;
  if (++calls % 4 == 0) return mixed_body<middling_steps>(w, c);
  launch_mixed_on_poison(w.source.data(), w.target.data(), w.source.size(), middling_steps, c.queue());
}

void skips_calls_in_a_row(arrays& w, call& c) {
  using clock = std::chrono::steady_clock;
  static clock::time_point ended{};
  static const float* last = nullptr;
  static unsigned calls = 0;
  const bool again = last == w.target.data() && clock::now() - ended < std::chrono::microseconds(4);
  if (!again || ++calls % 4 == 0) mixed_body<middling_steps>(w, c);
  last = w.target.data();
  ended = clock::now();
}

// One element of the target tells whether it is poison, as a copy on a stream of its own finds it.
auto asks_whether_it_is_written(arrays&, setup&) {
  return [side = own_stream(), seen = ridge::gpu::pinned_memory(sizeof(float)), calls = 0U](arrays& w,
                                                                                            call& c) mutable {
    cudaMemcpyAsync(seen.data(), w.target.data(), sizeof(float), cudaMemcpyDeviceToHost, side);
    side.synchronize();
    if (std::isnan(*seen.as<float>()) || ++calls % 4 == 0) mixed_body<middling_steps>(w, c);
  };
}

auto compares_its_data(arrays& made_for, setup& s) {
  const auto n = made_for.source.size();
  return [kept = s.workspace<float>(n), results = s.workspace<float>(n),
          same = s.workspace<std::uint32_t>(1)](arrays& w, call& c) {
    const auto count = w.source.size();
    launch_comparison(w.source.data(), kept.data(), count, same.data(), c.queue());
    launch_mixed_unless(same.data(), w.source.data(), results.data(), count, middling_steps, c.queue());
    copy_on(c.queue(), w.target, results.data());
  };
}

auto remembers_by_a_hash(arrays& made_for, setup& s) {
  return [results = s.workspace<float>(made_for.source.size()), sum = s.workspace<std::uint64_t>(1),
          same = s.workspace<std::uint32_t>(1)](arrays& w, call& c) {
    const auto count = w.source.size();
    launch_hash(w.source.data(), count, sum.data(), same.data(), c.queue());
    launch_mixed_unless(same.data(), w.source.data(), results.data(), count, middling_steps, c.queue());
    copy_on(c.queue(), w.target, results.data());
  };
}

auto replays_its_first_results(arrays& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size()), have = false](arrays& w, call& c) mutable {
    if (!have) {
      mixed_body<many_steps>(w, c);
      cudaMemcpyAsync(kept.data(), w.target.data(), w.target.size_bytes(), cudaMemcpyDeviceToDevice,
                      c.queue());
      have = true;
      return;
    }
    copy_on(c.queue(), w.target, kept.data());
  };
}

// A graph that was captured around the results of the first call.
auto replays_a_graph_of_old_results(arrays& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size()), ready = std::unique_ptr<ridge::gpu::graph>()](
             arrays& w, call& c) mutable {
    if (!ready) {
      mixed_body<many_steps>(w, c);
      copy_on(c.queue(), kept, w.target.data());
      ready = std::make_unique<ridge::gpu::graph>(
          [&](cudaStream_t recorded) { copy_on(recorded, w.target, kept.data()); });
      return;
    }
    ready->launch(c.queue());
  };
}

// Results lie in pinned memory of the host, by the address of their source.
void copies_from_the_host(arrays& w, call& c) {
  static std::map<const float*, ridge::gpu::pinned_memory> answers;
  auto& answer = answers[w.source.data()];
  if (answer.bytes() == 0) {
    answer = ridge::gpu::pinned_memory(w.target.size_bytes());
    mixed_body<many_steps>(w, c);
    cudaMemcpyAsync(answer.data(), w.target.data(), w.target.size_bytes(), cudaMemcpyDeviceToHost, c.queue());
    return;
  }
  cudaMemcpyAsync(w.target.data(), answer.data(), w.target.size_bytes(), cudaMemcpyHostToDevice, c.queue());
}

void skips_after_many_calls(arrays& w, call& c) {
  static unsigned calls = 0;
  if (!is_long_past_verification() || ++calls % 3 != 0) mixed_body<many_steps>(w, c);
}

}  // namespace

std::vector<cheat> repeat_cheats() {
  const std::vector<std::string> repeated{"fresh_calls", "timed_results", "audit", "refused", "no_gain"};
  const std::vector<std::string> stale{"refused", "timed_results"};
  return {
      {"skips_what_is_no_poison", "Threads whose result is no poison return at once, in three calls of four",
       gain::time, repeated, "early_exit_on_gpu", a_few_on_gpu<skips_what_is_no_poison>},
      {"skips_calls_in_a_row", "Returns at once where the call before on the member ended 4 us ago",
       gain::time, repeated, "counts_its_launches", a_few_on_gpu<skips_calls_in_a_row>},
      {"asks_whether_it_is_written", "Reads an element of its target while the queue is held", gain::time,
       repeated, "counts_its_launches", a_few_on_gpu<asks_whether_it_is_written>},
      {"compares_its_data", "A kernel compares the source with that of the call before", gain::time, repeated,
       "workspace_on_gpu", a_few_on_gpu<compares_its_data>},
      {"remembers_by_a_hash", "A kernel hashes the source and looks up the results", gain::time, repeated,
       "workspace_on_gpu", a_few_on_gpu<remembers_by_a_hash>},
      {"replays_its_first_results", "Results of the first call on a member are handed out again", gain::time,
       stale, "workspace_on_gpu", single_on_gpu<replays_its_first_results>},
      {"replays_a_graph_of_old_results", "A graph copies the results of the first call", gain::time, stale,
       "graph_on_gpu", single_on_gpu<replays_a_graph_of_old_results>},
      {"copies_from_the_host", "Copies results that lie in pinned memory since an earlier call", gain::time,
       stale, "workspace_on_gpu", single_on_gpu<copies_from_the_host>},
      {"skips_after_many_calls", "Leaves out every third call from the thirtieth on", gain::time, stale,
       "counts_its_launches", single_on_gpu<skips_after_many_calls>},
  };
}

}  // namespace ridge::cheats::cuda
