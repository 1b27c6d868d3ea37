// SPDX-License-Identifier: Apache-2.0
#include "block_scanners.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace ridge::backends::trace_chrome_json {
namespace {

constexpr std::size_t slots_of_thread = 4;
// An event longer than so many blocks is left to the reader of one thread, whose window grows by doubling.
constexpr std::size_t most_blocks_of_event = 8;

void put_before(scanned_block& block, std::string_view text) {
  block.text.insert(block.text.begin(), text.begin(), text.end());
  block.size += text.size();
  block.offset -= text.size();
}

}  // namespace

block_scanners::block_scanners(trace::byte_source& source, std::string begun, std::uint64_t offset,
                               std::size_t block_bytes, unsigned threads)
    : source_(source),
      block_bytes_(block_bytes),
      ahead_(std::move(begun)),
      ahead_offset_(offset),
      slots_(slots_of_thread * threads),
      offset_(offset) {
  try {
    for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error&) {
    // The system grants no more threads; the caller's own does the work.
  }
}

block_scanners::~block_scanners() { stop(); }

void block_scanners::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

void block_scanners::work(unsigned index) {
  block_scanner scanner(index);
  std::unique_lock lock(mutex_);
  for (;;) {
    slot* mine = nullptr;
    changed_.wait(lock, [&] { return stopped_ || ended_ || (mine = claim()) != nullptr; });
    if (mine == nullptr) return;
    fill_and_scan(*mine, lock, scanner);
  }
}

// Returns the next block to fill, which nobody else fills then; nullptr where there is none now.
block_scanners::slot* block_scanners::claim() {
  auto& next = slot_of(filled_);
  if (stopped_ || ended_ || filling_ || next.stage != stage::free) return nullptr;
  filling_ = true;
  return &next;
}

void block_scanners::fill_and_scan(slot& mine, std::unique_lock<std::mutex>& lock, block_scanner& scanner) {
  const auto guarded = [&](const auto& action) {
    lock.unlock();
    try {
      action();
    } catch (...) {
      mine.thrown = std::current_exception();
    }
    lock.lock();
    changed_.notify_all();
  };
  bool more = false;
  guarded([&] { more = fill(mine.block); });
  mine.stage = stage::filled;
  ++filled_;
  filling_ = false;
  ended_ = !more;
  if (!mine.thrown) guarded([&] { scanner.scan(mine.block); });
  mine.stage = stage::scanned;
}

// Returns whether the source may have more.
bool block_scanners::fill(scanned_block& block) {
  const auto room = ahead_.size() + block_bytes_;
  if (block.text.size() < room + text_padding) block.text.resize(room + text_padding);
  auto* const text = block.text.data();
  std::ranges::copy(ahead_, text);
  auto size = ahead_.size();
  bool more = true;
  while (more && size < room) {
    const auto got = source_.read({text + size, room - size});
    size += got;
    more = got != 0;
  }
  block.size = more ? place_to_cut({text, size}) : size;
  block.offset = ahead_offset_;
  ahead_offset_ += block.size;
  ahead_.assign(text + block.size, size - block.size);
  std::fill_n(text + block.size, text_padding, '\0');
  return more;
}

// Waits until the block is scanned, and scans others meanwhile; false where no more come.
bool block_scanners::await(const slot& expected) {
  std::unique_lock lock(mutex_);
  while (expected.stage != stage::scanned) {
    if (ended_ && filled_ == handed_over_) return false;
    if (auto* const mine = claim())
      fill_and_scan(*mine, lock, scanner_);
    else
      changed_.wait(lock);
  }
  return true;
}

void block_scanners::give_back() {
  if (!std::exchange(holds_one_, false)) return;
  auto& last = slot_of(handed_over_ - 1);
  rest_ = last.block.unread();
  const std::lock_guard lock(mutex_);
  last.stage = stage::free;
  changed_.notify_all();
}

const scanned_block* block_scanners::next() {
  give_back();
  if (rest_.size() > most_blocks_of_event * block_bytes_) return nullptr;
  auto& expected = slot_of(handed_over_);
  if (!await(expected)) return nullptr;
  if (expected.thrown) std::rethrow_exception(expected.thrown);
  auto& block = expected.block;
  if (!rest_.empty()) {
    put_before(block, std::exchange(rest_, {}));
    scanner_.scan(block);
  }
  ++handed_over_;
  holds_one_ = true;
  offset_ = block.offset + block.read;
  return &block;
}

std::string block_scanners::leave() {
  stop();
  give_back();
  auto text = std::exchange(rest_, {});
  for (auto number = handed_over_; number < filled_; ++number) {
    const auto& left = slot_of(number);
    if (left.thrown) std::rethrow_exception(left.thrown);
    text.append(left.block.begin(), left.block.size);
  }
  return text + ahead_;
}

}  // namespace ridge::backends::trace_chrome_json
