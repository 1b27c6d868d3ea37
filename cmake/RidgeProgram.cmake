# SPDX-License-Identifier: Apache-2.0
# ridge_program(NAME EXPERIMENTS DIR...): an executable with Ridge's whole command line and the experiments of the
# given folders, laid out as experiments/ is: DIR/chNN_chapter/name/experiment.cpp, or DIR/name/experiment.cpp within
# a chapter's folder, or one experiment's folder. The folder must give the id that the file states. Where the project sets no
# build type it is Release: results of code without optimization are INVALID.
function(ridge_program name)
  cmake_parse_arguments(arg "" "" "EXPERIMENTS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_EXPERIMENTS)
    message(FATAL_ERROR "ridge_program(${name}): write ridge_program(NAME EXPERIMENTS DIR...)")
  endif()
  if(NOT TARGET ridge::app)
    message(FATAL_ERROR "ridge_program(${name}): this installation of Ridge holds no command line (ridge::app)")
  endif()
  get_property(several_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT several_types)
    message(STATUS "ridge_program(${name}): no build type is set; it is Release")
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    set(CMAKE_BUILD_TYPE Release PARENT_SCOPE)
  endif()
  ridge_experiments(${name}_experiments ${arg_EXPERIMENTS})
  # The program's own main, shipped with the package: it hands the arguments to ridge::app and nothing else.
  add_executable(${name} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/main.cpp)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${name}_experiments ridge::app_trace ridge::app_plan ridge::app_results ridge::app_serve ridge::app)
endfunction()
