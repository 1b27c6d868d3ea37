# SPDX-License-Identifier: Apache-2.0
find_package(hwy REQUIRED)
target_link_libraries(${target} PRIVATE hwy::hwy ridge::cpu ridge::vendor_openblas ridge::vendor_onednn)
if(RIDGE_WITH_CUDA)
  target_link_libraries(${target} PRIVATE ridge::kernels ridge::vendor_cublas)
endif()
# The plain loops with what a compiler makes of them; the others are vectorized by hand.
set_source_files_properties(${folder}/plain.cpp PROPERTIES COMPILE_OPTIONS -O3)
