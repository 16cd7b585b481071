# The kernels, compiled from the table in kernels/launch/kernel_table.hpp: one source for each header of them, several
# times over. Every translation lives in a namespace of its own, so that the linker never exchanges one for another.
#   gradus_kernels_plain, _v3, _v4   for the vector registers that processors may have, chosen at run time
#   gradus_checks                    what only checks ask for, dual numbers and interleaved memory: a library opened on demand
#   gradus_device_sources            for nvcc

set(gradus_kernel_table ${CMAKE_CURRENT_SOURCE_DIR}/kernels/launch/kernel_table.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${gradus_kernel_table})
file(READ ${gradus_kernel_table} table)
string(REGEX MATCHALL "#define GRADUS_KERNELS_OF_[a-z_]+" headers "${table}")
set(gradus_host_sources "")
set(gradus_device_sources "")
set(gradus_device_integrators "")
foreach(header IN LISTS headers)
  string(REPLACE "#define GRADUS_KERNELS_OF_" "" header ${header})
  if(NOT table MATCHES "\n  GRADUS_KERNELS_OF_${header}\\(apply\\)")
    message(FATAL_ERROR "${gradus_kernel_table}: ${header} is missing in GRADUS_FOR_EACH_KERNEL")
  endif()
  file(GLOB path RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*/${header}.hpp)
  list(LENGTH path count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${gradus_kernel_table}: there must be one kernels/*/${header}.hpp, found: ${path}")
  endif()
  set(host ${CMAKE_CURRENT_BINARY_DIR}/kernels/${header}.cpp)
  set(device ${CMAKE_CURRENT_BINARY_DIR}/kernels/${header}.cu)
  file(CONFIGURE OUTPUT ${host} CONTENT
    "#include \"${path}\"\n\n#include \"kernels/launch/host_loop.hpp\"\n\nGRADUS_KERNELS_OF(${header})\n")
  file(CONFIGURE OUTPUT ${device} CONTENT
    "#include \"${path}\"\n\n#include \"kernels/launch/device_grid.cuh\"\n\nGRADUS_KERNELS_OF(${header})\n")
  list(APPEND gradus_host_sources ${host})
  list(APPEND gradus_device_sources ${device})
  if(path MATCHES "^kernels/integrators/")
    list(APPEND gradus_device_integrators ${device})
  endif()
endforeach()
list(APPEND gradus_host_sources ${CMAKE_CURRENT_SOURCE_DIR}/kernels/launch/host.cpp)
# Numbers that carry a derivative: at the third level of optimisation 5 seconds more to compile, a tenth less to run.
set(twin ${CMAKE_CURRENT_SOURCE_DIR}/kernels/launch/rosenbrock_twin.cpp)
list(APPEND gradus_host_sources ${twin})
set_source_files_properties(${twin} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)

# gradus_translate(name LAUNCHES a b [DEFINITIONS ...] [OPTIONS ...]): an object library of all kernels.
function(gradus_translate name)
  cmake_parse_arguments(arg "" "" "LAUNCHES;DEFINITIONS;OPTIONS" ${ARGN})
  add_library(${name} OBJECT ${gradus_host_sources})
  gradus_configure(${name})
  gradus_unite_sources(${name} 5)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(launch ALONE PACKS INTERLEAVED DUAL)
    target_compile_definitions(${name} PRIVATE "GRADUS_LAUNCHES_${launch}=$<IN_LIST:${launch},${arg_LAUNCHES}>")
  endforeach()
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()

include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-march=x86-64-v4 GRADUS_KNOWS_X86_LEVELS)
set(levels plain)
if(GRADUS_KNOWS_X86_LEVELS AND GRADUS_VECTOR_LEVELS STREQUAL "all")
  set(levels plain v3 v4)
elseif(GRADUS_KNOWS_X86_LEVELS AND GRADUS_VECTOR_LEVELS STREQUAL "native")
  if(NOT DEFINED GRADUS_NATIVE_LEVEL)
    try_run(GRADUS_NATIVE_LEVEL compiled ${CMAKE_CURRENT_BINARY_DIR}/native
      ${CMAKE_CURRENT_SOURCE_DIR}/cmake/native_level.cpp)
  endif()
  if(GRADUS_NATIVE_LEVEL EQUAL 4)
    set(levels v3_alone v4)  # one design at a time uses registers of the third level
  elseif(GRADUS_NATIVE_LEVEL EQUAL 3)
    set(levels v3)
  endif()
endif()

set(wide "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Packs of three or nine are copied all the time; the string instructions that GCC would take start slowly.
  set(wide -mmemcpy-strategy=vector_loop:-1:noalign -mmemset-strategy=vector_loop:-1:noalign)
endif()
# GCC 12 forms fused multiply-adds where it vectorises straight lines, whatever -ffp-contract says; AVX-512 alone has no
# option against them (package.translation_v4 looks).
set(v3 OPTIONS -march=x86-64-v3 -mno-fma ${wide} DEFINITIONS GRADUS_TARGET=host_v3 GRADUS_TRANSLATION="x86-64-v3" GRADUS_LANES=4)
foreach(level IN LISTS levels)
  if(level STREQUAL "plain")
    gradus_translate(gradus_kernels_plain LAUNCHES ALONE PACKS DEFINITIONS GRADUS_TRANSLATION="plain")
  elseif(level STREQUAL "v3")
    gradus_translate(gradus_kernels_v3 LAUNCHES ALONE PACKS ${v3})
  elseif(level STREQUAL "v3_alone")
    gradus_translate(gradus_kernels_v3 LAUNCHES ALONE ${v3})
  else()
    gradus_translate(gradus_kernels_v4 LAUNCHES PACKS OPTIONS -march=x86-64-v4 ${wide}
      DEFINITIONS GRADUS_TARGET=host_v4 GRADUS_TRANSLATION="x86-64-v4" GRADUS_LANES=8)
  endif()
endforeach()
set(has "")
foreach(level plain v3 v4)
  if(TARGET gradus_kernels_${level})
    target_sources(gradus PRIVATE $<TARGET_OBJECTS:gradus_kernels_${level}>)
    string(TOUPPER ${level} upper)
    list(APPEND has GRADUS_HAS_${upper}=1)
  endif()
endforeach()
set_source_files_properties(kernels/launch/translations.cpp PROPERTIES COMPILE_DEFINITIONS "${has}")
message(STATUS "Kernels: GRADUS_VECTOR_LEVELS=${GRADUS_VECTOR_LEVELS} (${levels})")

# Quick to compile rather than to run; floating-point operations stay the same at every level of optimisation.
gradus_translate(gradus_check_kernels LAUNCHES INTERLEAVED DUAL DEFINITIONS GRADUS_TARGET=host_checks
  OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O1>)
# Sanitizers look at the same source in the kernels of the library, which are optimised there, too: without, they compile in
# a fifth of the time, but tests of the program take many times as long. What threads do is seen in these.
if(GRADUS_SANITIZE AND NOT GRADUS_SANITIZE MATCHES "thread")
  target_compile_options(gradus_check_kernels PRIVATE -fno-sanitize=all)
endif()
gradus_add_module(checks SOURCES src/backend/checks_module.cpp $<TARGET_OBJECTS:gradus_check_kernels>)
target_compile_definitions(gradus_checks PRIVATE GRADUS_TARGET=host_checks)
