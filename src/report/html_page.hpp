// One HTML page that needs nothing else: template, style and script are part of the program, the
// data is given.
#pragma once

#include <string>
#include <string_view>

#include "src/results/json_text.hpp"

namespace gradus::report {

// `data`: {"title", "subtitle", "description", "blocks": [{"kind", ...}]}, as src/report/page
// reads it. No text of it can become markup.
std::string html_page(const results::Json& data);

// The files of src/report/page, which the build puts into the program.
namespace page_files {
extern const std::string_view html, css, script;
}

}  // namespace gradus::report
