// Shows files to whoever sits at this machine.
#pragma once

#include <filesystem>

namespace gradus::cli {

enum class Opened {
  yes,
  no,          // what should open it does not run
  nobody_here  // there is no display, and $BROWSER names nothing
};

// Opens a page by $BROWSER, programs between colons of which the first that runs is taken, else by
// xdg-open on a display. Does not wait for it.
Opened open_in_browser(const std::filesystem::path& file);

}  // namespace gradus::cli
