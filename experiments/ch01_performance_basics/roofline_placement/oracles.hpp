// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "roofline_placement.hpp"

// The six kernels in double precision, each element rounded once.
namespace ridge::experiments::ch01_roofline_placement {

void expect_vector_add(workload& w);
void expect_dot(workload& w);
void expect_softmax(workload& w);
void expect_norm(workload& w);
void expect_gemv(workload& w);
void expect_gemm(workload& w);
[[nodiscard]] double gemm_element(const workload& w, std::size_t index);

}  // namespace ridge::experiments::ch01_roofline_placement
