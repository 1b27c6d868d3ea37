# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  # planned_matmul.hpp and the kernel's skeleton, which are not found by their names.
  target_link_libraries(${target} PRIVATE ridge::vendor_cublaslt ridge::kernels)
endif()
