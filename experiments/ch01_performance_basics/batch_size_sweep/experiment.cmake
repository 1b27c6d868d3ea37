# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/../_mlp/mlp.cmake)
target_link_libraries(${target} PRIVATE ridge_ch01_mlp)
if(TARGET ridge_ch01_mlp_gpu)
  target_link_libraries(${target} PRIVATE ridge_ch01_mlp_gpu)
endif()
