# SPDX-License-Identifier: Apache-2.0
# One function per kind of target. A folder is a component is a target is a namespace.

# The project's flags on an archive that is exported: copied, not linked, so that no consumer needs their target.
function(ridge_compile_flags target)
  target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:ridge_flags,INTERFACE_COMPILE_OPTIONS>)
endfunction()

# Sources of one component in units of twelve (RIDGE_UNITY): names in unnamed namespaces must then differ within a component. A
# source that cannot share a unit (per-instruction-set dispatch, macros, own flags) is named in SKIP_UNITY.
set(ridge_single_units
  ridge_app
  ridge_app_plan
  ridge_app_trace
  ridge_plan
  ridge_plan_report
  ridge_report
  ridge_trace
  ridge_trace_nsys_sqlite
  ridge_trace_report
  test_plan
  test_plan_serve
  test_plan_train
  test_report
  test_trace
  test_trace_host
  test_trace_kernels
  test_trace_rules)
function(ridge_unity target)
  cmake_parse_arguments(arg "" "" "SKIP_UNITY" ${ARGN})
  if(NOT target IN_LIST ridge_single_units)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${RIDGE_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  endif()
  if(arg_SKIP_UNITY)
    set_source_files_properties(${arg_SKIP_UNITY} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# ridge_library(NAME SOURCES a.cpp... [DEPENDS ridge::x...] [PRIVATE_DEPENDS y...] [NEVER_TIMED])
# Makes ridge_NAME (alias ridge::NAME) from src/, with include/ public, its tests from tests/*_test.cpp,
# and one translation unit per public header that proves the header compiles alone. NEVER_TIMED: its code only prints or
# asks, so a release compiles it for a short build, not for speed.
function(ridge_library name)
  cmake_parse_arguments(arg "NEVER_TIMED" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS;TEST_DEPENDS;SKIP_UNITY" ${ARGN})
  set(target ridge_${name})
  list(TRANSFORM arg_SKIP_UNITY PREPEND src/)
  list(TRANSFORM arg_SOURCES PREPEND src/)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_DEPENDS})
    ridge_compile_flags(${target})
    ridge_unity(${target} SKIP_UNITY ${arg_SKIP_UNITY})
    if(arg_NEVER_TIMED)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    target_include_directories(${target} PRIVATE src)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
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
      ridge_test(${name} SOURCES ${tests} DEPENDS ridge::${name} ${arg_PRIVATE_DEPENDS} ${arg_TEST_DEPENDS})
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

# ridge_test(NAME SOURCES ... [DEPENDS ...] [LABELS unit] [TIMEOUT 60]): one GoogleTest program, one CTest entry.
function(ridge_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT RIDGE_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  add_executable(test_${name} ${arg_SOURCES})
  ridge_unity(test_${name})
  target_link_libraries(test_${name} PRIVATE ridge_flags ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND test_${name} --gtest_brief=1)
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "RIDGE_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()
