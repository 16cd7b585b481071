# gradus_add_plugin(name SOURCES...): a library of forces that gradus loads, by --plugin or load_plugin. It links nothing of
# gradus. Installed, for projects outside.
function(gradus_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE gradus::plugin)
  # Plug-ins in one process must not find each other's functions.
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
