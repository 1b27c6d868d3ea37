// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <ridge/base/error.hpp>

#include "storage/block_engine.hpp"

namespace ridge::backends::probe_host {
namespace {

std::int64_t carry_out(const transfer& t) {
  const auto at = static_cast<off_t>(t.offset);
  ssize_t done = -1;
  do {
    done =
        t.writes ? pwrite(t.descriptor, t.memory, t.bytes, at) : pread(t.descriptor, t.memory, t.bytes, at);
  } while (done < 0 && errno == EINTR);
  return done < 0 ? -errno : done;
}

class thread_engine final : public block_engine {
 public:
  explicit thread_engine(int depth) {
    for (int i = 0; i < depth; ++i)
      workers_.emplace_back([this](const std::stop_token& token) { work(token); });
  }

  void start(std::size_t slot, const transfer& transfer) override {
    {
      const std::scoped_lock lock(mutex_);
      asked_.push_back({slot, transfer, 0});
    }
    asked_changed_.notify_one();
  }

  std::size_t finish() override {
    std::unique_lock lock(mutex_);
    const auto any = [&] { return !done_.empty(); };
    if (!done_changed_.wait_for(lock, std::chrono::seconds(storage_patience_s), any))
      throw failure({"the storage did not answer within 10 s", "choose another --scratch folder"});
    const auto one = done_.front();
    done_.pop_front();
    expect_whole(one.request, one.result);
    return one.slot;
  }

  [[nodiscard]] std::string_view name() const override { return "threads"; }

 private:
  struct job {
    std::size_t slot = 0;
    transfer request{};
    std::int64_t result = 0;
  };

  void work(const std::stop_token& token) {
    std::unique_lock lock(mutex_);
    while (asked_changed_.wait(lock, token, [&] { return !asked_.empty(); })) {
      auto mine = asked_.front();
      asked_.pop_front();
      lock.unlock();
      mine.result = carry_out(mine.request);
      lock.lock();
      done_.push_back(mine);
      done_changed_.notify_one();
    }
  }

  std::mutex mutex_{};
  std::condition_variable_any asked_changed_{};
  std::condition_variable done_changed_{};
  std::deque<job> asked_{}, done_{};
  std::vector<std::jthread> workers_{};
};

}  // namespace

std::unique_ptr<block_engine> make_thread_engine(int depth) { return std::make_unique<thread_engine>(depth); }

void expect_whole(const transfer& asked, std::int64_t done) {
  const auto* const action = asked.writes ? "write" : "read";
  if (done < 0)
    throw io_failure(action, "the probe's file", static_cast<int>(-done), "choose another --scratch folder");
  if (static_cast<std::size_t>(done) != asked.bytes)
    throw io_failure(action, "the whole of a block of the probe's file", asked.writes ? ENOSPC : EIO,
                     "choose another --scratch folder");
}

}  // namespace ridge::backends::probe_host
