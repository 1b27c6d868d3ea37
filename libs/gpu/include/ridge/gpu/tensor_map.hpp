// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda.h>

#include <ridge/base/result.hpp>

// Tensor maps: what the instructions of ptx/bulk_copy.cuh need in order to copy a box of a matrix between
// global and shared memory (CUDA Driver API, "Tensor Map Object Management"). Compute capability 9.0.
namespace ridge::gpu {

// A row-major matrix in device memory, and the box of it that one instruction copies. In shared memory the
// rows of a box follow one another without a gap. What a box holds beyond the matrix is read as zero and not
// written.
struct matrix_boxes {
  const void* data = nullptr;  // a multiple of 16
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  std::size_t rows = 0, columns = 0;       // of the matrix
  std::size_t row_bytes = 0;               // from one row to the next; a multiple of 16
  unsigned box_rows = 0, box_columns = 0;  // at most 256 each; a row of a box is a multiple of 16 bytes
  // With a swizzle of 128, 64 or 32 bytes a row of a box is at most as long, and a box in shared memory is
  // aligned to eight rows. Of 128 bytes: part p of row r lies where swizzled_128b_offset(r, p) says.
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
};

// Whether a tensor map of these boxes exists; if not, the first rule that they break. Opens no driver.
[[nodiscard]] result<void> check_boxes(const matrix_boxes& boxes);

// The tensor map, a kernel's `const __grid_constant__ CUtensorMap` parameter. Throws failure where
// check_boxes finds an error or the driver refuses the map, and unavailable where the driver makes none.
[[nodiscard]] CUtensorMap make_tensor_map(const matrix_boxes& boxes);

}  // namespace ridge::gpu
