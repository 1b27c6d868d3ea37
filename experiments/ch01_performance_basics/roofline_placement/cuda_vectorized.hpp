// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "roofline_placement.hpp"

// The kernels that memory bounds, with 16 bytes a load and enough of them on the way. Rows that are no whole
// number of vectors, and rows too long for the registers of a block, go to the plain kernels.
namespace ridge::experiments::ch01_roofline_placement::on_gpu {

void vectorized_add(workload& w, call& c);
void vectorized_softmax(workload& w, call& c);
void vectorized_norm(workload& w, call& c);
void vectorized_gemv(workload& w, call& c);

// One launch: the block that finishes last adds up what the others left.
class vectorized_dot {
 public:
  vectorized_dot(const workload& shape, setup& s);
  void operator()(workload& w, call& c) const;

 private:
  std::span<float> partial_{};
  std::span<unsigned> finished_{};  // blocks; back at zero after each launch
};

}  // namespace ridge::experiments::ch01_roofline_placement::on_gpu
