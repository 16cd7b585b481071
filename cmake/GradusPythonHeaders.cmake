# Headers from PyPI (pyproject.toml), where the system has none: of the Python that builds the package.
find_package(Python 3.9 COMPONENTS Interpreter Development.Module REQUIRED)

# gradus_python_folder(variable expression): the folder that an expression of Python yields, or nothing.
function(gradus_python_folder variable expression)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import importlib.metadata as m; print(${expression})"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(failed OR NOT EXISTS "${found}")
    set(found "")
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

gradus_python_folder(gradus_cmeel "m.distribution('cmeel-eigen').locate_file('cmeel.prefix')")
gradus_python_folder(gradus_json "m.distribution('nlohmann-json').locate_file('nlohmann_json/include')")
gradus_python_folder(gradus_boost "m.distribution('boost-headers').locate_file('boost_headers/include')")

list(APPEND CMAKE_PREFIX_PATH ${gradus_cmeel})
if(gradus_boost)
  find_package(Boost 1.74 QUIET)
  if(NOT Boost_FOUND)
    set(BOOST_INCLUDEDIR ${gradus_boost})
  endif()
endif()
find_package(nlohmann_json 3.11 QUIET)
if(NOT nlohmann_json_FOUND AND gradus_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${gradus_json})
endif()

# The program is part of the package where its command line can be read.
if(GRADUS_BUILD_PROGRAM)
  find_package(CLI11 2.1 QUIET)
  if(NOT CLI11_FOUND)
    message(WARNING "the package will not have the program (python -m gradus), as CLI11 was not found. Hint: on Debian and "
      "Ubuntu it is the package libcli11-dev")
    set(GRADUS_BUILD_PROGRAM OFF)
  endif()
endif()
