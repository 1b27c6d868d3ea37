# SPDX-License-Identifier: Apache-2.0
# One function per kind of target. A folder is a component is a target is a namespace.

# The project's flags on an archive that is exported: copied, not linked, so that no consumer needs their target.
function(ridge_compile_flags target)
  target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:ridge_flags,INTERFACE_COMPILE_OPTIONS>)
endfunction()

# Sources of one component in units of 24 (RIDGE_UNITY): names in unnamed namespaces must then differ within a component. A
# source that cannot share a unit (per-instruction-set dispatch, macros, own flags) is named in SKIP_UNITY.
function(ridge_unity target)
  cmake_parse_arguments(arg "" "" "SKIP_UNITY" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RIDGE_UNITY} UNITY_BUILD_BATCH_SIZE 24)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  if(sources)  # CMake 4 joins these as well
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(arg_SKIP_UNITY)
    set_source_files_properties(${arg_SKIP_UNITY} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# What a compiler cache needs to know of precompiled headers.
function(ridge_cacheable target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# Headers that the CXX sources of TARGET all include are read once (RIDGE_UNITY), by the object library HEADERS_NAME that the first
# such target makes and the others share: their compile flags must be the same. A target whose flags differ sets
# DISABLE_PRECOMPILE_HEADERS. Preset `dev` reads each header where it is included, so it finds a missing include.
function(ridge_precompiled target headers_name)
  cmake_parse_arguments(arg "" "" "HEADERS;DEPENDS;OPTIONS" ${ARGN})
  if(NOT RIDGE_UNITY OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(NOT TARGET ${headers_name})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${headers_name}.cpp CONTENT "// Nothing: ${headers_name} is its headers.\n" @ONLY)
    add_library(${headers_name} OBJECT ${CMAKE_BINARY_DIR}/${headers_name}.cpp)
    get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
    set_target_properties(${headers_name} PROPERTIES POSITION_INDEPENDENT_CODE ${pic})
    target_link_libraries(${headers_name} PRIVATE ${arg_DEPENDS})
    target_compile_options(${headers_name} PRIVATE ${arg_OPTIONS})
    target_compile_features(${headers_name} PRIVATE cxx_std_20)
    target_precompile_headers(${headers_name} PRIVATE ${arg_HEADERS})
    ridge_cacheable(${headers_name})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers_name})
  ridge_cacheable(${target})
endfunction()

# ridge_library(NAME SOURCES a.cpp... [DEPENDS ridge::x...] [PRIVATE_DEPENDS y...] [NEVER_TIMED] [TESTS_TIMED])
# Makes ridge_NAME (alias ridge::NAME) from src/, with include/ public, its tests from tests/*_test.cpp,
# and one translation unit per public header that proves the header compiles alone. NEVER_TIMED: its code is never inside
# a timed region, so a release compiles it for a short build, not for speed. TESTS_TIMED: its tests measure time (ridge_test).
function(ridge_library name)
  cmake_parse_arguments(arg "NEVER_TIMED;TESTS_TIMED" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS;TEST_DEPENDS;SKIP_UNITY" ${ARGN})
  set(target ridge_${name})
  list(TRANSFORM arg_SKIP_UNITY PREPEND src/)
  list(TRANSFORM arg_SOURCES PREPEND src/)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_DEPENDS})
    ridge_compile_flags(${target})
    ridge_unity(${target} SKIP_UNITY ${arg_SKIP_UNITY})
    target_include_directories(${target} PRIVATE src)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(arg_NEVER_TIMED)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(ridge::${name} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY RIDGE_INSTALL_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY RIDGE_INSTALL_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/include)
  if(RIDGE_TESTS)
    ridge_header_check(${name})
    file(GLOB tests CONFIGURE_DEPENDS tests/*_test.cpp)
    if(tests)
      set(timed)
      if(arg_TESTS_TIMED)
        set(timed TIMED)
      endif()
      ridge_test(${name} SOURCES ${tests} DEPENDS ridge::${name} ${arg_PRIVATE_DEPENDS} ${arg_TEST_DEPENDS} ${timed})
      if(arg_SOURCES)
        target_include_directories(test_${name} PRIVATE src)
      endif()
    endif()
  endif()
endfunction()

# Every public header of a component compiles on its own: looked at by tools/tidy, through clang, and by `ninja headers_NAME`.
function(ridge_header_check name)
  file(GLOB_RECURSE headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/include CONFIGURE_DEPENDS include/*.hpp)
  set(units)
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} stem)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/header_check/${stem}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include <${header}>\n#include <${header}>\n" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  if(units)
    add_library(headers_${name} OBJECT EXCLUDE_FROM_ALL ${units})
    target_compile_options(headers_${name} PRIVATE -O0)
    target_link_libraries(headers_${name} PRIVATE ridge_flags ridge::${name})
  endif()
endfunction()

# Targets that `all` leaves out and the target GROUP builds, which the first of them makes.
function(ridge_only_in group)
  if(NOT TARGET ${group})
    add_custom_target(${group})
  endif()
  set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(${group} ${ARGN})
endfunction()

# Programs that nobody needs to run the tests: `ninja by_hand` builds them, and CI does, but not `make test`.
function(ridge_by_hand)
  ridge_only_in(by_hand ${ARGN})
endfunction()

# What only tests labelled `slow` need: `ninja slow_tests` builds it for `make test-slow`, and `make test` does not.
function(ridge_slow)
  ridge_only_in(slow_tests ${ARGN})
endfunction()

# Components that compute on values alone: no memory of their own, no bytes from outside, no threads. A sanitized build leaves
# their tests out of `all`, for they are a third of its time: `ninja value_tests`, then `ctest -L values`.
set(RIDGE_VALUE_COMPONENTS analysis app app_plan app_results app_trace changes hardware plan plan_kernels plan_report plan_serve plan_train
  report results selftest stats trace_report validity)

# ridge_test(NAME SOURCES ... [DEPENDS ...] [LABELS unit] [TIMEOUT 120] [LONG] [TIMED]): one GoogleTest program, one CTest entry.
# A test's own code is compiled without optimization, for half of its compile time is the optimizer's; LONG: with it, as the
# test itself computes for long. TIMED: its tests measure time, so what fails is run again (tests/again), and it has 600 s.
function(ridge_test name)
  cmake_parse_arguments(arg "LONG;TIMED" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT RIDGE_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  add_executable(test_${name} ${arg_SOURCES})
  ridge_unity(test_${name})
  if("threads" IN_LIST arg_LABELS)
    if(NOT TARGET thread_tests)
      add_custom_target(thread_tests)  # what the thread sanitizer runs
    endif()
    add_dependencies(thread_tests test_${name})
  endif()
  if("slow" IN_LIST arg_LABELS)
    ridge_slow(test_${name})
  endif()
  if("figures" IN_LIST arg_LABELS)
    set(arg_LONG ON)
  endif()
  target_link_libraries(test_${name} PRIVATE ridge_flags ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  if(NOT arg_LONG)
    target_compile_options(test_${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O0>)
    ridge_precompiled(test_${name} ridge_test_headers HEADERS <gmock/gmock.h> <gtest/gtest.h> DEPENDS ridge_flags GTest::gmock
      OPTIONS $<$<CONFIG:Release>:-O0>)
  endif()
  if(arg_TIMED)
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/again $<TARGET_FILE:test_${name}> --gtest_brief=1)
    set(arg_TIMEOUT 600)
  else()
    add_test(NAME ${name} COMMAND test_${name} --gtest_brief=1)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(RIDGE_SANITIZE AND name IN_LIST RIDGE_VALUE_COMPONENTS)
    list(APPEND arg_LABELS values)
    ridge_only_in(value_tests test_${name})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(RIDGE_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
  endif()
  set(variables "RIDGE_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
  if(RIDGE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    list(APPEND variables "RIDGE_UNOPTIMIZED=judged")  # the whole build is what no verdict is given on
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${variables}")
endfunction()
