# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  # planned_matmul.hpp, which is not found by its name.
  target_link_libraries(${target} PRIVATE ridge::vendor_cublaslt)
endif()
