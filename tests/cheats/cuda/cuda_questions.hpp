// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/stream.hpp>

#include "cuda/cuda_cheats.hpp"
#include "cuda/kernels.hpp"
#include "questions.hpp"

namespace ridge::cheats::cuda {

inline constexpr int few_steps = 512, middling_steps = 3072, many_steps = 24576, root_steps = 64;

// The experiment `cheats.<id>` on this shape, with variants on a GPU.
[[nodiscard]] experiment_of<arrays> pose_on_gpu(const std::string& id, const shape& stated,
                                                ladder_of<arrays> variants);

// The honest bodies.
void affine_body(arrays& w, call& c);
template <int Steps>
void mixed_body(arrays& w, call& c) {
  launch_mixed(w.source.data(), w.target.data(), w.source.size(), Steps, c.queue());
}
void root_body(arrays& w, call& c);

// The answers that oracles give.
void mixed_answers(arrays& w, int steps);
template <int Steps>
void mixed_oracle(arrays& w) {
  mixed_answers(w, Steps);
}
void root_chain_oracle(arrays& w);

// A call takes a few microseconds, so that a sample makes hundreds of them.
template <auto Candidate>
[[nodiscard]] experiment brief_on_gpu(const std::string& id) {
  return pose_on_gpu(id, {.elements = (1 << 18) + 5, .answer = affine_oracle},
                     pair_of<affine_body, Candidate>);
}
// A call takes some 20 microseconds; a sample makes some tens.
template <auto Candidate>
[[nodiscard]] experiment a_few_on_gpu(const std::string& id) {
  return pose_on_gpu(id, {.elements = 2048 + 5, .answer = mixed_oracle<middling_steps>},
                     pair_of<mixed_body<middling_steps>, Candidate>);
}
// A sample is one call of some 150 microseconds.
template <auto Candidate>
[[nodiscard]] experiment single_on_gpu(const std::string& id) {
  return pose_on_gpu(id, {.elements = 2048 + 5, .answer = mixed_oracle<many_steps>},
                     pair_of<mixed_body<many_steps>, Candidate>);
}
// All multiprocessors are busy for some 10 microseconds.
template <auto Candidate>
[[nodiscard]] experiment wide_on_gpu(const std::string& id) {
  return pose_on_gpu(id, {.elements = (1 << 17) + 5, .answer = mixed_oracle<few_steps>},
                     pair_of<mixed_body<few_steps>, Candidate>);
}
// A call is bound by memory.
template <auto Candidate>
[[nodiscard]] experiment of_gpu_memory(const std::string& id) {
  return pose_on_gpu(id, {.elements = (1 << 22) + 5, .answer = affine_oracle},
                     pair_of<affine_body, Candidate>);
}
// Chains of inverse square roots, compared within `relative` of each.
[[nodiscard]] shape root_chain_shape(double relative);
template <auto Candidate>
[[nodiscard]] experiment in_roots(const std::string& id) {
  return pose_on_gpu(id, root_chain_shape(1e-5), pair_of<root_body, Candidate>);
}

// A stream of the candidate's own, with an event that orders it behind the call's queue.
class own_stream {
 public:
  // Makes what is enqueued here from now on wait for the queue.
  void follow(queue_handle queue) {
    reached_.record(queue);
    reached_.hold_back(stream_);
  }
  // Makes the queue wait for what is enqueued here.
  void join(queue_handle queue) {
    reached_.record(stream_);
    reached_.hold_back(queue);
  }
  void synchronize() const { stream_.synchronize(); }
  operator queue_handle() const { return stream_.handle(); }

 private:
  ridge::gpu::stream stream_{};
  ridge::gpu::event reached_{};
};

// Counts the calls of a candidate in its process: what comes after the first thirty is neither verified nor
// audited.
[[nodiscard]] bool is_long_past_verification();
// Whether a tracer of the GPU is loaded into this process.
[[nodiscard]] bool is_traced();

}  // namespace ridge::cheats::cuda
