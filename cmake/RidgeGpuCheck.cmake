# SPDX-License-Identifier: Apache-2.0
# What tools/gpu-check runs besides `ridge`, and what a bundle must therefore hold: the lists are in tests/CMakeLists.txt.
# Build them with the target `gpu_check`.

if(NOT TARGET gpu_check)
  add_custom_target(gpu_check)
endif()

# ridge_gpu_check(PART TARGET...): programs of one part of gpu-check ("tests" or "floor"), in the order they run.
# A target that is not in this build is left out, by name.
function(ridge_gpu_check part)
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      message(STATUS "gpu-check: no program ${target} in this build")
      continue()
    endif()
    add_dependencies(gpu_check ${target})
    # A bundle carries its shared libraries in lib/, beside libexec/.
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../../lib")
    install(TARGETS ${target} RUNTIME DESTINATION libexec/ridge COMPONENT gpu_check)
    set_property(GLOBAL APPEND_STRING PROPERTY RIDGE_GPU_CHECK_LIST "${part} $<TARGET_FILE_NAME:${target}>\n")
  endforeach()
endfunction()

# Writes the list that gpu-check reads, and installs it with the tools that it calls.
function(ridge_gpu_check_install)
  get_property(list GLOBAL PROPERTY RIDGE_GPU_CHECK_LIST)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/gpu-check.list CONTENT "${list}")
  install(FILES ${PROJECT_BINARY_DIR}/gpu-check.list DESTINATION libexec/ridge COMPONENT gpu_check)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/gpu-check ${PROJECT_SOURCE_DIR}/tools/sass-counts
    ${PROJECT_SOURCE_DIR}/tools/check-opcodes DESTINATION tools COMPONENT gpu_check)
  install(FILES ${PROJECT_SOURCE_DIR}/tests/codegen/sass.expect DESTINATION libexec/ridge COMPONENT gpu_check)
endfunction()
