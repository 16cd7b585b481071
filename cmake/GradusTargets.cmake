# gradus_configure(target): the language level, warnings and floating-point rules every target of gradus shares.
function(gradus_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # No fused multiply-adds unless written: the same design gives the same bits whatever instructions are compiled for.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor
    -Wold-style-cast -Woverloaded-virtual -ffp-contract=off>)
  # g++ 12 warns of overlapping copies in "text" + string where there are none (GCC bug 105651).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  if(GRADUS_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  if(GRADUS_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GRADUS_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=${GRADUS_SANITIZE})
  endif()
endfunction()

# gradus_add_test(name LABELS a b SOURCES x.cpp ... [LIBRARIES ...]): one GoogleTest executable, registered test by test.
function(gradus_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  gradus_configure(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE gradus::gradus Eigen3::Eigen nlohmann_json::nlohmann_json GTest::gtest_main
    ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE GRADUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 120
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
