// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include <ridge/base/error.hpp>

#include "os/observed.hpp"
#include "storage/file_under_test.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t at_once = std::size_t{1} << 20;
constexpr std::size_t most_cached = std::size_t{256} << 20;

using read_piece = std::function<void(std::size_t offset, std::size_t bytes)>;

void read_into(int descriptor, std::span<std::byte> buffer, std::size_t offset, std::size_t bytes) {
  for (std::size_t at = offset; at < offset + bytes; at += buffer.size()) {
    const auto got = pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(at));
    expect_whole({.bytes = buffer.size()}, got < 0 ? -errno : got);
  }
}

// A mapping of the file, which the processor reads.
class file_mapping final {
 public:
  file_mapping(int descriptor, std::size_t bytes)
      : bytes_(bytes), mapping_(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0)) {
    if (mapping_ == MAP_FAILED) throw io_failure("map", "the probe's file", errno);
  }
  ~file_mapping() { munmap(mapping_, bytes_); }
  file_mapping(const file_mapping&) = delete;
  file_mapping& operator=(const file_mapping&) = delete;
  void read(std::size_t offset, std::size_t bytes) const {
    const auto* const words = static_cast<const std::uint64_t*>(mapping_) + offset / sizeof(std::uint64_t);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); ++i) sum += words[i];
    asm volatile("" : : "r"(sum));
  }

 private:
  std::size_t bytes_;
  void* mapping_;
};

// Returns the size of a piece, large enough that read-ahead does not serve one piece and slow down the next.
std::size_t piece_of(std::size_t bytes) {
  return std::clamp(bytes / 16 / at_once, std::size_t{1}, std::size_t{16}) * at_once;
}

// Reads pieces one after the other, once through the file (with `again` until the time is over), and returns
// their rates.
std::vector<double> rates_of_pieces(const file_under_test& file, std::size_t bytes, bool again,
                                    const read_piece& read) {
  const auto piece = piece_of(bytes);
  std::vector<double> rates;
  const auto begin = file.clock().now();
  const auto in_time = [&] {
    const double s = file.clock().seconds(file.clock().now() - begin);
    return s < (rates.size() < 7 ? 3 : 1) * file.row_s();
  };
  do {
    for (std::size_t at = 0; at + piece <= bytes && in_time(); at += piece) {
      const auto start = file.clock().now();
      read(at, piece);
      rates.push_back(static_cast<double>(piece) / file.clock().seconds(file.clock().now() - start));
    }
  } while (again && in_time());
  return rates;
}

struct cached_read {
  const char* id;
  const char* words;
  const char* variant;
};

void add_cached_reads(const file_under_test& file, const cached_read& read, std::vector<double> rates,
                      std::vector<model::ceiling>& rows) {
  if (rates.empty()) return;
  auto row = row_of_rates(read.id, read.words, std::move(rates));
  file.describe(row, read.variant);
  rows.push_back(std::move(row));
}

void add_cold_and_warm(const file_under_test& file, const cached_read& cold, const cached_read& warm,
                       const read_piece& read, std::vector<model::ceiling>& rows) {
  const auto all = std::min(file.size(), most_cached);
  if (file.file().forget()) add_cached_reads(file, cold, rates_of_pieces(file, all, false, read), rows);
  const auto kept = std::min(all, most_cached / 4);
  read(0, kept / at_once * at_once);
  add_cached_reads(file, warm, rates_of_pieces(file, kept, true, read), rows);
}

}  // namespace

void add_cached_reads(const file_under_test& file, std::vector<model::ceiling>& rows) {
  const host::region buffer(at_once, host::page_bytes());
  add_cold_and_warm(
      file, {"storage.file.buffered.cold", "reading a file that is not cached", "pread, 1 MiB, read-ahead"},
      {"storage.file.buffered.warm", "reading a file out of the page cache", "pread, 1 MiB"},
      [&](std::size_t offset, std::size_t bytes) {
        read_into(file.file().buffered(), buffer.bytes(), offset, bytes);
      },
      rows);
  (void)file.file().forget();  // the kernel cannot forget mapped pages
  const file_mapping mapped(file.file().buffered(), std::min(file.size(), most_cached));
  add_cold_and_warm(
      file, {"storage.file.mapped.cold", "reading a mapped file that is not cached", "mmap"},
      {"storage.file.mapped.warm", "reading a mapped file out of the page cache", "mmap"},
      [&](std::size_t offset, std::size_t bytes) { mapped.read(offset, bytes); }, rows);
}

model::ceiling flush_latency(const file_under_test& file) {
  const host::region block(4096, host::page_bytes());
  std::size_t at = 0;
  const auto once = [&] {
    const auto begin = file.clock().now();
    const auto wrote =
        pwrite(file.file().buffered(), block.bytes().data(), block.bytes().size(), static_cast<off_t>(at));
    expect_whole({.writes = true, .bytes = block.bytes().size()}, wrote < 0 ? -errno : wrote);
    if (fdatasync(file.file().buffered()) != 0) throw io_failure("flush", "the probe's file", errno);
    at = (at + 37 * block.bytes().size()) % file.size();
    return file.clock().seconds(file.clock().now() - begin);
  };
  auto row = row_of_times("storage.file.flush", "making 4 KiB durable",
                          observe(file.clock(), {file.row_s(), 6}, gives_way::yes, once), "");
  file.describe(row, "pwrite, fdatasync");
  return row;
}

}  // namespace ridge::backends::probe_host
