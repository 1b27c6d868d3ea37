# SPDX-License-Identifier: Apache-2.0
# Experiments and backends are found by folder; CMake writes one list of their factory functions.

# CMake 3.25 knows no C++20 for nvcc 13. Here, because Ridge's own build and an installed package both read this file.
if(CMAKE_CUDA_COMPILER AND NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()

# ridge_backend(INTERFACE NAME SOURCES ... [DEPENDS ...] [PRIVATE_DEPENDS ...] [FACTORIES declaration... HEADERS header...])
# Called by backends/<interface>/<name>/CMakeLists.txt. Makes the target ridge_<interface>_<name>. FACTORIES are the functions
# of ridge::backends::<interface>_<name> that programs ask for by name, as they are declared; HEADERS declare their types.
function(ridge_backend interface name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS;SKIP_UNITY;FACTORIES;HEADERS" ${ARGN})
  set(target ridge_${interface}_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(ridge::${interface}_${name} ALIAS ${target})
  target_link_libraries(${target} PUBLIC ridge::${interface} ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  ridge_compile_flags(${target})
  ridge_unity(${target} SKIP_UNITY ${arg_SKIP_UNITY})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${interface}_${name} POSITION_INDEPENDENT_CODE ON CUDA_STANDARD 20)
  set_property(GLOBAL APPEND PROPERTY RIDGE_INSTALL_TARGETS ${target})
  if(arg_FACTORIES)
    set_property(GLOBAL APPEND PROPERTY RIDGE_BACKENDS_${interface} ${name})
    set_property(GLOBAL PROPERTY RIDGE_FACTORIES_${interface}_${name} ${arg_FACTORIES})
    set_property(GLOBAL APPEND PROPERTY RIDGE_FACTORY_HEADERS_${interface} ${arg_HEADERS})
  endif()
  file(GLOB tests CONFIGURE_DEPENDS tests/*_test.cpp)
  if(RIDGE_TESTS AND tests)
    ridge_test(${interface}_${name} SOURCES ${tests} DEPENDS ${target} ridge_${interface}_conformance)
  endif()
endfunction()

# ridge_store_module(NAME): makes the backend store/NAME, whose factory is `make`, a shared object lib/ridge/stores/NAME.so, built by
# the target stores_NAME. The program opens it when the URL of a store begins with NAME://, so that it links no client library.
function(ridge_store_module name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_module.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Generated: the entry of a backend of the store.
#include <interface_digest.hpp>
#include <ridge/app/modules.hpp>
namespace ridge::backends::store_${name} {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& options);
}
extern \"C\" [[gnu::visibility(\"default\")]] const ridge::app::store_module ridge_store{
    ridge::interface_digest, ridge::backends::store_${name}::make};
")
  add_library(stores_${name} MODULE ${source})
  target_link_libraries(stores_${name} PRIVATE $<TARGET_NAME_IF_EXISTS:ridge_flags> ridge::store_${name} ridge::store ridge::app)
  ridge_module(stores_${name} stores/${name})
endfunction()

# ridge_backend_list(INTERFACE TARGET): writes the source that lists the factories of an interface's backends
# (<ridge/app/backends.hpp>), adds it to TARGET and links the backends with it. After all backends are known.
function(ridge_backend_list interface target)
  get_property(backends GLOBAL PROPERTY RIDGE_BACKENDS_${interface})
  get_property(headers GLOBAL PROPERTY RIDGE_FACTORY_HEADERS_${interface})
  list(APPEND headers memory vector)
  list(REMOVE_DUPLICATES headers)
  list(SORT headers)
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
  list(JOIN headers "" includes)
  set(declarations "")
  set(entries "")
  foreach(backend IN LISTS backends)
    target_link_libraries(${target} PRIVATE ridge::${interface}_${backend})
    get_property(factories GLOBAL PROPERTY RIDGE_FACTORIES_${interface}_${backend})
    set(space ridge::backends::${interface}_${backend})
    foreach(factory IN LISTS factories)
      string(REGEX REPLACE "^.*[ &*]([a-z_]+)\\(.*$" "\\1" function "${factory}")
      string(APPEND declarations "namespace ${space} {\n${factory};\n}\n")
      string(APPEND entries "      factory_of(\"${backend}\", &${space}::${function}),\n")
    endforeach()
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${interface}_backends.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Generated from the folders of backends.
#include <ridge/app/backends.hpp>

${includes}
${declarations}
namespace ridge::app {
std::span<const backend_factory> ${interface}_backends() {
  static const std::vector<backend_factory> all{
${entries}  };
  return all;
}
}  // namespace ridge::app
")
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# ridge_trace_readers(TARGET): writes the source that defines `ridge::trace_c::readers()`, the importers of all trace backends, adds it
# to TARGET and links the backends with it. After all backends are known.
function(ridge_trace_readers target)
  get_property(backends GLOBAL PROPERTY RIDGE_BACKENDS_trace)
  set(declarations "")
  set(entries "")
  foreach(backend IN LISTS backends)
    target_link_libraries(${target} PRIVATE ridge::trace_${backend})
    get_property(factories GLOBAL PROPERTY RIDGE_FACTORIES_trace_${backend})
    set(space ridge::backends::trace_${backend})
    foreach(factory IN LISTS factories)
      string(REGEX REPLACE "^.*[ &*]([a-z_]+)\\(.*$" "\\1" function "${factory}")
      string(APPEND declarations "namespace ${space} {\n${factory};\n}\n")
      string(APPEND entries "      &${space}::${function}(),\n")
    endforeach()
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_readers.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Generated from the folders of backends.
#include <vector>

#include \"readers.hpp\"

${declarations}
namespace ridge::trace_c {
std::span<const trace::importer* const> readers() {
  static const std::vector<const trace::importer*> all{
${entries}  };
  return all;
}
}  // namespace ridge::trace_c
")
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
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
  ridge_experiment_list(${out} "" ${found})
  add_library(${out} INTERFACE)
  foreach(target IN LISTS ${out}_targets)
    target_link_libraries(${out} INTERFACE ${target})
    target_sources(${out} INTERFACE $<TARGET_OBJECTS:${target}>)
  endforeach()
  target_sources(${out} INTERFACE ${${out}_source})
  target_link_libraries(${out} INTERFACE ridge::harness)
endfunction()

# ridge_chapters(DIR): every DIR/<chapter>/ that holds experiments becomes a shared object lib/ridge/chapters/<chapter>.so,
# built by the target chapter_<id of the chapter> (chapter_ch07, chapter_labs), listed with its experiments in lib/ridge/chapters.txt and opened by the program when a command
# asks for one of its experiments. The program itself links none of them.
function(ridge_chapters dir)
  get_filename_component(dir ${dir} ABSOLUTE)
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${dir}/*)
  set(listed "")
  foreach(folder IN LISTS folders)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*/experiment.cpp ${folder}/*/*/experiment.cpp)
    if(NOT IS_DIRECTORY ${folder} OR NOT files)
      continue()
    endif()
    get_filename_component(name ${folder} NAME)
    string(REGEX REPLACE "_.*$" "" id ${name})
    set(target chapter_${id})
    ridge_experiment_list(${target} ${id} ${files})
    add_library(${target}_list OBJECT ${${target}_source})
    target_link_libraries(${target}_list PRIVATE $<TARGET_NAME_IF_EXISTS:ridge_flags> ridge::harness)
    set_target_properties(${target}_list PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_features(${target}_list PRIVATE cxx_std_20)
    ridge_experiment_headers(${target}_list)
    target_include_directories(${target}_list PRIVATE ${PROJECT_BINARY_DIR}/interface)
    add_dependencies(${target}_list ridge_interface)
    add_library(${target} MODULE $<TARGET_OBJECTS:${target}_list>)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    foreach(experiment IN LISTS ${target}_targets)
      target_link_libraries(${target} PRIVATE ${experiment})
    endforeach()
    target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:ridge_flags> ridge::harness)
    ridge_module(${target} chapters/${name})
    if(RIDGE_LAYOUTS)
      ridge_shifted_chapters(${target} ${name})
    endif()
    list(JOIN ${target}_ids " " ids)
    string(APPEND listed "${id} ${name} ${ids}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lib/ridge/chapters.txt CONTENT "${listed}" @ONLY)
endfunction()

# The chapter again, linked three times more with its code 16, 32 and 48 bytes further on: lib/ridge/layouts/<1, 2, 3>/<chapter>.so,
# of which each process of `--forks` opens another. They stay in the build tree.
function(ridge_shifted_chapters target name)
  foreach(layout 1 2 3)
    if(NOT TARGET ridge_shift_${layout})
      # The linker puts code that is unlikely to run before all other code.
      math(EXPR bytes "16 * ${layout}")
      file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/shift_${layout}.cpp @ONLY
        CONTENT "asm(\".section .text.unlikely.ridge_shift; .p2align 4; .zero ${bytes}; .text\");\n")
      add_library(ridge_shift_${layout} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/shift_${layout}.cpp)
    endif()
    set(shifted ${target}_layout_${layout})
    add_library(${shifted} MODULE $<TARGET_OBJECTS:ridge_shift_${layout}> $<TARGET_OBJECTS:${target}_list>)
    foreach(experiment IN LISTS ${target}_targets)
      target_link_libraries(${shifted} PRIVATE ${experiment})
    endforeach()
    target_link_libraries(${shifted} PRIVATE $<TARGET_NAME_IF_EXISTS:ridge_flags> ridge::harness)
    set_target_properties(${shifted} PROPERTIES PREFIX "" OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/ridge/layouts/${layout})
    add_dependencies(${target} ${shifted})
  endforeach()
endfunction()

# A shared object under lib/ridge that the program opens: beside bin/ in the build tree and where it is installed. What the
# program exports comes first; of archives that both link, the program's copy is used.
function(ridge_module target path)
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(name ${path} NAME)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} INSTALL_RPATH "$ORIGIN/../.."
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/ridge/${folder})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/interface)
  add_dependencies(${target} ridge_interface)
  set_property(GLOBAL APPEND PROPERTY RIDGE_MODULES ${target})
endfunction()

# The digest of the public headers and flags that a program and its modules must share.
function(ridge_interface)
  get_property(includes GLOBAL PROPERTY RIDGE_INSTALL_INCLUDES)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" kind)
  add_custom_target(ridge_interface BYPRODUCTS ${PROJECT_BINARY_DIR}/interface/interface_digest.hpp
    COMMAND ${CMAKE_COMMAND} "-DINCLUDES=${includes}" "-DFLAGS=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${kind}}"
      -DOUTPUT=${PROJECT_BINARY_DIR}/interface/interface_digest.hpp -P ${PROJECT_SOURCE_DIR}/cmake/RidgeInterface.cmake VERBATIM)
endfunction()

# Makes the targets of the experiments in FILES and a source that lists them: `ridge::experiments::all()`, or, for a
# MODULE, what <ridge/harness/experiment_list.hpp> calls a chapter module. Sets ${out}_targets, ${out}_ids and ${out}_source.
function(ridge_experiment_list out module)
  set(found ${ARGN})
  list(SORT found)
  set(declarations "")
  set(calls "")
  set(targets)
  set(joined)  # folders of experiments that share a target
  set(ids)
  foreach(file IN LISTS found)
    get_filename_component(folder ${file} DIRECTORY)
    ridge_experiment_id(${folder} id ns)
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
    list(APPEND ids ${id})
    ridge_may_be_joined(${folder} may_be_joined)
    if(may_be_joined)
      list(APPEND joined ${folder})
    else()
      ridge_experiment_target(experiment_${ns} ${folder})
      list(APPEND targets experiment_${ns})
    endif()
  endforeach()
  while(joined)
    list(SUBLIST joined 0 ${RIDGE_EXPERIMENTS_PER_UNIT} folders)
    list(REMOVE_ITEM joined ${folders})
    list(GET folders 0 first)
    ridge_experiment_id(${first} id ns)
    ridge_experiment_target(experiments_from_${ns} ${folders})
    list(APPEND targets experiments_from_${ns})
  endwhile()
  set(function all)
  if(module)
    set(function experiments_of_chapter)
  endif()
  set(body "std::vector<experiment> ${function}() {
  std::vector<experiment> list;
${calls}  return list;
}
")
  set(entry "")
  if(module)
    set(body "namespace {\n${body}}  // namespace\n")
    set(entry "#include <interface_digest.hpp>
extern \"C\" [[gnu::visibility(\"default\")]] const ridge::experiments::chapter_module ridge_chapter{
    ridge::interface_digest, ridge::experiments::${function}};
")
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${out}_list.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Generated from the folders of experiments.
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/experiment_list.hpp>
namespace ridge::experiments {
${declarations}namespace {
[[maybe_unused]] void append(std::vector<experiment>& list, experiment one) { list.push_back(std::move(one)); }
[[maybe_unused]] void append(std::vector<experiment>& list, std::vector<experiment> many) {
  for (auto& one : many) list.push_back(std::move(one));
}
}  // namespace
${body}}  // namespace ridge::experiments
${entry}")
  set(${out}_targets ${targets} PARENT_SCOPE)
  set(${out}_ids ${ids} PARENT_SCOPE)
  set(${out}_source ${source} PARENT_SCOPE)
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

# Whether the experiment may share a target with others, so that their files of one name are compiled as one
# (RIDGE_EXPERIMENTS_PER_UNIT): it has neither flags nor tests of its own, and no file that Highway includes by its name once for
# each instruction set.
function(ridge_may_be_joined folder out)
  file(GLOB own CONFIGURE_DEPENDS ${folder}/*.cmake ${folder}/*_test.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  foreach(file IN LISTS sources)
    file(STRINGS ${file} dispatched REGEX "<hwy/foreach_target\\.h>")
    list(APPEND own ${dispatched})
  endforeach()
  if(RIDGE_EXPERIMENTS_PER_UNIT GREATER 1 AND NOT own)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Replaces the files NAME of LIST by one source that includes them all. Each stands in a namespace of its own.
function(ridge_join_sources list target name)
  set(joined ${${list}})
  list(FILTER joined INCLUDE REGEX "/${name}$")
  list(LENGTH joined count)
  if(count GREATER 1)
    list(TRANSFORM joined REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
    list(JOIN includes "" includes)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/units/${target}/${name})
    file(CONFIGURE OUTPUT ${unit} @ONLY CONTENT "// Generated: RIDGE_EXPERIMENTS_PER_UNIT.\n${includes}")
    list(REMOVE_ITEM ${list} ${joined})
    set(${list} ${${list}} ${unit} PARENT_SCOPE)
  endif()
endfunction()

# Tells the sources of TARGET the flags that they are compiled with, for <ridge/harness/code_facts.hpp>: those of the project and its
# build type, and those of the target, without warnings and what only the compiler's own work depends on. They are words that the
# header makes a text of, so that quotes in them do no harm.
function(ridge_states_flags target)
  set(flags "${CMAKE_CXX_FLAGS}")
  set(types ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
  list(REMOVE_DUPLICATES types)
  foreach(type IN LISTS types)
    string(TOUPPER ${type} kind)
    string(APPEND flags " $<$<CONFIG:${type}>:${CMAKE_CXX_FLAGS_${kind}}>")
  endforeach()
  set(own "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,EXCLUDE,^(-W|-fpch-|--param|SHELL:)>")
  target_compile_definitions(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:RIDGE_COMPILE_FLAGS=${flags} $<JOIN:${own}, >>")
endfunction()

# Tells the sources of TARGET their flags, and lets them share the precompiled headers of experiments, which have to be told the same
# flags: else no compiler takes them.
function(ridge_experiment_headers target)
  ridge_states_flags(${target})
  if(NOT COMMAND ridge_precompiled)  # an installed Ridge
    return()
  endif()
  set(is_first TRUE)
  if(TARGET ridge_experiment_headers)
    set(is_first FALSE)
  endif()
  # Loops without optimization take five times as long with a sanitizer: the flag comes last and holds.
  set(optimization)
  if(RIDGE_SANITIZE)
    set(optimization -O1)
    target_compile_options(${target} PRIVATE ${optimization})
  endif()
  ridge_precompiled(${target} ridge_experiment_headers HEADERS <ridge/harness/experiment.hpp> DEPENDS ridge_flags ridge::harness
    OPTIONS ${optimization})
  if(is_first AND TARGET ridge_experiment_headers)
    ridge_states_flags(ridge_experiment_headers)
  endif()
endfunction()

# Tells each of the sources the flags that are its alone.
function(ridge_states_flags_of_sources)
  foreach(source IN LISTS ARGN)
    get_source_file_property(own ${source} COMPILE_OPTIONS)
    if(own AND source MATCHES "\\.cpp$")
      list(JOIN own " " own)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS "RIDGE_SOURCE_FLAGS=${own}")
    endif()
  endforeach()
endfunction()

# ridge_experiment_target(TARGET FOLDER...): the object library of one experiment, or of several that may be joined: every source of
# the folders, and the libraries that their includes name. Without CUDA its .cu and cuda*.cpp are left out. `experiment.cmake` beside
# an experiment, where there is one, adds what includes cannot say: flags, other libraries of ${target}. Its *_test.cpp become one
# test program, TARGET, linked with the experiment itself.
function(ridge_experiment_target target)
  set(folders ${ARGN})
  set(sources)
  set(headers)
  foreach(folder IN LISTS folders)
    file(GLOB of_folder CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(FILTER of_folder EXCLUDE REGEX "_test\\.cpp$")
    if(CMAKE_CUDA_COMPILER AND TARGET ridge::gpu)
      file(GLOB gpu_sources CONFIGURE_DEPENDS ${folder}/*.cu)
      list(APPEND of_folder ${gpu_sources})
    else()
      list(FILTER of_folder EXCLUDE REGEX "/cuda[^/]*\\.cpp$")  # the GPU's ladder, and what it is made of
    endif()
    list(APPEND sources ${of_folder})
    file(GLOB of_folder CONFIGURE_DEPENDS ${folder}/*.hpp ${folder}/*.cuh)
    list(APPEND headers ${of_folder})
  endforeach()
  ridge_libraries_of_includes(libraries ${sources} ${headers})
  foreach(name experiment.cpp cuda.cpp kernels.cu)
    ridge_join_sources(sources ${target} ${name})
  endforeach()
  add_library(${target} OBJECT ${sources})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>> ridge::harness $<TARGET_NAME_IF_EXISTS:ridge::host>)
  target_include_directories(${target} PRIVATE ${folders})
  target_compile_features(${target} PRIVATE cxx_std_20)
  if(CMAKE_CUDA_COMPILER AND TARGET ridge::gpu)
    target_link_libraries(${target} PRIVATE ridge::gpu)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  endif()
  if("hwy::hwy" IN_LIST libraries)
    find_package(hwy REQUIRED)
  endif()
  target_link_libraries(${target} PRIVATE ${libraries})
  ridge_experiment_headers(${target})
  foreach(folder IN LISTS folders)
    if(EXISTS ${folder}/experiment.cmake)
      include(${folder}/experiment.cmake)
    endif()
    file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cpp)
    if(RIDGE_TESTS AND tests)
      ridge_test(${target} SOURCES ${tests} DEPENDS ${target})
      target_include_directories(test_${target} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    endif()
    if(RIDGE_TESTS)
      ridge_verify_test(${folder})
    endif()
  endforeach()
  ridge_states_flags_of_sources(${sources})
endfunction()

# ridge_compile_only(TARGET ARCHITECTURE SOURCE...): in a build with tests GPU sources of an experiment are compiled for one more
# architecture (100a), into objects that nothing links: tests read what the compilers made of them. For an experiment.cmake. Where the
# whole build is for that architecture there is nothing to add.
function(ridge_compile_only target architecture)
  if(NOT (RIDGE_TESTS AND CMAKE_CUDA_COMPILER AND TARGET ridge::gpu) OR CMAKE_CUDA_ARCHITECTURES MATCHES "${architecture}")
    return()
  endif()
  set(only ${target}_sm_${architecture})
  add_library(${only} OBJECT ${ARGN})
  set_target_properties(${only} PROPERTIES CUDA_ARCHITECTURES ${architecture} CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  target_link_libraries(${only} PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:ridge_flags>> ridge::harness ridge::gpu
    $<TARGET_NAME_IF_EXISTS:ridge::kernels> $<TARGET_NAME_IF_EXISTS:ridge::workloads>)
endfunction()

# Sets OUT to the libraries that the files' includes name, beyond harness, host and gpu, which every experiment has:
#   <ridge/NAME/stem.hpp>   ridge::NAME_stem, else ridge::NAME_<first word of stem>, else ridge::NAME: the first that exists
#                           (vendor/openblas.hpp: ridge::vendor_openblas; mlp/device_step.hpp: ridge::mlp_device; cpu/sgemm.hpp: ridge::cpu)
#   <hwy/...>               hwy::hwy
# A file that is edited is read again: configuring then runs again before the build.
function(ridge_libraries_of_includes out)
  set(found)
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} includes REGEX "^#include <(ridge|hwy)/")
    foreach(include IN LISTS includes)
      if(include MATCHES "<hwy/")
        list(APPEND found hwy::hwy)
      elseif(include MATCHES "<ridge/([a-z0-9]+)/(([a-z0-9]+)[a-z0-9_]*)\\.(hpp|cuh)>")
        set(name ${CMAKE_MATCH_1})
        set(stem ${CMAKE_MATCH_2})
        set(word ${CMAKE_MATCH_3})
        if(name MATCHES "^(base|device|gpu|harness|host)$")
          continue()
        endif()
        foreach(library ridge::${name}_${stem} ridge::${name}_${word} ridge::${name})
          if(TARGET ${library})
            list(APPEND found ${library})
            break()
          endif()
        endforeach()
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# The CTest verify_<id> of the experiment in FOLDER: every variant that this machine's processor can run gives the right
# results. On a GPU tools/gpu-check does the same. It counts as skipped where no variant can run here by what it needs; any
# other exit but 0 fails it. With a sanitizer the large first problem is left out: its loops are those of the edges, at ten times
# the time.
function(ridge_verify_test folder)
  ridge_experiment_id(${folder} id ns)
  set(sizes)
  set(limit_s 300)
  if(RIDGE_SANITIZE)
    set(sizes --edges)
    set(limit_s 600)
  endif()
  add_test(NAME verify_${id} COMMAND ridge verify ${id} --backend cpu --seed 1 ${sizes})
  set_tests_properties(verify_${id} PROPERTIES LABELS verify TIMEOUT ${limit_s}
    SKIP_REGULAR_EXPRESSION "no chosen variant can run here;no chosen experiment has a (cpu )?variant")
endfunction()
