# SPDX-License-Identifier: Apache-2.0
# Configures, builds and runs tests/consumer/project against Ridge's build tree or an installed, moved copy of it.
# cmake -Dfrom=build|install -Dridge_build=DIR -Dproject=DIR -Dwork=DIR -Dcompiler=CXX [-Dcuda_compiler=NVCC] -P consumer_test.cmake

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "consumer: ${what} failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_output pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "consumer: expected `${pattern}` in:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
file(COPY ${project} DESTINATION ${work})
cmake_path(GET project FILENAME folder)
set(project ${work}/${folder})
# What `ridge new experiment` writes must build and pass as it stands.
set(ridge ${ridge_build}/bin/ridge)
if(EXISTS ${ridge})
  step("new experiment" ${ridge} new experiment ch09.fresh --dir ${project}/experiments)
endif()
set(prefix ${ridge_build})
if(from STREQUAL "install")
  step("cmake --install" ${CMAKE_COMMAND} --install ${ridge_build} --component development --prefix ${work}/first)
  file(RENAME ${work}/first ${work}/prefix)  # an installed copy may be moved
  set(prefix ${work}/prefix)
endif()
set(flags "")
if(sanitize)
  string(REPLACE "+" "," flags "-fsanitize=${sanitize}")
endif()
step("configure" ${CMAKE_COMMAND} -G Ninja -S ${project} -B ${work}/build -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_COMPILER_LAUNCHER=${launcher} -DCMAKE_CXX_FLAGS=${flags}
  -DCMAKE_PREFIX_PATH=${prefix} -DCONSUMER_CUDA_COMPILER=${cuda_compiler} -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
step("build" ${CMAKE_COMMAND} --build ${work}/build)

step("library" ${work}/build/library)
expect_output("64[.0]* KiB")
if(EXISTS ${work}/build/mine)
  step("list" ${work}/build/mine list)
  expect_output("ch01\\.scale")
  step("verify" ${work}/build/mine verify ch01.scale)
  if(EXISTS ${ridge})
    step("verify what was written" ${work}/build/mine verify ch09.fresh --backend cpu)
    if(cuda_compiler)  # built with both ladders, whether or not there is a GPU
      step("show what was written" ${work}/build/mine show ch09.fresh)
      expect_output("thread i adds element i")
    endif()
  endif()
endif()
