# How the targets of gradus are compiled and how its tests are registered.

# gradus_configure(target): the language level, warnings and floating-point rules every target of gradus shares.
function(gradus_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # Nobody asks errno about a square root. No fused multiply-adds unless written: the same design gives the same bits whatever instructions are compiled for.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor
    -Wold-style-cast -Woverloaded-virtual -ffp-contract=off -fno-math-errno>)
  # GCC 12 sees overlapping copies in "text" + std::string where there are none (its bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
  # Collecting garbage takes GCC a tenth of the time and frees little.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=500000>)
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)  # without optimisation kernels are many times slower
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O3;-DNDEBUG>)
  endif()
  if(GRADUS_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  if(GRADUS_SANITIZE)
    target_compile_definitions(${target} PRIVATE GRADUS_SANITIZED)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GRADUS_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC $<BUILD_INTERFACE:-fsanitize=${GRADUS_SANITIZE}>)
  endif()
endfunction()

# gradus_compile_quickly(target): what runs briefly, and is compiled more often than it runs. Floating-point operations stay
# the same at every level of optimisation. What sanitizers add is optimised three times as long as it takes to compile.
function(gradus_compile_quickly target)
  set(level -O1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(level -Og)  # as quick as -O1 to run, within some percent, and up to twice as quick to compile
  endif()
  if(GRADUS_SANITIZE)
    set(level -O0)
  endif()
  target_compile_options(${target} PRIVATE $<$<AND:$<NOT:$<CONFIG:Debug>>,$<COMPILE_LANGUAGE:CXX>>:${level}>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Guesses, at this level wrong about Eigen; GCC 12 sees writes beyond temporary strings as well.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
    endif()
  endif()
endfunction()

# gradus_unite_sources(target size): `size` sources are compiled as one, which takes half the time. Names in their anonymous
# namespaces must differ.
function(gradus_unite_sources target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GRADUS_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# gradus_precompile_headers(target [header...]): those that most sources parse that read and write text.
function(gradus_precompile_headers target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <functional> <limits> <map> <memory>
    <optional> <span> <string> <string_view> <vector> <nlohmann/json.hpp> ${ARGN})
endfunction()

# gradus_configure_test(target): a test, or what tests share. Its sources are compiled together, after the headers that
# gradus_test_support has compiled for all.
function(gradus_configure_test target)
  gradus_configure(${target})
  gradus_compile_quickly(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE Eigen3::Eigen GTest::gtest_main)
  gradus_unite_sources(${target} 6)
  target_precompile_headers(${target} REUSE_FROM gradus_test_support)
endfunction()

# gradus_configure_module(target): a MODULE library that keeps its symbols and its copies of inline functions to itself.
function(gradus_configure_module target)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:GRADUS_VERSION="${PROJECT_VERSION}">)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_options(${target} PRIVATE LINKER:-Bsymbolic LINKER:--exclude-libs,ALL)
  if(NOT GRADUS_SANITIZE)  # of the sanitizers, functions may lie in the program
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
endfunction()

# gradus_add_module(name SOURCES ... [LIBRARY target]): libgradus_<name>.so, installed beside the library if it was built.
function(gradus_add_module name)
  cmake_parse_arguments(arg "" "LIBRARY" "SOURCES" ${ARGN})
  add_library(gradus_${name} MODULE ${arg_SOURCES})
  gradus_configure(gradus_${name})
  gradus_configure_module(gradus_${name})
  target_link_libraries(gradus_${name} PRIVATE ${arg_LIBRARY})
  set_property(GLOBAL APPEND PROPERTY GRADUS_MODULES gradus_${name})
endfunction()

# gradus_needs_modules(target name...): those that are built are there before the target is.
function(gradus_needs_modules target)
  foreach(name IN LISTS ARGN)
    if(TARGET gradus_${name})
      add_dependencies(${target} gradus_${name})
    endif()
  endforeach()
endfunction()

# gradus_add_test(name LABELS a b SOURCES x.cpp ... [LIBRARIES ...] [TIMEOUT s] [HEADERS_ONLY]): one GoogleTest
# executable, registered test by test. HEADERS_ONLY: it needs nothing of the library but headers and is not linked to it. Labels: what it proves (unit, derivative, verification, backend, cli), and `gpu` (needs a device) or
# `slow` (left out under sanitizers) where they apply. The target tests_<label> builds all tests of a label.
function(gradus_add_test name)
  cmake_parse_arguments(arg "HEADERS_ONLY" "TIMEOUT" "LABELS;SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  gradus_configure_test(${name})
  target_link_libraries(${name} PRIVATE nlohmann_json::nlohmann_json Boost::headers Threads::Threads ${arg_LIBRARIES})
  if(NOT arg_HEADERS_ONLY)
    target_link_libraries(${name} PRIVATE gradus_test_support gradus::gradus)
    add_dependencies(${name} gradus_checks)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  set(cost 0)
  if("long" IN_LIST arg_LABELS)
    set(cost ${arg_TIMEOUT})  # begins first
  endif()
  set(lock "")
  if("gpu" IN_LIST arg_LABELS)
    set(lock RESOURCE_LOCK gpu)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." TEST_LIST ${name}_tests DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ${lock})
  # gtest_discover_tests takes only one label: more would shift the properties after them. They are set afterwards.
  set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(CONFIGURE OUTPUT ${labels_file} @ONLY CONTENT
    "foreach(test IN LISTS @name@_tests)\n  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"@arg_LABELS@\" COST @cost@)\nendforeach()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
  foreach(label IN LISTS arg_LABELS)
    if(TARGET tests_${label})
      add_dependencies(tests_${label} ${name})
    endif()
  endforeach()
endfunction()
