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

// A mapping of the file that is read by the processor.
class file_mapping final {
 public:
  file_mapping(int descriptor, std::size_t bytes)
      : bytes_(bytes), at_(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0)) {
    if (at_ == MAP_FAILED) throw io_failure("map", "the probe's file", errno);
  }
  ~file_mapping() { munmap(at_, bytes_); }
  file_mapping(const file_mapping&) = delete;
  file_mapping& operator=(const file_mapping&) = delete;
  void read(std::size_t offset, std::size_t bytes) const {
    const auto* const words = static_cast<const std::uint64_t*>(at_) + offset / sizeof(std::uint64_t);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); ++i) sum += words[i];
    asm volatile("" : : "r"(sum));
  }

 private:
  std::size_t bytes_;
  void* at_;
};

// Large enough that read-ahead does not serve one and charge the next.
std::size_t piece_of(std::size_t bytes) {
  return std::clamp(bytes / 16 / at_once, std::size_t{1}, std::size_t{16}) * at_once;
}

// Pieces one after the other, once through (`again`: until the time is over).
std::vector<double> rates_of_pieces(const file_under_test& of, std::size_t bytes, bool again,
                                    const read_piece& read) {
  const auto piece = piece_of(bytes);
  std::vector<double> rates;
  const auto begin = of.clock().now();
  const auto in_time = [&] {
    const double s = of.clock().seconds(of.clock().now() - begin);
    return s < (rates.size() < 7 ? 3 : 1) * of.row_s();
  };
  do {
    for (std::size_t at = 0; at + piece <= bytes && in_time(); at += piece) {
      const auto start = of.clock().now();
      read(at, piece);
      rates.push_back(static_cast<double>(piece) / of.clock().seconds(of.clock().now() - start));
    }
  } while (again && in_time());
  return rates;
}

struct cached_read {
  const char* id;
  const char* words;
  const char* variant;
};

void add_cached_reads(const file_under_test& of, const cached_read& what, std::vector<double> rates,
                      std::vector<model::ceiling>& to) {
  if (rates.empty()) return;
  auto row = row_of_rates(what.id, what.words, std::move(rates));
  of.describe(row, what.variant);
  to.push_back(std::move(row));
}

void add_cold_and_warm(const file_under_test& of, const cached_read& cold, const cached_read& warm,
                       const read_piece& read, std::vector<model::ceiling>& to) {
  const auto all = std::min(of.size(), most_cached);
  if (of.file().forget()) add_cached_reads(of, cold, rates_of_pieces(of, all, false, read), to);
  const auto kept = std::min(all, most_cached / 4);
  read(0, kept / at_once * at_once);
  add_cached_reads(of, warm, rates_of_pieces(of, kept, true, read), to);
}

}  // namespace

void add_cached_reads(const file_under_test& of, std::vector<model::ceiling>& to) {
  const host::region buffer(at_once, host::page_bytes());
  add_cold_and_warm(
      of, {"storage.file.buffered.cold", "reading a file that is not cached", "pread, 1 MiB, read-ahead"},
      {"storage.file.buffered.warm", "reading a file out of the page cache", "pread, 1 MiB"},
      [&](std::size_t at, std::size_t bytes) { read_into(of.file().buffered(), buffer.bytes(), at, bytes); },
      to);
  (void)of.file().forget();  // what is mapped cannot be forgotten
  const file_mapping mapped(of.file().buffered(), std::min(of.size(), most_cached));
  add_cold_and_warm(
      of, {"storage.file.mapped.cold", "reading a mapped file that is not cached", "mmap"},
      {"storage.file.mapped.warm", "reading a mapped file out of the page cache", "mmap"},
      [&](std::size_t at, std::size_t bytes) { mapped.read(at, bytes); }, to);
}

model::ceiling flush_latency(const file_under_test& of) {
  const host::region block(4096, host::page_bytes());
  std::size_t at = 0;
  const auto once = [&] {
    const auto begin = of.clock().now();
    const auto wrote =
        pwrite(of.file().buffered(), block.bytes().data(), block.bytes().size(), static_cast<off_t>(at));
    expect_whole({.writes = true, .bytes = block.bytes().size()}, wrote < 0 ? -errno : wrote);
    if (fdatasync(of.file().buffered()) != 0) throw io_failure("flush", "the probe's file", errno);
    at = (at + 37 * block.bytes().size()) % of.size();
    return of.clock().seconds(of.clock().now() - begin);
  };
  auto row = row_of_times("storage.file.flush", "making 4 KiB durable",
                          observe(of.clock(), {of.row_s(), 6}, gives_way::yes, once), "");
  of.describe(row, "pwrite, fdatasync");
  return row;
}

}  // namespace ridge::backends::probe_host
