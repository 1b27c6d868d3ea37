// SPDX-License-Identifier: Apache-2.0
// Kernels that slow the baseline, and GPUs and talk that are not the variant's.
#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

constexpr double disturbance_s = 400e-6;

// Leaves a kernel behind that runs on while others are timed.
template <bool Always>
auto burns_after_its_call(arrays&, setup&) {
  return [side = own_stream()](arrays& w, call& c) mutable {
    mixed_body<middling_steps>(w, c);
    side.follow(c.queue());
    if (Always || is_long_past_verification()) launch_burner(disturbance_s, side);
  };
}
auto thrashes_after_its_call(arrays&, setup& s) {
  return
      [side = own_stream(), memory = s.workspace<float>(std::size_t{1} << 24)](arrays& w, call& c) mutable {
        affine_body(w, c);
        side.follow(c.queue());
        launch_thrasher(memory.data(), memory.size(), disturbance_s, side);
      };
}
auto burns_where_nobody_traces(arrays&, setup&) {
  return [side = own_stream()](arrays& w, call& c) mutable {
    mixed_body<middling_steps>(w, c);
    side.follow(c.queue());
    if (!is_traced()) launch_burner(disturbance_s, side);
  };
}
// Burns for some seconds from the set-up on, whoever is timed.
auto burns_from_the_set_up_on(arrays&, setup&) {
  launch_burner(0.3, cudaStreamPerThread);
  return [](arrays& w, call& c) { mixed_body<middling_steps>(w, c); };
}

void prints_a_verdict(arrays& w, call& c) {
  affine_body(w, c);
  launch_verdict(c.queue());
}

// Half of the work on a GPU that it does not declare.
auto uses_another_gpu(arrays&, setup&) {
  return [memory = ridge::gpu::device_memory()](arrays& w, call& c) mutable {
    if (memory.bytes() == 0) {
      cudaSetDevice(1);
      memory = ridge::gpu::device_memory(64 << 20);
      cudaMemset(memory.data(), 0, memory.bytes());
      cudaSetDevice(0);
    }
    affine_body(w, c);
  };
}

}  // namespace

std::vector<cheat> disturbing_cheats() {
  const std::vector<std::string> left{"audit", "left_running", "refused"};
  return {
      {"burns_after_its_call", "A kernel that burns power runs on after the call", gain::others, left,
       "joined_stream", a_few_on_gpu<burns_after_its_call<true>>},
      {"burns_after_many_calls", "The same from the thirtieth call on", gain::others, left, "joined_stream",
       a_few_on_gpu<burns_after_its_call<false>>},
      {"burns_where_nobody_traces", "The same where no tracer is loaded", gain::others, left, "joined_stream",
       a_few_on_gpu<burns_where_nobody_traces>},
      {"burns_from_the_set_up_on", "A kernel of the set-up burns power for 0.3 s", gain::others, left,
       "joined_stream", a_few_on_gpu<burns_from_the_set_up_on>, "it has ended before anything is timed",
       true},
      {"thrashes_after_its_call", "A kernel that streams through memory runs on after the call", gain::others,
       left, "joined_stream", of_gpu_memory<thrashes_after_its_call>},
      {"prints_a_verdict_from_a_kernel",
       "A kernel prints what looks like a verdict",
       gain::report,
       {"discarded", "audit"},
       "same_kernel",
       brief_on_gpu<prints_a_verdict>},
      {"uses_another_gpu",
       "Opens a GPU that it does not declare",
       gain::others,
       {"refused", "audit"},
       "joined_stream",
       brief_on_gpu<uses_another_gpu>,
       "",
       true},
  };
}

}  // namespace ridge::cheats::cuda
