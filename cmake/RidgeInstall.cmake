# SPDX-License-Identifier: Apache-2.0
# cmake --install, and find_package(ridge) from the build tree and from the install tree. Two components:
# `program` (the binary, its manual page and completions; needs the target `ridge` alone) and `development`
# (headers, archives and the CMake package, for programs with experiments of their own; needs the whole build).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ridge_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ridge)
set(ridge_build_package_dir ${PROJECT_BINARY_DIR}/lib/cmake/ridge)
get_property(ridge_targets GLOBAL PROPERTY RIDGE_INSTALL_TARGETS)
get_property(ridge_includes GLOBAL PROPERTY RIDGE_INSTALL_INCLUDES)
list(REMOVE_DUPLICATES ridge_targets)

# The find_dependency lines of exactly those packages whose targets an installed archive names.
function(ridge_dependencies out)
  set(package_of_fmt fmt)
  set(package_of_Threads Threads)
  set(package_of_hwy hwy)
  set(package_of_SQLite SQLite3)
  set(package_of_ZLIB ZLIB)
  set(package_of_CLI11 CLI11)
  set(package_of_nlohmann_json nlohmann_json)
  set(package_of_OpenMP OpenMP)
  set(package_of_CUDA CUDAToolkit)
  set(packages)
  foreach(target IN LISTS ridge_targets)
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    string(REGEX MATCHALL "[A-Za-z0-9_]+::" spaces "${links}")
    foreach(space IN LISTS spaces)
      string(REPLACE "::" "" space ${space})
      if(space STREQUAL "ridge")
        continue()
      elseif(NOT DEFINED package_of_${space})
        message(FATAL_ERROR "${target} links ${space}::..., and cmake/RidgeInstall.cmake knows no package of that name")
      endif()
      list(APPEND packages ${package_of_${space}})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(TRANSFORM packages REPLACE "(.+)" "find_dependency(\\1)")
  list(JOIN packages "\n" text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

if(TARGET ridge)
  # The bundle of `make dist` carries its shared libraries in lib/ beside bin/.
  set_target_properties(ridge PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  install(TARGETS ridge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES ${PROJECT_BINARY_DIR}/lib/ridge/chapters.txt DESTINATION lib/ridge COMPONENT program)
  # The modules that are built: `make dist` and `cmake --install` may leave some out.
  get_property(ridge_modules GLOBAL PROPERTY RIDGE_MODULES)
  foreach(module IN LISTS ridge_modules)
    get_target_property(folder ${module} LIBRARY_OUTPUT_DIRECTORY)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_BINARY_DIR})
    install(TARGETS ${module} LIBRARY DESTINATION ${folder} COMPONENT program OPTIONAL)
  endforeach()
  install(FILES LICENSE NOTICE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  # The program writes its own manual and completions, so that they cannot differ from its commands.
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:ridge>\" install --no-link --prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\"
      OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
endif()

if(ridge_targets)
  # What the component `development` needs to be built, for `make install`.
  add_custom_target(development)
  add_dependencies(development ${ridge_targets})
  foreach(library ridge_shared ridge_trace_shared)
    if(TARGET ${library})
      add_dependencies(development ${library})
    endif()
  endforeach()
  ridge_dependencies(RIDGE_DEPENDENCIES)
  foreach(folder IN LISTS ridge_includes)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  endforeach()
  install(TARGETS ${ridge_targets} EXPORT ridgeTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/ridge COMPONENT development)
  install(EXPORT ridgeTargets NAMESPACE ridge:: DESTINATION ${ridge_package_dir} COMPONENT development)
  export(EXPORT ridgeTargets NAMESPACE ridge:: FILE ${ridge_build_package_dir}/ridgeTargets.cmake)

  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ridgeConfig.cmake.in ${ridge_build_package_dir}/ridgeConfig.cmake
    INSTALL_DESTINATION ${ridge_package_dir} NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${ridge_build_package_dir}/ridgeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  set(ridge_package_files
    ${CMAKE_CURRENT_LIST_DIR}/RidgePlugins.cmake
    ${CMAKE_CURRENT_LIST_DIR}/RidgeProgram.cmake)
  if(TARGET ridge)
    list(APPEND ridge_package_files ${PROJECT_SOURCE_DIR}/apps/program/main.cpp)
  endif()
  foreach(file IN LISTS ridge_package_files)
    configure_file(${file} ${ridge_build_package_dir}/ COPYONLY)
  endforeach()
  install(FILES ${ridge_build_package_dir}/ridgeConfig.cmake ${ridge_build_package_dir}/ridgeConfigVersion.cmake
    ${ridge_package_files} DESTINATION ${ridge_package_dir} COMPONENT development)
endif()
