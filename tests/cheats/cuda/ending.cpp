// SPDX-License-Identifier: Apache-2.0
// Candidates that take their process or the GPU's context with them.
#include <csignal>

#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

// Answers like the baseline and then does `Act`; at once, or where nobody verifies any more.
template <auto Act, bool Later>
void then(arrays& w, call& c) {
  affine_body(w, c);
  if (!Later || is_long_past_verification()) Act(w, c);
}

void endless(arrays&, call& c) { launch_endless(c.queue()); }
void endless_beside(arrays&, call&) { launch_endless(cudaStreamPerThread); }
void trapped(arrays&, call& c) { launch_trap(c.queue()); }
void astray(arrays& w, call& c) {
  launch_stray_writes(w.target.data(), std::ptrdiff_t{1} << 40, 32, c.queue());
}
void reset(arrays&, call&) { cudaDeviceReset(); }
void crashed(arrays&, call&) { std::raise(SIGSEGV); }

}  // namespace

std::vector<cheat> ending_cheats() {
  const std::vector<std::string> refused{"refused"};
  return {
      {"does_not_end", "A kernel of its call does not end", gain::others, refused, "same_kernel",
       brief_on_gpu<then<endless, false>>},
      {"does_not_end_later", "The same from the thirtieth call on", gain::others, refused, "same_kernel",
       brief_on_gpu<then<endless, true>>},
      {"leaves_an_endless_kernel",
       "A kernel on a stream of its own does not end",
       gain::others,
       {"refused", "left_running", "audit"},
       "joined_stream",
       brief_on_gpu<then<endless_beside, true>>},
      {"traps", "A kernel traps", gain::others, refused, "same_kernel", brief_on_gpu<then<trapped, false>>},
      {"faults_later", "A kernel writes to unmapped memory from the thirtieth call on", gain::others, refused,
       "same_kernel", brief_on_gpu<then<astray, true>>},
      {"resets_the_device", "The call resets the device from the thirtieth on", gain::others, refused,
       "same_kernel", brief_on_gpu<then<reset, true>>},
      {"crashes_the_process", "The process of the timed call is killed by a signal", gain::others, refused,
       "same_kernel", brief_on_gpu<then<crashed, true>>},
  };
}

}  // namespace ridge::cheats::cuda
