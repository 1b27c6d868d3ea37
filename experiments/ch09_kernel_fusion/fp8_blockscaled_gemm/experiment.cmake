# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  # The product in bf16, the ring and the order of tiles, which are not found by their names.
  target_link_libraries(${target} PRIVATE ridge::kernels)
endif()
