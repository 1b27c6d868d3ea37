// SPDX-License-Identifier: Apache-2.0
#include "storage/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/host/open_file.hpp>
#include <ridge/host/pages.hpp>

namespace ridge::backends::probe_host {
namespace {

// xorshift64* (Vigna, ACM TOMS 42, 2016): storage that compresses data or detects zeros gains nothing from
// such bytes.
void fill_random(std::span<std::uint64_t> words) {
  std::uint64_t x = 0x9e3779b97f4a7c15;
  for (auto& word : words) {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    word = x * 0x2545f4914f6cdd1d;
  }
}

host::open_file create(const std::filesystem::path& path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (auto direct = host::open_file::try_open(path, flags | O_DIRECT)) return std::move(*direct);
  return {path, flags};
}

void write_block(const host::open_file& file, const std::filesystem::path& path,
                 std::span<const std::byte> block) {
  while (!block.empty()) {
    const auto wrote = write(file.descriptor(), block.data(), block.size());
    if (wrote <= 0)
      throw io_failure("write", path.native(), wrote < 0 ? errno : ENOSPC, "choose another --scratch folder");
    block = block.subspan(static_cast<std::size_t>(wrote));
  }
}

}  // namespace

scratch_file::scratch_file(const std::filesystem::path& folder, std::size_t bytes, double time_s)
    : path_(folder / ("ridge_probe." + std::to_string(getpid()) + ".tmp")) {
  try {
    write_blocks(bytes, time_s);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    throw;
  }
}

void scratch_file::write_blocks(std::size_t bytes, double time_s) {
  using clock = std::chrono::steady_clock;
  const auto file = create(path_);
  const host::region block(block_bytes, host::page_bytes());
  fill_random(block.as<std::uint64_t>());
  const auto end = clock::now() + std::chrono::duration<double>(time_s);
  do {
    block.as<std::uint64_t>()[0] = size_;
    write_block(file, path_, block.bytes());
    size_ += block_bytes;
  } while (size_ < bytes && clock::now() < end);
  if (fdatasync(file.descriptor()) != 0) throw io_failure("flush", path_.native(), errno);
}

scratch_file::~scratch_file() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace ridge::backends::probe_host
