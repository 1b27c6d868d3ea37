# SPDX-License-Identifier: Apache-2.0
# CUDA is used where a toolkit is found (12.8 or newer), else everything is built without it. Sets RIDGE_WITH_CUDA and
# RIDGE_WITH_CUPTI.
# `make run` asks for a GPU as well: kernels that nobody can run would double its time on two cores.
#   RIDGE_CUDA                 AUTO (default), PRESENT (only where a driver shows a GPU), ON (an error without a toolkit), OFF
#   CMAKE_CUDA_ARCHITECTURES   default: the GPUs of this machine, or 90a where there is none; RIDGE_CUDA_EVERYWHERE
#                              compiles for 80, 90a and 100a, and PTX for what comes after
# The runtime is linked statically: it opens the driver on first use, so that the program starts on any machine.

set(RIDGE_CUDA AUTO CACHE STRING "Use CUDA: AUTO (where a toolkit is), PRESENT (where a GPU is, too), ON or OFF")
set_property(CACHE RIDGE_CUDA PROPERTY STRINGS AUTO PRESENT ON OFF)
option(RIDGE_CUDA_EVERYWHERE "Compile GPU code for every supported architecture" OFF)
set(RIDGE_WITH_CUDA OFF)
set(RIDGE_WITH_CUPTI OFF)
set(ridge_oldest_cuda 12.8)

function(ridge_no_cuda why)
  if(RIDGE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "RIDGE_CUDA is ON, but ${why}")
  endif()
  message(STATUS "CUDA: not used: ${why}")
endfunction()

# The compute capabilities of the GPUs here, as CMake writes architectures; 9.0 as 90a, for its own instructions.
function(ridge_gpu_architectures out)
  set(${out} 90a PARENT_SCOPE)
  find_program(RIDGE_NVIDIA_SMI nvidia-smi)
  if(NOT RIDGE_NVIDIA_SMI)
    return()
  endif()
  execute_process(COMMAND ${RIDGE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" found "${found}")
  if(failed OR NOT found)
    return()
  endif()
  list(REMOVE_DUPLICATES found)
  list(TRANSFORM found REPLACE "\\." "")
  list(TRANSFORM found REPLACE "^(90|100|103|120)$" "\\1a")
  set(${out} ${found} PARENT_SCOPE)
endfunction()

if(RIDGE_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: not used: RIDGE_CUDA is OFF")
elseif(RIDGE_CUDA STREQUAL "PRESENT" AND NOT EXISTS /proc/driver/nvidia/version)
  message(STATUS "CUDA: not used: this machine shows no GPU (RIDGE_CUDA=AUTO uses it all the same)")
else()
  find_program(RIDGE_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda/bin)
  if(NOT RIDGE_NVCC)
    ridge_no_cuda("no nvcc was found (PATH, CUDA_HOME, /usr/local/cuda)")
  else()
    execute_process(COMMAND ${RIDGE_NVCC} --version OUTPUT_VARIABLE nvcc_text ERROR_QUIET)
    string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" matched "${nvcc_text}")
    set(nvcc_version ${CMAKE_MATCH_1})
    if(nvcc_version VERSION_LESS ridge_oldest_cuda)
      ridge_no_cuda("${RIDGE_NVCC} is release '${nvcc_version}', older than ${ridge_oldest_cuda}")
    else()
      set(RIDGE_WITH_CUDA ON)
    endif()
  endif()
endif()

if(RIDGE_WITH_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${RIDGE_NVCC})
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(RIDGE_CUDA_EVERYWHERE)
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90a-real 100a-real 90-virtual)
    else()
      ridge_gpu_architectures(CMAKE_CUDA_ARCHITECTURES)
      if(NOT RIDGE_TESTS)  # tests read the PTX that stands beside the machine code
        list(TRANSFORM CMAKE_CUDA_ARCHITECTURES APPEND -real)
      endif()
    endif()
  endif()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  if(ridge_is_top_level AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/tools/keep-ptxas-report)
    if(RIDGE_CCACHE)
      list(APPEND CMAKE_CUDA_COMPILER_LAUNCHER ${RIDGE_CCACHE})
    endif()
    target_compile_options(ridge_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>
      $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${RIDGE_TESTS}>,$<NOT:$<BOOL:${RIDGE_CUDA_EVERYWHERE}>>>:--no-compress>)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  # Of CUPTI the header is all that is needed to build; the library is opened when a tracer is made.
  find_path(RIDGE_CUPTI_HEADERS cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS}
    PATHS ${CUDAToolkit_BIN_DIR}/../extras/CUPTI/include /usr/local/cuda/extras/CUPTI/include)
  if(RIDGE_CUPTI_HEADERS)
    set(RIDGE_WITH_CUPTI ON)
  else()
    message(STATUS "CUPTI: no cupti.h in the toolkit: variants are not audited on a GPU")
  endif()
  message(STATUS "CUDA: ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
endif()
