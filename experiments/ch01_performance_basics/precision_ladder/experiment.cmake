# SPDX-License-Identifier: Apache-2.0
target_link_libraries(${target} PRIVATE ridge::cpu ridge::vendor_onednn)
if(RIDGE_WITH_CUDA)
  target_link_libraries(${target} PRIVATE ridge::vendor_cublaslt)
endif()
# The dequantization is a loop over the output.
set_source_files_properties(${folder}/convert.cpp PROPERTIES COMPILE_OPTIONS -O3)
