// SPDX-License-Identifier: Apache-2.0
#include <liburing.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <ridge/base/error.hpp>

#include "storage/block_engine.hpp"

namespace ridge::backends::probe_host {
namespace {

class uring_engine final : public block_engine {
 public:
  explicit uring_engine(int depth)
      : transfers_(static_cast<std::size_t>(depth)), at_once_(static_cast<unsigned>(depth) / 4) {
    const int code = io_uring_queue_init(static_cast<unsigned>(depth), &ring_, 0);
    if (code != 0) throw unavailable(std::string("io_uring: ") + std::strerror(-code), "");
  }
  ~uring_engine() override { io_uring_queue_exit(&ring_); }
  uring_engine(const uring_engine&) = delete;
  uring_engine& operator=(const uring_engine&) = delete;

  // Returns whether the ring reads and writes: before kernel 5.6 there is a ring, but it does not read into
  // plain memory.
  [[nodiscard]] bool reads_and_writes() {
    auto* const probe = io_uring_get_probe_ring(&ring_);
    if (probe == nullptr) return false;
    const bool both = io_uring_opcode_supported(probe, IORING_OP_READ) != 0 &&
                      io_uring_opcode_supported(probe, IORING_OP_WRITE) != 0;
    io_uring_free_probe(probe);
    return both;
  }

  // Prepared requests are submitted together, when a quarter of the depth is prepared or nothing else is left
  // to do.
  void start(std::size_t slot, const transfer& transfer) override {
    transfers_.at(slot) = transfer;
    auto* const entry = io_uring_get_sqe(&ring_);
    expects(entry != nullptr, "uring_engine: more requests than the depth");
    const auto bytes = static_cast<unsigned>(transfer.bytes);
    if (transfer.writes)
      io_uring_prep_write(entry, transfer.descriptor, transfer.memory, bytes, transfer.offset);
    else
      io_uring_prep_read(entry, transfer.descriptor, transfer.memory, bytes, transfer.offset);
    io_uring_sqe_set_data64(entry, slot);
    if (++prepared_ > at_once_) submit();
  }

  std::size_t finish() override {
    io_uring_cqe* entry = nullptr;
    if (io_uring_peek_cqe(&ring_, &entry) != 0) entry = wait();
    const auto slot = static_cast<std::size_t>(io_uring_cqe_get_data64(entry));
    const auto done = entry->res;
    io_uring_cqe_seen(&ring_, entry);
    expect_whole(transfers_.at(slot), done);
    return slot;
  }

  [[nodiscard]] std::string_view name() const override { return "io_uring"; }

 private:
  void submit() {
    const int code = io_uring_submit(&ring_);
    if (code < 0) throw io_failure("submit", "a request of io_uring", -code);
    prepared_ = 0;
  }

  io_uring_cqe* wait() {
    if (prepared_ > 0) submit();
    io_uring_cqe* entry = nullptr;
    __kernel_timespec limit{storage_patience_s, 0};
    int code = -EINTR;
    while (code == -EINTR) code = io_uring_wait_cqe_timeout(&ring_, &entry, &limit);
    if (code == 0) return entry;
    throw failure({std::string("the storage did not answer: ") + std::strerror(-code),
                   "choose another --scratch folder"});
  }

  io_uring ring_{};
  std::vector<transfer> transfers_;
  unsigned at_once_, prepared_ = 0;
};

}  // namespace

std::unique_ptr<block_engine> make_uring_engine(int depth, std::string& why_not) {
  try {
    auto engine = std::make_unique<uring_engine>(depth);
    if (engine->reads_and_writes()) return engine;
    why_not = "io_uring: the kernel is older than 5.6";
  } catch (const unavailable& none) {
    why_not = none.why().message;
  }
  return nullptr;
}

}  // namespace ridge::backends::probe_host
