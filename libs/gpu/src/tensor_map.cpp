// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/tensor_map.hpp>

#include <cstdint>
#include <string_view>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

constexpr std::size_t alignment = 16;
constexpr std::size_t most_elements = std::size_t{1} << 32;
constexpr std::size_t most_row_bytes = std::size_t{1} << 40;
constexpr unsigned most_in_box = 256;
constexpr unsigned since_cuda = 12000;

// Bytes of an element; 0 for types that fill 16 bytes with more than one row's elements.
std::size_t bytes_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

// The longest row of a box that a swizzle permutes; 0 for a swizzle that is not known here.
std::size_t most_box_row_bytes(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE:
      return most_in_box * sizeof(std::uint64_t);
    case CU_TENSOR_MAP_SWIZZLE_32B:
      return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B:
      return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B:
      return 128;
    default:
      return 0;
  }
}

error broken(std::string_view rule) {
  return {fmt::format("no tensor map: {}", rule), "use a kernel that does not copy by tensor maps"};
}

using encode_tiled = decltype(cuTensorMapEncodeTiled)*;

encode_tiled find_encode_tiled() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult outcome{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, since_cuda, cudaEnableDefault,
                                         &outcome),
        "cudaGetDriverEntryPointByVersion of cuTensorMapEncodeTiled");
  if (outcome != cudaDriverEntryPointSuccess || found == nullptr)
    throw unavailable("the driver's function cuTensorMapEncodeTiled",
                      "install a driver for CUDA 12 or newer");
  return reinterpret_cast<encode_tiled>(found);
}

}  // namespace

result<void> check_boxes(const matrix_boxes& boxes) {
  const auto element_bytes = bytes_of(boxes.type);
  const auto box_row_bytes = boxes.box_columns * element_bytes;
  if (element_bytes == 0) return broken("its element type is not known here");
  if (reinterpret_cast<std::uintptr_t>(boxes.data) % alignment != 0)
    return broken("the matrix begins at no multiple of 16 bytes");
  if (boxes.rows == 0 || boxes.columns == 0) return broken("the matrix is empty");
  if (boxes.rows > most_elements || boxes.columns > most_elements)
    return broken("the matrix has more than 2^32 rows or columns");
  if (boxes.row_bytes % alignment != 0 || boxes.row_bytes >= most_row_bytes)
    return broken("rows lie no multiple of 16 bytes below 2^40 apart");
  if (boxes.row_bytes / element_bytes < boxes.columns) return broken("rows overlap");
  if (boxes.box_rows == 0 || boxes.box_columns == 0) return broken("the box is empty");
  if (boxes.box_rows > most_in_box || boxes.box_columns > most_in_box)
    return broken("the box has more than 256 rows or columns");
  if (box_row_bytes % alignment != 0) return broken("a row of the box is no multiple of 16 bytes");
  if (box_row_bytes > most_box_row_bytes(boxes.swizzle))
    return broken("a row of the box is longer than its swizzle");
  return {};
}

CUtensorMap make_tensor_map(const matrix_boxes& boxes) {
  static const encode_tiled encode = find_encode_tiled();
  if (const auto checked = check_boxes(boxes); !checked) throw failure(checked.why());
  const cuuint64_t extents[] = {boxes.columns, boxes.rows}, strides[] = {boxes.row_bytes};
  const cuuint32_t box[] = {boxes.box_columns, boxes.box_rows}, every_element[] = {1, 1};
  CUtensorMap made;
  const auto status = encode(&made, boxes.type, 2, const_cast<void*>(boxes.data), extents, strides, box,
                             every_element, CU_TENSOR_MAP_INTERLEAVE_NONE, boxes.swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS)
    throw failure({fmt::format("cuTensorMapEncodeTiled of {} x {} elements failed with CUDA driver error {}",
                               boxes.rows, boxes.columns, static_cast<int>(status)),
                   "see whether the GPU has compute capability 9.0 or higher"});
  return made;
}

}  // namespace ridge::gpu
