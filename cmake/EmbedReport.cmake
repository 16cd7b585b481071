# Writes the files of the report page into one C++ source: cmake -DSOURCE_DIR=... -DOUTPUT=... -P EmbedReport.cmake
# Raw strings in pieces below 16 kB, which every compiler takes. Run by the build whenever one of the files changes.
cmake_minimum_required(VERSION 3.25)

# The content of some files as one string literal.
function(gradus_literal result)
  set(content "")
  foreach(name IN LISTS ARGN)
    file(READ ${SOURCE_DIR}/${name} text)
    if(text MATCHES "[^\n -~]")
      message(FATAL_ERROR "${SOURCE_DIR}/${name}: found a character beyond ASCII (pieces would cut it), use an escape")
    endif()
    string(APPEND content "${text}")
  endforeach()
  string(LENGTH "${content}" length)
  set(literal "")
  set(offset 0)
  while(offset LESS length)
    string(SUBSTRING "${content}" ${offset} 15000 piece)
    string(APPEND literal "\n    R\"~~~(${piece})~~~\"")
    math(EXPR offset "${offset} + 15000")
  endwhile()
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()

gradus_literal(html report.html)
gradus_literal(css report.css)
gradus_literal(script format.js clock.js axes.js save.js inspector.js lines.js signals.js bars.js parallel.js plots.js camera.js shapes.js loads.js scene.js pointer.js player.js report.js)
file(WRITE ${OUTPUT} "// The report page; made by cmake/EmbedReport.cmake.
#include \"src/report/pages.hpp\"

namespace gradus::report::page_files {
const std::string_view html =${html};
const std::string_view css =${css};
const std::string_view script =${script};
}  // namespace gradus::report::page_files
")
