# The CUDA backend: finds nvcc as GRADUS_CUDA asks and builds the module `gradus_cuda`.
file(GLOB_RECURSE gradus_cuda_sources CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/kernels/launch/*.cu
  ${CMAKE_CURRENT_SOURCE_DIR}/kernels/linear/*.cu
  ${CMAKE_CURRENT_SOURCE_DIR}/src/backend/cuda/*.cu
  ${CMAKE_CURRENT_SOURCE_DIR}/src/backend/cuda/*.cpp)

if(GRADUS_CUDA STREQUAL "OFF")
  message(STATUS "CUDA backend: off (GRADUS_CUDA=OFF)")
  return()
endif()
if(GRADUS_CUDA STREQUAL "AUTO" AND GRADUS_SANITIZE)
  message(STATUS "CUDA backend: off (GRADUS_CUDA=AUTO and sanitizers are on: they do not watch device code)")
  return()
endif()

# The GPU that answers here, as an architecture; empty if there is none.
set(gradus_gpu "")
find_program(GRADUS_NVIDIA_SMI nvidia-smi)
mark_as_advanced(GRADUS_NVIDIA_SMI)
if(GRADUS_NVIDIA_SMI)
  execute_process(COMMAND ${GRADUS_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code EQUAL 0 AND answer MATCHES "^[0-9]+\\.[0-9]+")
    string(REPLACE "." "" gradus_gpu ${CMAKE_MATCH_0})
  endif()
endif()
# Device code takes long to compile, and nothing runs it where no GPU answers.
if(GRADUS_CUDA STREQUAL "AUTO" AND NOT gradus_gpu)
  message(STATUS "CUDA backend: off (GRADUS_CUDA=AUTO and no GPU answers here; -DGRADUS_CUDA=ON builds it for others)")
  return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(GRADUS_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GRADUS_CUDA=ON, but no working nvcc was found (neither in PATH nor in CUDACXX). Hint: put the "
      "toolkit's bin folder into PATH or set CUDACXX=<toolkit>/bin/nvcc, or build with GRADUS_CUDA=OFF")
  endif()
  message(STATUS "CUDA backend: off (GRADUS_CUDA=AUTO and no working nvcc was found in PATH or CUDACXX)")
  return()
endif()

# Machine code for the GPU that answers; where none does, for those of data centres and desks that the compiler knows, and
# intermediate code for whatever comes later. Kept in the cache: CUDAARCHS is read by the first configuration of a folder
# only, and a later one that has it would be left with nothing.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  set(gradus_architectures "")
  foreach(architecture 80 90 100 120)
    if(known MATCHES "compute_${architecture}\n")
      list(APPEND gradus_architectures ${architecture}-real)
      set(latest ${architecture})
    endif()
  endforeach()
  list(APPEND gradus_architectures ${latest}-virtual)
  if(gradus_gpu)
    set(gradus_architectures ${gradus_gpu}-real)
  endif()
  if(DEFINED ENV{CUDAARCHS})
    set(gradus_architectures $ENV{CUDAARCHS})
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${gradus_architectures} CACHE STRING "GPU architectures")
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
  if(GRADUS_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GRADUS_CUDA=ON, but ${CMAKE_CUDA_COMPILER} is version ${CMAKE_CUDA_COMPILER_VERSION} "
      "(gradus needs 12.0 or newer)")
  endif()
  message(STATUS "CUDA backend: off (nvcc ${CMAKE_CUDA_COMPILER_VERSION} found, gradus needs 12.0 or newer)")
  return()
endif()
message(STATUS "CUDA backend: on (nvcc ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES})")

find_package(CUDAToolkit REQUIRED)
add_library(gradus_cuda MODULE ${gradus_cuda_sources} ${gradus_device_sources})
set_target_properties(gradus_cuda PROPERTIES
  CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF  # CMake 3.25 knows no later one for CUDA
  CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
  CUDA_SEPARABLE_COMPILATION OFF CUDA_RESOLVE_DEVICE_SYMBOLS ON
  CUDA_RUNTIME_LIBRARY Static)
# Whole integrators in one kernel take the assembler ten minutes and more: there, routines are called and not copied, and assembled
# apart. Elsewhere that would cost registers.
set_source_files_properties(${gradus_device_integrators} PROPERTIES
  COMPILE_OPTIONS -rdc=true COMPILE_DEFINITIONS GRADUS_CALLS_ROUTINES)
gradus_configure_module(gradus_cuda)
target_link_libraries(gradus_cuda PRIVATE CUDA::cudart_static)
set_property(GLOBAL APPEND PROPERTY GRADUS_MODULES gradus_cuda)
# A host function called from device code is an error in every build: it would fail only when it runs.
target_compile_options(gradus_cuda PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=cross-execution-space-call -Xcompiler=-Wall,-ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -ffp-contract=off>)
if(GRADUS_WARNINGS_AS_ERRORS)
  target_compile_options(gradus_cuda PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings> $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(GRADUS_STRICT_FP)
  target_compile_options(gradus_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>)
endif()
