# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  target_link_libraries(${target} PRIVATE ridge::vendor_cublaslt)  # holds planned_matmul.hpp
endif()
