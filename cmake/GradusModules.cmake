# Modules: libraries beside the program, opened when asked for (src/modules/module.hpp), so that neither the program nor
# those who link gradus need what only a module needs. GRADUS_<NAME>=AUTO builds a module where its library is found.

# gradus_optional_module(name FOUND f TITLE t DEBIAN package LIBRARY target SOURCES ...): a module as GRADUS_<NAME> asks and
# what was found allows.
function(gradus_optional_module name)
  cmake_parse_arguments(arg "" "FOUND;TITLE;DEBIAN;LIBRARY" "SOURCES" ${ARGN})
  string(TOUPPER GRADUS_${name} option)
  if(arg_FOUND AND NOT ${option} STREQUAL "OFF")
    message(STATUS "${arg_TITLE}: on")
    gradus_add_module(${name} LIBRARY ${arg_LIBRARY} SOURCES ${arg_SOURCES})
  elseif(${option} STREQUAL "ON")
    message(FATAL_ERROR "${option}=ON, but ${arg_TITLE} was not found. Hint: on Debian and Ubuntu it is the package "
      "${arg_DEBIAN}; or build with ${option}=OFF")
  else()
    message(STATUS "${arg_TITLE}: off (${option}=${${option}})")
  endif()
endfunction()

# Optimisers.
if(NOT GRADUS_NLOPT STREQUAL "OFF")
  find_package(NLopt QUIET)
endif()
gradus_optional_module(nlopt FOUND "${NLopt_FOUND}" TITLE NLopt DEBIAN libnlopt-dev LIBRARY NLopt::nlopt
  SOURCES src/study/optimization/nlopt_module.cpp)
if(TARGET gradus_nlopt)
  set_target_properties(gradus_nlopt PROPERTIES INSTALL_RPATH $ORIGIN)  # where scripts/package puts NLopt
endif()
if(NOT GRADUS_IPOPT STREQUAL "OFF")
  find_package(Ipopt QUIET)
endif()
gradus_optional_module(ipopt FOUND "${Ipopt_FOUND}" TITLE Ipopt DEBIAN coinor-libipopt-dev LIBRARY Ipopt::Ipopt
  SOURCES src/study/optimization/ipopt_module.cpp)

# Arrays of results as HDF5.
if(NOT GRADUS_HDF5 STREQUAL "OFF")
  find_package(Hdf5C QUIET)
endif()
set(gradus_hdf5_usable OFF)
if(TARGET Hdf5C::Hdf5C)
  # Not every HDF5 will do: variants for MPI need its headers, and static ones libraries of their own.
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES Hdf5C::Hdf5C)
  check_cxx_source_compiles(
    "#include <hdf5.h>\nint main() { return H5open() + H5Pset_libver_bounds(0, H5F_LIBVER_V18, H5F_LIBVER_V18); }"
    gradus_hdf5_works)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(gradus_hdf5_usable ${gradus_hdf5_works})
endif()
gradus_optional_module(hdf5 FOUND "${gradus_hdf5_usable}" TITLE "HDF5 1.10.2 or newer without MPI" DEBIAN libhdf5-dev
  LIBRARY Hdf5C::Hdf5C SOURCES src/results/hdf5/dataset.cpp src/results/hdf5/driver.cpp src/results/hdf5/module.cpp
  src/results/utf8.cpp)

# Several processes on one study: of the program only, other programs say by Processes what theirs do.
if(GRADUS_BUILD_PROGRAM)
  set(MPI_CXX_SKIP_MPICXX ON)
  if(NOT GRADUS_MPI STREQUAL "OFF")
    find_package(MPI 3.0 COMPONENTS CXX QUIET)
  endif()
  gradus_optional_module(mpi FOUND "${MPI_CXX_FOUND}" TITLE MPI DEBIAN libopenmpi-dev LIBRARY MPI::MPI_CXX
    SOURCES src/cli/mpi_module.cpp)
endif()
