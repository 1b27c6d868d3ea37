// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ridge::backends::probe_host {

// One request to a file. The caller owns the memory until the request has finished.
struct transfer {
  int descriptor = -1;
  bool writes = false;
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
  std::uint64_t offset = 0;
};

// Keeps several requests to files in flight, each in a slot of its own.
class block_engine {
 public:
  virtual ~block_engine() = default;
  // Starts a request in a free slot below the depth for which the engine was made.
  virtual void start(std::size_t slot, const transfer& transfer) = 0;
  // Waits for a request to finish and returns its slot, which is free again. Throws io_failure where the
  // request failed or was cut short, and failure where none finished within ten seconds.
  [[nodiscard]] virtual std::size_t finish() = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
};

inline constexpr int storage_patience_s = 10;

// Returns an engine that uses io_uring; null where the kernel or this build has none, with the reason.
[[nodiscard]] std::unique_ptr<block_engine> make_uring_engine(int depth, std::string& why_not);
// Returns an engine of as many threads as there are slots, each in pread or pwrite.
[[nodiscard]] std::unique_ptr<block_engine> make_thread_engine(int depth);

// Throws io_failure unless `done` (bytes, or minus errno) is everything that was requested.
void expect_whole(const transfer& asked, std::int64_t done);

}  // namespace ridge::backends::probe_host
