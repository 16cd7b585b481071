// The few operations HDF5 asks of a file: read and write somewhere, and how long it is.
#include "src/results/hdf5/driver.hpp"

#include <algorithm>
#include <new>
#include <span>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // what HDF5 1.14 has moved there
#endif

namespace gradus::results {
namespace {

// Begins with what HDF5 keeps of every open file.
struct OpenFile {
  H5FD_t common;
  std::shared_ptr<Hdf5Sink> sink;
  haddr_t end;  // of the addresses in use
};

OpenFile& open_file(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}

const OpenFile& open_file(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

template <class Action>
void attempt(Hdf5Sink& sink, const Action& action) {
  if (sink.failure || sink.disk == nullptr) return;
  try {
    action();
  } catch (...) {
    sink.failure = std::current_exception();
  }
}

extern "C" {

static H5FD_t* sink_open(const char*, unsigned, hid_t access, haddr_t) {
  const void* const info = H5Pget_driver_info(access);
  auto* const file = info == nullptr ? nullptr : new (std::nothrow) OpenFile{};
  if (file == nullptr) return nullptr;
  file->sink = **static_cast<const std::shared_ptr<Hdf5Sink>* const*>(info);
  return &file->common;
}

static herr_t sink_close(H5FD_t* file) {
  delete &open_file(file);
  return 0;
}

// What is written is a plain file that HDF5's own drivers read.
static herr_t sink_query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t sink_end(const H5FD_t* file, H5FD_mem_t) {
  return open_file(file).end;
}

static herr_t sink_set_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  open_file(file).end = address;
  return 0;
}

static haddr_t sink_size(const H5FD_t* file, H5FD_mem_t) {
  const RandomAccessFile* const disk = open_file(file).sink->disk;
  return disk == nullptr ? 0 : disk->size();
}

static herr_t sink_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                        void* buffer) {
  Hdf5Sink& sink = *open_file(file).sink;
  const std::span bytes(static_cast<std::byte*>(buffer), size);
  attempt(sink, [&] { sink.disk->read_at(address, bytes); });
  if (sink.failure || sink.disk == nullptr) std::fill(bytes.begin(), bytes.end(), std::byte{0});
  return 0;
}

static herr_t sink_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                         const void* buffer) {
  Hdf5Sink& sink = *open_file(file).sink;
  const std::span bytes(static_cast<const std::byte*>(buffer), size);
  attempt(sink, [&] { sink.disk->write_at(address, bytes); });
  return 0;
}

static herr_t sink_truncate(H5FD_t* file, hid_t, hbool_t) {
  const OpenFile& open = open_file(file);
  attempt(*open.sink, [&] {
    if (open.end != open.sink->disk->size()) open.sink->disk->resize(open.end);
  });
  return 0;
}

}  // extern "C"

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(500);  // from 256 on: drivers of programs
#endif
  driver.name = "gradus";
  driver.maxaddr = haddr_t{1} << 62;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(const std::shared_ptr<Hdf5Sink>*);  // HDF5 copies it byte by byte
  driver.open = sink_open;
  driver.close = sink_close;
  driver.query = sink_query;
  driver.get_eoa = sink_end;
  driver.set_eoa = sink_set_end;
  driver.get_eof = sink_size;
  driver.read = sink_read;
  driver.write = sink_write;
  driver.truncate = sink_truncate;
  return driver;
}

}  // namespace

bool use_sink(hid_t access, const std::shared_ptr<Hdf5Sink>& sink) {
  static const H5FD_class_t driver = make_driver();
  // Registered each time: programs may close HDF5 in between.
  const hid_t registered = H5FDregister(&driver);
  if (registered < 0) return false;
  const std::shared_ptr<Hdf5Sink>* const address = &sink;
  const bool taken = H5Pset_driver(access, registered, &address) >= 0;
  H5FDunregister(registered);  // the list, and then the file, hold on to it
  return taken;
}

}  // namespace gradus::results
