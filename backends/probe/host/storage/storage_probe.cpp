// SPDX-License-Identifier: Apache-2.0
#include "storage/storage_probe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <thread>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/host/file_cache.hpp>
#include <ridge/host/open_file.hpp>
#include <ridge/host/pages.hpp>

#include "sampler.hpp"
#include "storage/scratch_file.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t request_bytes = mib / 4;
constexpr std::size_t least_samples = 6;

struct way {
  const char* name;
  bool direct;
  int requests;  // requests in flight
};

struct sample_range {
  std::size_t offset, bytes;
};

// The work of one reader: its requests are `readers` apart, so that all readers together go through the range
// once and in order.
int read_stripe(const host::open_file& file, std::span<std::byte> buffer, sample_range range, int reader,
                int readers) {
  for (auto at = static_cast<std::size_t>(reader); at < range.bytes / request_bytes;
       at += static_cast<std::size_t>(readers)) {
    const auto offset = static_cast<off_t>(range.offset + at * request_bytes);
    const auto got = pread(file.descriptor(), buffer.data(), request_bytes, offset);
    if (got < 0) return errno;
    if (static_cast<std::size_t>(got) != request_bytes) return EIO;
  }
  return 0;
}

void read_sample(const host::open_file& file, const std::vector<host::region>& buffers, sample_range range) {
  const int readers = static_cast<int>(buffers.size());
  std::atomic<int> code = 0;
  const auto work = [&](int reader) {
    const int mine =
        read_stripe(file, buffers[static_cast<std::size_t>(reader)].bytes(), range, reader, readers);
    if (mine != 0) code = mine;
  };
  {
    std::vector<std::jthread> others;
    for (int reader = 1; reader < readers; ++reader) others.emplace_back(work, reader);
    work(0);
  }
  if (code != 0) throw io_failure("read", "the scratch file", code);
}

std::vector<double> read_rates(const scratch_file& file, const way& w, const measure::clock& clock,
                               double time_s) {
  host::drop_from_cache(file.path());
  const auto opened = host::open_file::try_open(file.path(), O_RDONLY | (w.direct ? O_DIRECT : 0));
  if (!opened) return {};
  // Read-ahead would serve some samples from memory and slow down others.
  if (!w.direct) posix_fadvise(opened->descriptor(), 0, 0, POSIX_FADV_RANDOM);
  std::vector<host::region> buffers;
  for (int i = 0; i < w.requests; ++i) buffers.emplace_back(request_bytes, host::page_bytes());
  std::vector<double> rates;
  // There are sixteen samples of a whole file, and eight of the smallest.
  const auto sample_bytes = std::max<std::size_t>(file.size() / 16, mib);
  const auto begin = clock.now();
  for (std::size_t from = 0; from + sample_bytes <= file.size(); from += sample_bytes) {
    const auto start = clock.now();
    read_sample(*opened, buffers, {from, sample_bytes});
    const auto end = clock.now();
    rates.push_back(static_cast<double>(sample_bytes) / clock.seconds(end - start));
    if (rates.size() >= least_samples && clock.seconds(end - begin) > time_s) break;
  }
  return rates.size() >= least_samples ? rates : std::vector<double>{};
}

std::string note_of(const scratch_file& file) {
  host::drop_from_cache(file.path());
  const bool in_memory = host::resident_fraction(file.path()) > 0.5;
  return in_memory ? "this folder's file system keeps files in memory; choose one on storage" : "";
}

}  // namespace

std::vector<model::ceiling> probe_storage(const std::filesystem::path& folder, const measure::clock& clock,
                                          double time_s) {
  constexpr way ways[] = {
      {"buffered, cold", false, 1}, {"direct", true, 1}, {"direct, 4 in flight", true, 4}};
  const scratch_file file(folder, 64 * mib, time_s * 0.4);
  model::ceiling best{
      .id = "storage.read", .description = "sequential read of a file that is not cached", .unit = "B/s"};
  for (const auto& w : ways) {
    if (!w.direct && best.value > 0) break;
    const auto rates = read_rates(file, w, clock, time_s * 0.2);
    if (rates.empty()) continue;
    const auto found = rate_of(rates);
    if (found.value <= best.value) continue;
    best.value = found.value, best.ci = found.ci, best.variant = w.name;
  }
  if (best.value == 0) return {};
  best.size_bytes = static_cast<double>(file.size());
  best.note = note_of(file);
  return {best};
}

}  // namespace ridge::backends::probe_host
