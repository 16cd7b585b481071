# The dependencies from a folder made by scripts/bundle (GRADUS_BUNDLE) instead of the system: no network, no packages.
# Defines the targets that find_package would have defined.
foreach(header IN ITEMS include/Eigen/Core include/nlohmann/json.hpp include/CLI/CLI.hpp include/boost/version.hpp
        googletest/src/gtest-all.cc googletest/src/gtest_main.cc googletest/include/gtest/gtest.h)
  if(NOT EXISTS ${GRADUS_BUNDLE}/${header})
    message(FATAL_ERROR "GRADUS_BUNDLE=${GRADUS_BUNDLE} does not hold ${header}. Hint: make it again with scripts/bundle")
  endif()
endforeach()

foreach(target IN ITEMS Eigen3::Eigen nlohmann_json::nlohmann_json CLI11::CLI11 Boost::headers)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${GRADUS_BUNDLE}/include)
endforeach()

if(GRADUS_BUILD_TESTS)
  add_library(gradus_gtest_main STATIC EXCLUDE_FROM_ALL
    ${GRADUS_BUNDLE}/googletest/src/gtest-all.cc ${GRADUS_BUNDLE}/googletest/src/gtest_main.cc)
  target_compile_features(gradus_gtest_main PUBLIC cxx_std_14)
  target_include_directories(gradus_gtest_main SYSTEM PUBLIC ${GRADUS_BUNDLE}/googletest/include)
  target_include_directories(gradus_gtest_main PRIVATE ${GRADUS_BUNDLE}/googletest)
  target_link_libraries(gradus_gtest_main PUBLIC Threads::Threads)
  add_library(GTest::gtest_main ALIAS gradus_gtest_main)
endif()
message(STATUS "Dependencies: from the bundle ${GRADUS_BUNDLE}")
