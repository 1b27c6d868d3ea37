// SPDX-License-Identifier: Apache-2.0
#include "import/ahead_source.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ridge::trace {
namespace {

constexpr std::size_t block_bytes = std::size_t{4} << 20;
constexpr std::size_t most_blocks = 3;

using read_block = std::vector<char>;

// Blocks on their way from the reading thread to the caller.
class block_queue {
 public:
  // Returns an empty block to fill; nullopt where no more are wanted.
  std::optional<read_block> free_block() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || out_ < most_blocks; });
    if (stopped_) return std::nullopt;
    ++out_;
    if (spare_.empty()) return read_block();
    auto b = std::move(spare_.back());
    spare_.pop_back();
    return b;
  }
  void push(read_block full) {
    const std::lock_guard lock(mutex_);
    full_.push_back(std::move(full));
    changed_.notify_all();
  }
  void end(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    thrown_ = std::move(failure);
    changed_.notify_all();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  // Exchanges a consumed block for the next full one; false at the end.
  bool next(read_block& read) {
    std::unique_lock lock(mutex_);
    if (!read.empty()) {
      spare_.push_back(std::move(read));
      --out_;
      changed_.notify_all();
    }
    read.clear();
    changed_.wait(lock, [&] { return ended_ || !full_.empty(); });
    if (full_.empty()) return false;
    read = std::move(full_.front());
    full_.pop_front();
    return true;
  }
  void rethrow() {
    const std::lock_guard lock(mutex_);
    if (auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
  }

 private:
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<read_block> full_{};
  std::vector<read_block> spare_{};
  std::size_t out_ = 0;
  bool ended_ = false, stopped_ = false;
  std::exception_ptr thrown_{};
};

class ahead_bytes final : public byte_source {
 public:
  explicit ahead_bytes(std::unique_ptr<byte_source> source)
      : source_(std::move(source)), size_(source_->size_hint()), reader_([this] { read_ahead(); }) {}
  ~ahead_bytes() override {
    queue_.stop();
    if (reader_.joinable()) reader_.join();
  }
  ahead_bytes(const ahead_bytes&) = delete;
  ahead_bytes& operator=(const ahead_bytes&) = delete;

  std::size_t read(std::span<char> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size()) {
      if (position_ == now_.size() && !next_block()) break;
      const auto n = std::min(buffer.size() - done, now_.size() - position_);
      std::copy_n(now_.data() + position_, n, buffer.data() + done);
      position_ += n;
      done += n;
    }
    return done;
  }

  // The reading thread has ended once the end is reached, so the source may be queried then.
  std::optional<error> ended_early() const override { return ended_ ? source_->ended_early() : std::nullopt; }
  std::uint64_t trailing_bytes() const override { return ended_ ? source_->trailing_bytes() : 0; }
  std::optional<std::uint64_t> size_hint() const override { return size_; }

 private:
  bool next_block() {
    position_ = 0;
    if (ended_ || queue_.next(now_)) return !ended_;
    now_.clear();
    reader_.join();
    ended_ = true;
    queue_.rethrow();
    return false;
  }

  void read_ahead() {
    std::exception_ptr thrown;
    try {
      while (auto b = queue_.free_block()) {
        b->resize(block_bytes);
        b->resize(source_->read(*b));
        if (b->empty()) break;
        queue_.push(std::move(*b));
      }
    } catch (...) {
      thrown = std::current_exception();
    }
    queue_.end(std::move(thrown));
  }

  std::unique_ptr<byte_source> source_;
  std::optional<std::uint64_t> size_;
  block_queue queue_{};
  read_block now_{};
  std::size_t position_ = 0;
  bool ended_ = false;
  std::thread reader_;
};

}  // namespace

std::unique_ptr<byte_source> ahead_source(std::unique_ptr<byte_source> source) {
  return std::make_unique<ahead_bytes>(std::move(source));
}

}  // namespace ridge::trace
