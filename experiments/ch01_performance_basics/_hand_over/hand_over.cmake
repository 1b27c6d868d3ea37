# SPDX-License-Identifier: Apache-2.0
# Slots passed between two threads, for the experiments of this chapter; included from their experiment.cmake.
if(NOT TARGET ridge_ch01_hand_over)
  add_library(ridge_ch01_hand_over INTERFACE)
  target_include_directories(ridge_ch01_hand_over INTERFACE ${CMAKE_CURRENT_LIST_DIR})
  target_compile_features(ridge_ch01_hand_over INTERFACE cxx_std_20)
  if(RIDGE_TESTS)
    ridge_test(experiment_ch01_hand_over SOURCES ${CMAKE_CURRENT_LIST_DIR}/hand_over_test.cpp
      DEPENDS ridge_ch01_hand_over LABELS unit threads)
  endif()
endif()
