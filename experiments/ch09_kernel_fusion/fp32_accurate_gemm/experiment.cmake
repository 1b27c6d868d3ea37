# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  # The ring and the order of tiles, which are not found by their names.
  target_link_libraries(${target} PRIVATE ridge::kernels)
endif()
