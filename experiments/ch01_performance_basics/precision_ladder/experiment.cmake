# SPDX-License-Identifier: Apache-2.0
target_link_libraries(${target} PRIVATE ridge::cpu ridge::vendor_onednn)
include(${CMAKE_CURRENT_LIST_DIR}/../_matmul/matmul.cmake)
if(TARGET ridge_ch01_matmul)
  target_link_libraries(${target} PRIVATE ridge_ch01_matmul)
endif()
# The dequantization is a loop over the output.
set_source_files_properties(${folder}/convert.cpp PROPERTIES COMPILE_OPTIONS -O3)
