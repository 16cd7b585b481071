# Optimisers that others wrote, as GRADUS_NLOPT and GRADUS_IPOPT ask: what is there is linked to the library, what is
# not there is a method that optimisations cannot use.

# gradus_optimizer(option package target debian): looks for one and tells the sources GRADUS_WITH_<NAME>.
function(gradus_optimizer option package target debian)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} is '${${option}}' (allowed: AUTO, ON, OFF)")
  endif()
  set(found 0)
  if(NOT ${option} STREQUAL "OFF")
    find_package(${package} QUIET)
    if(TARGET ${target})
      set(found 1)
    elseif(${option} STREQUAL "ON")
      message(FATAL_ERROR "${option}=ON, but ${package} was not found. Hint: on Debian and Ubuntu it is the package "
        "${debian}; or build with ${option}=OFF")
    endif()
  endif()
  string(REPLACE "GRADUS_" "GRADUS_WITH_" definition ${option})
  target_compile_definitions(gradus PRIVATE ${definition}=${found})
  if(found)
    target_link_libraries(gradus PRIVATE ${target})
    message(STATUS "${package}: on")
  else()
    message(STATUS "${package}: off (${option}=${${option}})")
  endif()
  set(${definition} ${found} PARENT_SCOPE)
endfunction()

gradus_optimizer(GRADUS_NLOPT NLopt NLopt::nlopt libnlopt-dev)
gradus_optimizer(GRADUS_IPOPT Ipopt Ipopt::Ipopt coinor-libipopt-dev)
