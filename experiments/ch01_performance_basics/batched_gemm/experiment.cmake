# SPDX-License-Identifier: Apache-2.0
target_link_libraries(${target} PRIVATE ridge::cpu ridge::vendor_openblas ridge::vendor_onednn)
if(RIDGE_WITH_CUDA)
  target_link_libraries(${target} PRIVATE ridge::kernels ridge::vendor_cublas)
endif()
