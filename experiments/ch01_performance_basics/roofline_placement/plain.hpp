// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "roofline_placement.hpp"

// The six kernels as plain loops.
namespace ridge::experiments::ch01_roofline_placement {

void plain_add(workload& w, call&);
void plain_dot(workload& w, call&);
void plain_softmax(workload& w, call&);
void plain_norm(workload& w, call&);
void plain_gemv(workload& w, call&);
void plain_gemm(workload& w, call&);

}  // namespace ridge::experiments::ch01_roofline_placement
