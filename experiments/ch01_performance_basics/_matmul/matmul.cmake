# SPDX-License-Identifier: Apache-2.0
# A planned product by cuBLASLt, for the GPU ladders of this chapter; included from their experiment.cmake.
if(RIDGE_WITH_CUDA AND NOT TARGET ridge_ch01_matmul)
  add_library(ridge_ch01_matmul STATIC ${CMAKE_CURRENT_LIST_DIR}/planned_matmul.cpp)
  target_include_directories(ridge_ch01_matmul PUBLIC ${CMAKE_CURRENT_LIST_DIR})
  target_compile_features(ridge_ch01_matmul PUBLIC cxx_std_20)
  target_link_libraries(ridge_ch01_matmul PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>>
    PUBLIC ridge::vendor_cublaslt ridge::gpu)
endif()
