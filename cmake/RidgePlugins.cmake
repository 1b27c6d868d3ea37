# SPDX-License-Identifier: Apache-2.0
# Experiments and backends are found by folder; CMake writes one list of their factory functions.

# ridge_backend(INTERFACE NAME SOURCES ... [DEPENDS ...] [PRIVATE_DEPENDS ...])
# Called by backends/<interface>/<name>/CMakeLists.txt. Makes the target ridge_<interface>_<name>.
function(ridge_backend interface name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS;SKIP_UNITY" ${ARGN})
  set(target ridge_${interface}_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(ridge::${interface}_${name} ALIAS ${target})
  target_link_libraries(${target} PUBLIC ridge::${interface} ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  ridge_compile_flags(${target})
  ridge_unity(${target} SKIP_UNITY ${arg_SKIP_UNITY})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${interface}_${name} POSITION_INDEPENDENT_CODE ON CUDA_STANDARD 20)
  set_property(GLOBAL APPEND PROPERTY RIDGE_INSTALL_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY RIDGE_BACKENDS_${interface} ${name})
  file(GLOB tests CONFIGURE_DEPENDS tests/*_test.cpp)
  if(RIDGE_TESTS AND tests)
    ridge_test(${interface}_${name} SOURCES ${tests} DEPENDS ${target} ridge_${interface}_conformance)
  endif()
endfunction()

# ridge_experiments(OUT_TARGET DIR...): every DIR/<chapter>/<experiment>/experiment.cpp becomes an object library;
# OUT_TARGET is an interface library holding all of them and the generated list `ridge::experiments::all()`.
# DIR itself may also be a chapter folder or one experiment's folder.
function(ridge_experiments out)
  set(found)
  foreach(dir IN LISTS ARGN)
    get_filename_component(dir ${dir} ABSOLUTE)
    file(GLOB files CONFIGURE_DEPENDS ${dir}/experiment.cpp ${dir}/*/experiment.cpp ${dir}/*/*/experiment.cpp)
    list(APPEND found ${files})
  endforeach()
  list(SORT found)
  set(declarations "")
  set(calls "")
  add_library(${out} INTERFACE)
  foreach(file IN LISTS found)
    get_filename_component(folder ${file} DIRECTORY)
    ridge_experiment_id(${folder} id ns)
    if(ns MATCHES "^_" OR folder MATCHES "/_")
      continue()
    endif()
    file(READ ${file} text)
    if(NOT text MATCHES "\\.id = \"${id}\"")
      message(FATAL_ERROR "${file}: the folder makes this experiment `${id}`, but no `.id = \"${id}\"` stands in the file")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    if(text MATCHES "std::vector<experiment> make\\(\\)")
      string(APPEND declarations "namespace ${ns} { std::vector<experiment> make(); }\n")
    else()
      string(APPEND declarations "namespace ${ns} { experiment make(); }\n")
    endif()
    string(APPEND calls "  append(list, ${ns}::make());\n")
    ridge_experiment_target(${folder} ${ns})
    target_link_libraries(${out} INTERFACE experiment_${ns})
    target_sources(${out} INTERFACE $<TARGET_OBJECTS:experiment_${ns}>)
  endforeach()
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/${out}_list.cpp)
  file(CONFIGURE OUTPUT ${list_file} @ONLY CONTENT "// Generated from the folders of experiments.
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/experiment_list.hpp>
namespace ridge::experiments {
${declarations}namespace {
[[maybe_unused]] void append(std::vector<experiment>& list, experiment one) { list.push_back(std::move(one)); }
[[maybe_unused]] void append(std::vector<experiment>& list, std::vector<experiment> many) {
  for (auto& one : many) list.push_back(std::move(one));
}
}  // namespace
std::vector<experiment> all() {
  std::vector<experiment> list;
${calls}  return list;
}
}  // namespace ridge::experiments
")
  target_sources(${out} INTERFACE ${list_file})
  target_link_libraries(${out} INTERFACE ridge::harness)
endfunction()

# experiments/ch07_memory_access/coalescing -> id ch07.coalescing, namespace ch07_coalescing;
# experiments/labs/engine/serve_load -> id labs.engine.serve_load, namespace labs_engine_serve_load.
function(ridge_experiment_id folder id_out ns_out)
  get_filename_component(name ${folder} NAME)
  get_filename_component(parent_path ${folder} DIRECTORY)
  get_filename_component(parent ${parent_path} NAME)
  get_filename_component(grand_path ${parent_path} DIRECTORY)
  get_filename_component(grand ${grand_path} NAME)
  if(name MATCHES "^(ch[0-9][0-9])\\.(.+)$")  # a folder made by `ridge new experiment chNN.name`
    set(id ${name})
  elseif(grand STREQUAL "labs")
    set(id labs.${parent}.${name})
  else()
    string(REGEX REPLACE "_.*$" "" chapter ${parent})
    set(id ${chapter}.${name})
  endif()
  string(REPLACE "." "_" ns ${id})
  set(${id_out} ${id} PARENT_SCOPE)
  set(${ns_out} ${ns} PARENT_SCOPE)
endfunction()

# The object library of one experiment; `experiment.cmake` beside it may add links and flags to ${target}.
# Its *_test.cpp become one test program, `experiment_<namespace>`, linked with the experiment itself.
function(ridge_experiment_target folder ns)
  set(target experiment_${ns})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  if(CMAKE_CUDA_COMPILER)
    file(GLOB gpu_sources CONFIGURE_DEPENDS ${folder}/*.cu)
    list(APPEND sources ${gpu_sources})
  else()
    list(FILTER sources EXCLUDE REGEX "/cuda[^/]*\\.cpp$")  # the GPU's ladder, and what it is made of
  endif()
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>> ridge::harness $<TARGET_NAME_IF_EXISTS:ridge::host>)
  target_include_directories(${target} PRIVATE ${folder})
  target_compile_features(${target} PRIVATE cxx_std_20)
  if(CMAKE_CUDA_COMPILER)
    target_link_libraries(${target} PRIVATE ridge::gpu)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  endif()
  if(EXISTS ${folder}/experiment.cmake)
    include(${folder}/experiment.cmake)
  endif()
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(RIDGE_TESTS AND tests)
    ridge_test(${target} SOURCES ${tests} DEPENDS ${target})
    target_include_directories(test_${target} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  endif()
endfunction()
