# Finds the C interface of HDF5, without MPI: the target Hdf5C::Hdf5C. CMake's own FindHDF5 asks for a C compiler. Debian
# puts headers and library of this variant below names of their own.
find_path(Hdf5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(Hdf5C_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(Hdf5C_INCLUDE_DIR Hdf5C_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hdf5C REQUIRED_VARS Hdf5C_LIBRARY Hdf5C_INCLUDE_DIR)
if(Hdf5C_FOUND AND NOT TARGET Hdf5C::Hdf5C)
  add_library(Hdf5C::Hdf5C UNKNOWN IMPORTED)
  set_target_properties(Hdf5C::Hdf5C PROPERTIES
    IMPORTED_LOCATION ${Hdf5C_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Hdf5C_INCLUDE_DIR})
endif()
