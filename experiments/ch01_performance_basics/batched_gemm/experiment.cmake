# SPDX-License-Identifier: Apache-2.0
target_link_libraries(${target} PRIVATE ridge::cpu ridge::vendor_openblas ridge::vendor_onednn)
if(CMAKE_CUDA_COMPILER)
  include(${CMAKE_CURRENT_LIST_DIR}/../_gemm/gemm.cmake)
  target_link_libraries(${target} PRIVATE ridge_ch01_gemm ridge::vendor_cublas)
endif()
