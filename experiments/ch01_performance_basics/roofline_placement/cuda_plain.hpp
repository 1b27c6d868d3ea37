// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "roofline_placement.hpp"

// The six kernels on the GPU, each as the simplest that is right and coalesced.
namespace ridge::experiments::ch01_roofline_placement::on_gpu {

void plain_add(workload& w, call& c);
void plain_softmax(workload& w, call& c);
void plain_norm(workload& w, call& c);
void plain_gemv(workload& w, call& c);
void plain_gemm(workload& w, call& c);

// A kernel for the sums of the blocks, another for their sum.
class plain_dot {
 public:
  plain_dot(const workload& shape, setup& s);
  void operator()(workload& w, call& c) const;

 private:
  std::span<float> partial_{};
};

}  // namespace ridge::experiments::ch01_roofline_placement::on_gpu
