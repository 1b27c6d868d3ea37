// SPDX-License-Identifier: Apache-2.0
// Results that are wrong in every call, and arrays that are not the body's to write.
#include <cuda_runtime_api.h>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

void leaves_blocks_out(arrays& w, call& c) {
  launch_some_blocks_mixed(w.source.data(), w.target.data(), w.source.size(), few_steps, c.queue());
}
void leaves_the_edge_out(arrays& w, call& c) {
  launch_mixed(w.source.data(), w.target.data(), w.source.size() / 128 * 128, few_steps, c.queue());
}
void sets_zeros(arrays& w, call& c) { cudaMemsetAsync(w.target.data(), 0, w.target.size_bytes(), c.queue()); }
void computes_fewer_steps(arrays& w, call& c) {
  launch_mixed(w.source.data(), w.target.data(), w.source.size(), few_steps / 2, c.queue());
}
void computes_in_half_precision(arrays& w, call& c) {
  launch_half_roots(w.source.data(), w.target.data(), w.source.size(), root_steps, c.queue());
}
void hands_out_its_source(arrays& w, call& c) {
  cudaMemcpyAsync(w.target.data(), w.source.data(), w.target.size_bytes(), cudaMemcpyDeviceToDevice,
                  c.queue());
}

// The elements behind the target belong to whoever comes next in memory.
void writes_beyond_its_target(arrays& w, call& c) {
  affine_body(w, c);
  launch_stray_writes(w.target.data(), static_cast<std::ptrdiff_t>(w.target.size()), 4, c.queue());
}
void writes_beyond_its_target_later(arrays& w, call& c) {
  affine_body(w, c);
  if (is_long_past_verification())
    launch_stray_writes(w.target.data(), static_cast<std::ptrdiff_t>(w.target.size()), 4, c.queue());
}
void changes_its_source(arrays& w, call& c) {
  launch_in_place(const_cast<float*>(w.source.data()), 64, false, c.queue());
  affine_body(w, c);
}
void changes_its_source_later(arrays& w, call& c) {
  affine_body(w, c);
  if (is_long_past_verification()) launch_in_place(const_cast<float*>(w.source.data()), 64, false, c.queue());
}

}  // namespace

std::vector<cheat> wrong_cheats() {
  const std::vector<std::string> refused{"refused"};
  const std::vector<std::string> later{"guards", "timed_results", "baseline", "refused"};
  return {
      {"leaves_blocks_out", "Two blocks of three are not computed", gain::time, refused, "same_kernel",
       wide_on_gpu<leaves_blocks_out>},
      {"leaves_the_edge_out", "The last elements, which fill no block, are not computed", gain::time, refused,
       "same_kernel", wide_on_gpu<leaves_the_edge_out>},
      {"sets_zeros", "The target is set to zeros", gain::time, refused, "same_kernel",
       wide_on_gpu<sets_zeros>},
      {"computes_fewer_steps", "Half of the steps are left out", gain::time, refused, "same_kernel",
       wide_on_gpu<computes_fewer_steps>},
      {"computes_in_half_precision", "16 bits where the tolerance asks for 24", gain::time, refused,
       "estimates_within_tolerance", in_roots<computes_in_half_precision>},
      {"hands_out_its_source", "The target is a copy of the source", gain::time, refused, "same_kernel",
       wide_on_gpu<hands_out_its_source>},
      {"writes_beyond_its_target",
       "Writes four elements behind its target",
       gain::others,
       {"refused", "baseline", "skipped"},
       "same_kernel",
       brief_on_gpu<writes_beyond_its_target>},
      {"writes_beyond_its_target_later", "The same from the thirtieth call on", gain::others, later,
       "same_kernel", brief_on_gpu<writes_beyond_its_target_later>},
      {"changes_its_source", "Changes elements of its source", gain::others, refused, "in_place_on_gpu",
       brief_on_gpu<changes_its_source>},
      {"changes_its_source_later", "The same from the thirtieth call on, once it has read them", gain::others,
       later, "in_place_on_gpu", brief_on_gpu<changes_its_source_later>},
  };
}

}  // namespace ridge::cheats::cuda
