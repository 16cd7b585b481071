# What is installed: the libraries, the headers and the program, and those modules that were built.
get_property(gradus_modules GLOBAL PROPERTY GRADUS_MODULES)
set(gradus_parts gradus gradus_c)
if(TARGET gradus_cli)
  list(APPEND gradus_parts gradus_cli)
endif()
add_custom_target(gradus_all)
add_dependencies(gradus_all ${gradus_parts} ${gradus_modules})

# First of all: nothing is installed by halves.
set(gradus_rest "cmake --build ${CMAKE_BINARY_DIR} --target gradus_all builds all that can be installed")
list(TRANSFORM gradus_parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE parts)
list(TRANSFORM gradus_modules REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE modules)
install(CODE "
  function(gradus_missing severity text)
    set(missing \"\")
    foreach(file IN LISTS ARGN)
      if(NOT EXISTS \"\${file}\")
        cmake_path(GET file FILENAME name)
        string(APPEND missing \" \${name}\")
      endif()
    endforeach()
    if(missing)
      message(\${severity} \"\${text}\${missing}. Hint: ${gradus_rest}\")
    endif()
  endfunction()
  gradus_missing(FATAL_ERROR \"gradus is not built, there is no\" \"${parts}\")
  gradus_missing(NOTICE \"gradus is installed without the modules that are not built:\" \"${modules}\")
")

install(TARGETS gradus gradus_c gradus_plugin EXPORT gradusTargets)
if(TARGET gradus_cli)
  install(TARGETS gradus_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS ${gradus_modules} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
install(DIRECTORY include/gradus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h*")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---------------------------------------------------------------------------------------------------------------------
# For find_package(gradus)
# ---------------------------------------------------------------------------------------------------------------------
include(CMakePackageConfigHelpers)
set(gradus_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gradus)
install(EXPORT gradusTargets NAMESPACE gradus:: DESTINATION ${gradus_package_dir})
configure_package_config_file(cmake/gradusConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/gradusConfig.cmake
  INSTALL_DESTINATION ${gradus_package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/gradusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gradusConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/gradusConfigVersion.cmake
  cmake/gradusPlugin.cmake DESTINATION ${gradus_package_dir})
