# SPDX-License-Identifier: Apache-2.0
target_link_libraries(${target} PRIVATE ridge::mlp)
if(RIDGE_WITH_CUDA)
  target_link_libraries(${target} PRIVATE ridge::mlp_device)
endif()
