# SPDX-License-Identifier: Apache-2.0
# The perceptron that several experiments of this chapter train; included from their experiment.cmake.
if(NOT TARGET ridge_ch01_mlp)
  find_package(hwy REQUIRED)
  set(mlp_folder ${CMAKE_CURRENT_LIST_DIR})
  add_library(ridge_ch01_mlp STATIC ${mlp_folder}/plain_layers.cpp ${mlp_folder}/plain_step.cpp
    ${mlp_folder}/reference_gradient.cpp ${mlp_folder}/fused_product.cpp ${mlp_folder}/captured_step.cpp
    ${mlp_folder}/blas_gradient.cpp)
  target_include_directories(ridge_ch01_mlp PUBLIC ${mlp_folder})
  target_compile_features(ridge_ch01_mlp PUBLIC cxx_std_20)
  target_compile_options(ridge_ch01_mlp PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
  target_link_libraries(ridge_ch01_mlp PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>> hwy::hwy
    ridge::vendor_openblas)
  file(GLOB mlp_tests CONFIGURE_DEPENDS ${mlp_folder}/*_test.cpp)
  if(RIDGE_TESTS)
    ridge_test(experiment_ch01_mlp SOURCES ${mlp_tests} DEPENDS ridge_ch01_mlp ridge::vendor_openblas)
  endif()
endif()

# Its steps on the GPU.
include(${CMAKE_CURRENT_LIST_DIR}/../_matmul/matmul.cmake)
if(RIDGE_WITH_CUDA AND NOT TARGET ridge_ch01_mlp_gpu)
  file(GLOB mlp_gpu_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/device_*.cu)
  add_library(ridge_ch01_mlp_gpu STATIC ${mlp_gpu_sources})
  target_include_directories(ridge_ch01_mlp_gpu PUBLIC ${CMAKE_CURRENT_LIST_DIR})
  set_target_properties(ridge_ch01_mlp_gpu PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  target_link_libraries(ridge_ch01_mlp_gpu PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>>
    PUBLIC ridge_ch01_matmul ridge::gpu)
endif()
