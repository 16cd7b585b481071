# Finds Ipopt, which has no CMake package of its own: the target Ipopt::Ipopt. Debian puts its headers below `coin`,
# later versions below `coin-or`.
find_path(Ipopt_INCLUDE_DIR IpIpoptApplication.hpp PATH_SUFFIXES coin-or coin)
find_library(Ipopt_LIBRARY ipopt)
mark_as_advanced(Ipopt_INCLUDE_DIR Ipopt_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Ipopt REQUIRED_VARS Ipopt_LIBRARY Ipopt_INCLUDE_DIR)
if(Ipopt_FOUND AND NOT TARGET Ipopt::Ipopt)
  add_library(Ipopt::Ipopt UNKNOWN IMPORTED)
  set_target_properties(Ipopt::Ipopt PROPERTIES
    IMPORTED_LOCATION ${Ipopt_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Ipopt_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS HAVE_CSTDDEF)  # versions before 3.13 ask for it
endif()
