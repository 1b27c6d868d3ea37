# SPDX-License-Identifier: Apache-2.0
if(RIDGE_WITH_CUDA)
  # The kernel's skeleton, which is not found by its name.
  target_link_libraries(${target} PRIVATE ridge::kernels)
  ridge_compile_only(${target} 100a ${folder}/kernels.cu)
endif()
