// Files of programs: found by what they were made of, checked, and not too many.
#include "src/specialise/program_cache.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "src/modules/cache_file.hpp"
#include "src/plan/plan_arrays.hpp"
#include "src/specialise/byte_stream.hpp"

namespace gradus::specialise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "gradus programs 2\n";
constexpr std::uintmax_t largest_entry = std::uintmax_t{64} << 20;

// FNV-1a with 128 bits.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      value_ ^= static_cast<unsigned char>(byte);
      value_ *= prime;
    }
  }
  template <class T>
  void add_numbers(const T* first, std::size_t count = 1) {
    for (std::size_t k = 0; k < count; ++k) {
      T numbers = first[k];
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
      __builtin_clear_padding(&numbers);  // elsewhere the same numbers may have another key
#endif
#endif
      add({reinterpret_cast<const char*>(&numbers), sizeof numbers});
    }
  }
  std::string text() const {
    std::string digits;
    for (int shift = 124; shift >= 0; shift -= 4)
      digits += "0123456789abcdef"[static_cast<unsigned>(value_ >> shift) & 15U];
    return digits;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide prime = (Wide{1} << 88) + 0x13b;
  Wide value_ = (Wide{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
};

// All that a plan says, wherever its arrays lie.
void add_plan(kernels::PlanView plan, Digest& digest) {
  for_each_array(plan, [&](auto*& array, int count) {
    if (count > 0) digest.add_numbers(array, static_cast<std::size_t>(count));
    array = nullptr;
  });
  digest.add_numbers(&plan);
}

// The library that this code is part of, with all kernels that it records.
void add_this_library(Digest& digest) {
  Dl_info found{};
  static const char somewhere = 0;
  if (dladdr(&somewhere, &found) != 0 && found.dli_fname != nullptr)
    digest.add(content_of(found.dli_fname));
}

// The compiler, as its file tells it from others: by its place, size and time.
void add_compiler(const std::string& compiler, Digest& digest) {
  digest.add(compiler);
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::vector<fs::path> places{compiler};
  for (std::string folder; std::getline(folders, folder, ':');)
    places.push_back(fs::path(folder) / compiler);
  for (const fs::path& place : places) {
    std::error_code error;
    const fs::path file = fs::canonical(place, error);
    if (error || !fs::is_regular_file(file, error)) continue;
    const auto size = fs::file_size(file, error);
    const auto time = fs::last_write_time(file, error).time_since_epoch().count();
    digest.add(file.string());
    digest.add_numbers(&size);
    digest.add_numbers(&time);
    return;
  }
}

// What -march=native goes by.
void add_processor(Digest& digest) {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line) && !line.empty();)
    if (line.starts_with("model") || line.starts_with("flags") || line.starts_with("Features") ||
        line.starts_with("cpu family"))
      digest.add(line);
}

std::string key_of(const StepSetup& setup, const std::string& compiler) {
  Digest digest;
  digest.add(beginning);
  add_this_library(digest);
  add_compiler(compiler, digest);
  add_processor(digest);
  add_plan(setup.plan, digest);
  digest.add_numbers(&setup.layout);
  digest.add_numbers(&setup.settings);
  digest.add_numbers(&setup.lanes);
  digest.add_numbers(&setup.own_clocks);
  digest.add_numbers(&setup.goes_back);
  if (setup.evaluation) digest.add_numbers(&*setup.evaluation);
  return digest.text();
}

// Of this user, and nobody else may write to it: what lies there is executed.
bool is_own(const fs::path& folder) {
  struct stat found {};
  return lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct File {
  fs::path path;
  fs::file_time_type time;
  std::uintmax_t size;
};

// Other processes may be at it, too.
void make_room(const fs::path& folder, std::uintmax_t most_bytes) {
  std::vector<File> files;
  std::uintmax_t all = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    const File file{entry->path(), entry->last_write_time(gone), entry->file_size(gone)};
    if (gone) continue;
    files.push_back(file);
    all += file.size;
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.time < b.time; });
  for (const File& file : files) {
    if (all <= most_bytes) return;
    std::error_code ignored;
    fs::remove(file.path, ignored);
    all -= file.size;
  }
}

// Writes all of it under a name of its own, which becomes the file's.
void put_in_place(const fs::path& file, std::string_view bytes) {
  std::string name = file.string() + ".XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) return;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(descriptor, bytes.data() + written, bytes.size() - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  const bool is_whole = close(descriptor) == 0 && written == bytes.size();
  if (!is_whole || std::rename(name.c_str(), file.c_str()) != 0) unlink(name.c_str());
}

}  // namespace

fs::path folder_of_programs(bool makes) {
  const char* const wish = std::getenv("GRADUS_KERNEL_CACHE");
  if (wish != nullptr && std::string_view(wish) == "off") return {};
  const fs::path folder = cache_file("kernels");
  if (folder.empty()) return {};
  std::error_code error;
  if (!makes && !fs::exists(folder, error)) {
    fs::path above = folder.parent_path();
    while (!fs::exists(above, error) && above.has_relative_path()) above = above.parent_path();
    const bool can_be_made = fs::is_directory(above, error) && access(above.c_str(), W_OK) == 0;
    return can_be_made ? folder : fs::path();
  }
  if (fs::create_directories(folder, error); error) return {};
  return is_own(folder) ? folder : fs::path();
}

ProgramCache::ProgramCache(const StepSetup& setup, const std::string& compiler,
                           std::uintmax_t most_bytes)
    : folder_(folder_of_programs(true)), most_bytes_(most_bytes) {
  if (!folder_.empty()) key_ = key_of(setup, compiler);
}

fs::path ProgramCache::file_of(int part) const {
  return folder_ / (key_ + "-" + std::to_string(part));
}

std::string ProgramCache::sum_of(int part, std::string_view bytes) const {
  Digest digest;
  digest.add(key_);
  digest.add_numbers(&part);
  digest.add(bytes);
  return digest.text();
}

std::optional<ProgramCache::Entry> ProgramCache::load(int part) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path file = file_of(part);
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > largest_entry || error)
    return std::nullopt;
  const std::string bytes = content_of(file);
  try {
    ByteReader reader(bytes);
    const std::string_view sum = reader.get_text();
    const std::string_view rest = reader.get_text();
    if (sum_of(part, rest) != sum) throw FileError("it is damaged");
    ByteReader parts(rest);
    Entry entry;
    entry.programs = parts.get_text();
    entry.library = parts.get_text();
    entry.has_news = parts.get<bool>();
    fs::last_write_time(file, fs::file_time_type::clock::now(), error);  // it is of use
    return entry;
  } catch (const FileError&) {
    remove(part);
    return std::nullopt;
  }
}

void ProgramCache::store(int part, const Entry& entry) const noexcept try {
  if (folder_.empty()) return;
  ByteWriter parts;
  parts.put_text(entry.programs);
  parts.put_text(entry.library);
  parts.put(entry.has_news);
  ByteWriter whole;
  whole.put_text(sum_of(part, parts.bytes()));
  whole.put_text(parts.bytes());
  if (whole.bytes().size() > largest_entry) return;
  put_in_place(file_of(part), whole.bytes());
  make_room(folder_, most_bytes_);
} catch (const std::exception&) {  // there is no memory left: then it is not kept
}

void ProgramCache::remove(int part) const noexcept {
  std::error_code ignored;
  fs::remove(file_of(part), ignored);
}

}  // namespace gradus::specialise
