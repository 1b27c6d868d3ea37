# SPDX-License-Identifier: Apache-2.0
# fp32 matrix products on the GPU for the experiments of this chapter; included from their experiment.cmake.
if(CMAKE_CUDA_COMPILER AND NOT TARGET ridge_ch01_gemm)
  add_library(ridge_ch01_gemm STATIC ${CMAKE_CURRENT_LIST_DIR}/square_products.cu)
  target_include_directories(ridge_ch01_gemm PUBLIC ${CMAKE_CURRENT_LIST_DIR})
  target_compile_features(ridge_ch01_gemm PUBLIC cxx_std_20)
  target_link_libraries(ridge_ch01_gemm
    PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>> ridge::gpu PUBLIC ridge::device)
  set_target_properties(ridge_ch01_gemm PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
endif()
