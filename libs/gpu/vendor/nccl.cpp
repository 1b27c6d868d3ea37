// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/nccl.hpp>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/host/shared_library.hpp>

namespace ridge::vendor {
namespace {

// NCCL's functions and enumerations in its binary interface, which nccl.h of 2.10 to 2.28 shares.
using status = int;
constexpr status success = 0;
constexpr int bf16 = 9, sum = 0;
constexpr std::size_t bf16_bytes = 2;

struct functions {
  host::shared_library library{{"libnccl.so.2", "/usr/local/cuda/lib/libnccl.so.2",
                                "/usr/local/cuda/lib64/libnccl.so.2", "libnccl.so"},
                               "NCCL",
                               "install NVIDIA's libnccl2, or add its folder to LD_LIBRARY_PATH"};
  status (*version)(int*) = library.function<status(int*)>("ncclGetVersion");
  const char* (*text)(status) = library.function<const char*(status)>("ncclGetErrorString");
  status (*init_all)(ncclComm**, int,
                     const int*) = library.function<status(ncclComm**, int, const int*)>("ncclCommInitAll");
  status (*destroy)(ncclComm*) = library.function<status(ncclComm*)>("ncclCommDestroy");
  status (*group_start)() = library.function<status()>("ncclGroupStart");
  status (*group_end)() = library.function<status()>("ncclGroupEnd");
  status (*all_reduce)(const void*, void*, std::size_t, int, int, ncclComm*, cudaStream_t) =
      library.function<status(const void*, void*, std::size_t, int, int, ncclComm*, cudaStream_t)>(
          "ncclAllReduce");
  status (*reduce_scatter)(const void*, void*, std::size_t, int, int, ncclComm*, cudaStream_t) =
      library.function<status(const void*, void*, std::size_t, int, int, ncclComm*, cudaStream_t)>(
          "ncclReduceScatter");
  status (*all_gather)(const void*, void*, std::size_t, int, ncclComm*, cudaStream_t) =
      library.function<status(const void*, void*, std::size_t, int, ncclComm*, cudaStream_t)>(
          "ncclAllGather");
  status (*send)(const void*, std::size_t, int, int, ncclComm*, cudaStream_t) =
      library.function<status(const void*, std::size_t, int, int, ncclComm*, cudaStream_t)>("ncclSend");
  status (*receive)(void*, std::size_t, int, int, ncclComm*, cudaStream_t) =
      library.function<status(void*, std::size_t, int, int, ncclComm*, cudaStream_t)>("ncclRecv");
};

const functions& nccl() {
  static const functions loaded;
  return loaded;
}

void check(status found, std::string_view call) {
  if (found == success) return;
  throw failure(
      {fmt::format("{} failed: {}", call, nccl().text(found)), "NCCL_DEBUG=WARN tells more on stderr"});
}

// A part of each buffer for every peer.
void all_to_all(const nccl_rank& r, std::size_t part, int ranks, ncclComm* communicator) {
  for (int peer = 0; peer < ranks; ++peer) {
    const auto at = static_cast<std::size_t>(peer) * part * bf16_bytes;
    check(nccl().send(static_cast<const std::byte*>(r.input) + at, part, bf16, peer, communicator, r.stream),
          "ncclSend");
    check(nccl().receive(static_cast<std::byte*>(r.output) + at, part, bf16, peer, communicator, r.stream),
          "ncclRecv");
  }
}

void enqueue_one(nccl_collective kind, const nccl_rank& r, std::size_t count, int ranks,
                 ncclComm* communicator) {
  const auto part = count / static_cast<std::size_t>(ranks);
  switch (kind) {
    case nccl_collective::all_reduce:
      return check(nccl().all_reduce(r.input, r.output, count, bf16, sum, communicator, r.stream),
                   "ncclAllReduce");
    case nccl_collective::all_gather:
      return check(nccl().all_gather(r.input, r.output, part, bf16, communicator, r.stream), "ncclAllGather");
    case nccl_collective::reduce_scatter:
      return check(nccl().reduce_scatter(r.input, r.output, part, bf16, sum, communicator, r.stream),
                   "ncclReduceScatter");
    case nccl_collective::all_to_all:
      return all_to_all(r, part, ranks, communicator);
  }
}

}  // namespace

result<std::string> find_nccl() {
  try {
    int version = 0;
    check(nccl().version(&version), "ncclGetVersion");
    return fmt::format("NCCL {}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
  } catch (const unavailable& e) {
    return e.why();
  }
}

void nccl_ranks::destroy::operator()(ncclComm* communicator) const noexcept {
  (void)nccl().destroy(communicator);
}

nccl_ranks::nccl_ranks(const std::vector<int>& gpus) {
  std::vector<ncclComm*> made(gpus.size());
  check(nccl().init_all(made.data(), static_cast<int>(gpus.size()), gpus.data()), "ncclCommInitAll");
  for (auto* one : made) communicators_.emplace_back(one);
}

void nccl_ranks::enqueue(nccl_collective kind, std::span<const nccl_rank> ranks, std::size_t bytes) const {
  expects(ranks.size() == communicators_.size(), "nccl_ranks: not as many buffers as ranks");
  const auto count = bytes / bf16_bytes;
  check(nccl().group_start(), "ncclGroupStart");
  for (std::size_t i = 0; i < ranks.size(); ++i)
    enqueue_one(kind, ranks[i], count, static_cast<int>(ranks.size()), communicators_[i].get());
  check(nccl().group_end(), "ncclGroupEnd");
}

}  // namespace ridge::vendor
