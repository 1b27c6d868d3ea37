// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <ridge/trace/byte_source.hpp>

#include "scanned_block.hpp"

namespace ridge::backends::trace_chrome_json {

// Scans a list of events in blocks on several threads and hands the blocks over in the order of the input.
// The caller's thread scans too while it waits. Blocks are cut where an event seems to begin; where that was
// wrong, the event's end is put before the next block, which is scanned again: what is handed over does not
// depend on the cuts.
class block_scanners {
 public:
  // `begun` is text already read from the source, the first byte of which is at `offset` in the input.
  block_scanners(trace::byte_source& source, std::string begun, std::uint64_t offset, std::size_t block_bytes,
                 unsigned threads);
  ~block_scanners();
  block_scanners(const block_scanners&) = delete;
  block_scanners& operator=(const block_scanners&) = delete;

  // Returns the next block, which holds until the next call; nullptr at the end of the input. Throws what the
  // source throws, behind the blocks before it.
  [[nodiscard]] const scanned_block* next();

  // Ends the scanning and returns the text that was read from the source behind the events handed over.
  [[nodiscard]] std::string leave();
  // Where that text begins in the input.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  enum class stage : std::uint8_t { free, filled, scanned };
  struct slot {
    scanned_block block{};
    block_scanners::stage stage{block_scanners::stage::free};
    std::exception_ptr thrown{};
  };

  [[nodiscard]] slot& slot_of(std::uint64_t number) { return slots_[number % slots_.size()]; }
  void work(unsigned index);
  [[nodiscard]] slot* claim();
  void fill_and_scan(slot& mine, std::unique_lock<std::mutex>& lock, block_scanner& scanner);
  bool fill(scanned_block& block);
  bool await(const slot& expected);
  void give_back();
  void stop();

  // Of the thread that fills a block.
  trace::byte_source& source_;
  const std::size_t block_bytes_;
  std::string ahead_;           // read from the source, and part of no block yet
  std::uint64_t ahead_offset_;  // where that begins in the input

  std::mutex mutex_{};  // guards the stages and what follows
  std::condition_variable changed_{};
  std::vector<slot> slots_;
  std::uint64_t filled_ = 0;  // blocks
  bool filling_ = false;      // a thread fills the next block
  bool ended_ = false;        // the source has, or it threw
  bool stopped_ = false;

  // Of the caller's thread.
  std::uint64_t handed_over_ = 0;  // blocks
  bool holds_one_ = false;         // the last of them is still held
  std::string rest_{};             // the event at the end of the last block, as far as it stood there
  std::uint64_t offset_;
  block_scanner scanner_{0};
  std::vector<std::thread> threads_{};
};

}  // namespace ridge::backends::trace_chrome_json
