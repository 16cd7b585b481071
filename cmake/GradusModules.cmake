# Modules: libraries beside the program, opened when asked for (src/modules/module.hpp), so that neither the program nor
# those who link gradus need what only a module needs. GRADUS_<NAME>=AUTO builds a module where its library is found.

# gradus_wants(name found title debian): sets gradus_with_<name> as GRADUS_<NAME> asks and what was `found` allows.
function(gradus_wants name found title debian)
  string(TOUPPER GRADUS_${name} option)
  set(with OFF)
  if(found AND NOT ${option} STREQUAL "OFF")
    set(with ON)
    message(STATUS "${title}: on")
  elseif(${option} STREQUAL "ON")
    message(FATAL_ERROR "${option}=ON, but ${title} was not found. Hint: on Debian and Ubuntu it is the package "
      "${debian}; or build with ${option}=OFF")
  else()
    message(STATUS "${title}: off (${option}=${${option}})")
  endif()
  set(gradus_with_${name} ${with} PARENT_SCOPE)
endfunction()

foreach(option IN ITEMS GRADUS_NLOPT GRADUS_IPOPT GRADUS_HDF5 GRADUS_MPI)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} is '${${option}}' (allowed: AUTO, ON, OFF)")
  endif()
endforeach()

# ---------------------------------------------------------------------------------------------------------------------
# Optimisers
# ---------------------------------------------------------------------------------------------------------------------
if(NOT GRADUS_NLOPT STREQUAL "OFF")
  find_package(NLopt QUIET)
endif()
gradus_wants(nlopt "${NLopt_FOUND}" NLopt libnlopt-dev)
if(gradus_with_nlopt)
  gradus_add_module(nlopt LIBRARY NLopt::nlopt SOURCES src/study/optimization/nlopt_module.cpp)
  set_target_properties(gradus_nlopt PROPERTIES INSTALL_RPATH $ORIGIN)  # where scripts/package puts NLopt
endif()

if(NOT GRADUS_IPOPT STREQUAL "OFF")
  find_package(Ipopt QUIET)
endif()
gradus_wants(ipopt "${Ipopt_FOUND}" Ipopt coinor-libipopt-dev)
if(gradus_with_ipopt)
  gradus_add_module(ipopt LIBRARY Ipopt::Ipopt SOURCES src/study/optimization/ipopt_module.cpp)
endif()

# ---------------------------------------------------------------------------------------------------------------------
# Arrays of results as HDF5
# ---------------------------------------------------------------------------------------------------------------------
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
gradus_wants(hdf5 "${gradus_hdf5_usable}" "HDF5 1.10.2 or newer without MPI" libhdf5-dev)
if(gradus_with_hdf5)
  gradus_add_module(hdf5 LIBRARY Hdf5C::Hdf5C SOURCES
    src/results/hdf5/dataset.cpp src/results/hdf5/driver.cpp src/results/hdf5/module.cpp
    src/results/utf8.cpp)
endif()

# ---------------------------------------------------------------------------------------------------------------------
# Several processes on one study: of the program only, other programs say by Processes what theirs do
# ---------------------------------------------------------------------------------------------------------------------
if(GRADUS_BUILD_PROGRAM)
  set(MPI_CXX_SKIP_MPICXX ON)
  if(NOT GRADUS_MPI STREQUAL "OFF")
    find_package(MPI 3.0 COMPONENTS CXX QUIET)
  endif()
  gradus_wants(mpi "${MPI_CXX_FOUND}" MPI libopenmpi-dev)
  if(gradus_with_mpi)
    gradus_add_module(mpi LIBRARY MPI::MPI_CXX SOURCES src/cli/mpi_module.cpp)
  endif()
endif()
