# Arrays of results as HDF5, as GRADUS_HDF5 asks. Only the sources that use it know of it: nothing else is compiled anew
# where it comes or goes.
if(NOT GRADUS_HDF5 MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "GRADUS_HDF5 is '${GRADUS_HDF5}' (allowed: AUTO, ON, OFF)")
endif()
set(GRADUS_WITH_HDF5 0)
if(NOT GRADUS_HDF5 STREQUAL "OFF")
  find_package(Hdf5C QUIET)
  if(TARGET Hdf5C::Hdf5C)
    # Not every HDF5 will do: variants for MPI need its headers, and static ones libraries of their own.
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES Hdf5C::Hdf5C)
    check_cxx_source_compiles(
      "#include <hdf5.h>\nint main() { return H5open() + H5Pset_libver_bounds(0, H5F_LIBVER_V18, H5F_LIBVER_V18); }"
      gradus_hdf5_works)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(gradus_hdf5_works)
      set(GRADUS_WITH_HDF5 1)
    endif()
  endif()
  if(GRADUS_HDF5 STREQUAL "ON" AND NOT GRADUS_WITH_HDF5)
    message(FATAL_ERROR "GRADUS_HDF5=ON, but no HDF5 1.10.2 or newer without MPI was found. Hint: on Debian and Ubuntu it "
      "is the package libhdf5-dev; or build with GRADUS_HDF5=OFF")
  endif()
endif()

# gradus_uses_hdf5(source...): these include hdf5.h, or ask whether they may.
function(gradus_uses_hdf5)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS GRADUS_WITH_HDF5=${GRADUS_WITH_HDF5})
  if(GRADUS_WITH_HDF5 AND NOT Hdf5C_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -isystem ${Hdf5C_INCLUDE_DIR})
  endif()
endfunction()

gradus_uses_hdf5(src/results/hdf5_dataset.cpp src/results/hdf5_driver.cpp src/results/hdf5_file.cpp)
if(GRADUS_WITH_HDF5)
  target_link_libraries(gradus PRIVATE $<LINK_ONLY:Hdf5C::Hdf5C>)
  message(STATUS "HDF5: ${Hdf5C_LIBRARY}")
else()
  message(STATUS "HDF5: off (GRADUS_HDF5=${GRADUS_HDF5})")
endif()
