# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  target_link_libraries(${target} PRIVATE ridge::vendor_cublaslt)  # holds planned_matmul.hpp
endif()
# The dequantization is a loop over the output.
set_source_files_properties(${folder}/convert.cpp PROPERTIES COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
