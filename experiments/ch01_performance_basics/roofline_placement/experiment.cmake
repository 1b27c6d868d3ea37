# SPDX-License-Identifier: Apache-2.0
find_package(hwy REQUIRED)
target_link_libraries(${target} PRIVATE hwy::hwy ridge::cpu ridge::vendor_openblas ridge::vendor_onednn)
if(CMAKE_CUDA_COMPILER)
  include(${CMAKE_CURRENT_LIST_DIR}/../_gemm/gemm.cmake)
  target_link_libraries(${target} PRIVATE ridge_ch01_gemm ridge::vendor_cublas)
endif()
# The plain loops with what a compiler makes of them; the others are vectorized by hand.
set_source_files_properties(${folder}/plain.cpp PROPERTIES COMPILE_OPTIONS -O3)
