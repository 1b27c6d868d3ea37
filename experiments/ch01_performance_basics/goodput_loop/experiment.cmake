# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/../_mlp/mlp.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../_hand_over/hand_over.cmake)
target_link_libraries(${target} PRIVATE ridge_ch01_mlp ridge_ch01_hand_over)
if(TARGET ridge_ch01_mlp_gpu)
  target_link_libraries(${target} PRIVATE ridge_ch01_mlp_gpu)
endif()
