// One run at a time in a folder of results.
#pragma once

#include <filesystem>

namespace gradus {

class FolderLock {
 public:
  FolderLock() = default;
  // Throws InputError where another run holds the folder. File systems without locks give none.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace gradus
