// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_transpose {

// Writes the transpose of a row-major matrix.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<float> source{};   // rows x columns
  output<float> target{};  // columns x rows
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a transposition of kernels.cu on `queue`: an element a thread, whose writes lie a row apart;
// tiles in padded shared memory; tiles of which each thread transposes blocks of 4 x 4 in registers; the same
// with tiles that are copied by tensor maps. The last two go to the padded tiles where rows do not begin at
// multiples of 16 bytes.
void launch_naive(const workload& w, stream queue);
void launch_padded(const workload& w, stream queue);
void launch_quads(const workload& w, stream queue);
void launch_tensor_tiles(const workload& w, stream queue);

}  // namespace ridge::experiments::ch07_transpose
