# SPDX-License-Identifier: Apache-2.0
# Options, the build type, and the one interface target that holds the project's flags.

set(ridge_is_top_level ${PROJECT_IS_TOP_LEVEL})
option(RIDGE_TESTS "Build the tests" ${ridge_is_top_level})
option(RIDGE_WERROR "Treat warnings as errors" ${ridge_is_top_level})
option(RIDGE_FUZZ "Build the fuzz programs with libFuzzer (clang)" OFF)
option(RIDGE_UNITY "Compile several sources of a component as one, and read common headers once: a cold build takes half the time" OFF)
set(RIDGE_EXPERIMENTS_PER_UNIT 1 CACHE STRING "How many simple experiments of a chapter are compiled as one; where nothing is timed, for what is timed must not depend on its neighbours")
option(RIDGE_LAYOUTS "Link each chapter four times, with its code at other addresses, for `ridge run --forks`" OFF)
set(RIDGE_SANITIZE "" CACHE STRING "Sanitizers: empty, address+undefined, or thread")

if(ridge_is_top_level AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
if(ridge_is_top_level)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(RIDGE_CCACHE ccache)
  if(RIDGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # What it takes to keep objects that were compiled with a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${RIDGE_CCACHE})
  endif()
endif()

add_library(ridge_flags INTERFACE)
target_compile_features(ridge_flags INTERFACE cxx_std_20)
set(ridge_warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -ffp-contract=off $<$<BOOL:${RIDGE_WERROR}>:-Werror>)
if(RIDGE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # One source's locals do not shadow what another source keeps in its unnamed namespace.
  list(TRANSFORM ridge_warnings REPLACE "^-Wshadow$" "-Wshadow=local")
  # Collecting garbage later saves 5 to 10 % of a unit's processor time for 300 MB more.
  target_compile_options(ridge_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
elseif(RIDGE_UNITY)
  list(REMOVE_ITEM ridge_warnings -Wshadow)
endif()
target_compile_options(ridge_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${ridge_warnings}>"
  # GPU code may contract: its tolerance says so. What nvcc passes to the host compiler is generated: few warnings hold there.
  "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra,-Wno-unused-parameter,-ffp-contract=off>"
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${RIDGE_WERROR}>>:-Werror=all-warnings>"
  # -Wrestrict: GCC 12 reports std::string::insert and replace falsely (its bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-missing-field-initializers;-Wno-restrict>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-missing-field-initializers>)
if(RIDGE_SANITIZE STREQUAL "address+undefined")
  # -Wmaybe-uninitialized: with the checks of the sanitizers in it, GCC 12 reports moves of std::variant falsely.
  target_compile_options(ridge_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(ridge_flags INTERFACE -fsanitize=address,undefined)
elseif(RIDGE_SANITIZE STREQUAL "thread")
  target_compile_options(ridge_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(ridge_flags INTERFACE -fsanitize=thread)
elseif(RIDGE_SANITIZE)
  message(FATAL_ERROR "RIDGE_SANITIZE is '${RIDGE_SANITIZE}': use address+undefined or thread")
endif()
if(RIDGE_FUZZ)
  target_compile_options(ridge_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(ridge_flags INTERFACE -fsanitize=address,undefined)
endif()
