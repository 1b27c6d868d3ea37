// SPDX-License-Identifier: Apache-2.0
#include "serving/exchange_timing.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "serving/replayed.hpp"
#include "timing/event_seconds.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

vendor::nccl_collective collective_of(const std::string& kernel) {
  if (kernel == "all_reduce") return vendor::nccl_collective::all_reduce;
  if (kernel == "all_gather") return vendor::nccl_collective::all_gather;
  if (kernel == "reduce_scatter") return vendor::nccl_collective::reduce_scatter;
  return vendor::nccl_collective::all_to_all;
}

// One recorded graph for each rank: all are recorded at the same time, for a collective is one group of
// calls.
class graphs final {
 public:
  using enqueuer = std::function<void()>;

  graphs(const std::vector<std::pair<int, cudaStream_t>>& ranks, const enqueuer& enqueue) : ranks_(ranks) {
    begin();
    try {
      enqueue();
    } catch (const failure&) {
      (void)end();
      throw;
    }
    gpu::check(end(), "cudaStreamEndCapture of a collective");
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      cudaGraphExec_t ready = nullptr;
      gpu::check(cudaSetDevice(ranks_[i].first), "cudaSetDevice");
      gpu::check(cudaGraphInstantiate(&ready, recorded_[i], 0), "cudaGraphInstantiate");
      ready_.push_back(ready);
    }
  }
  ~graphs() {
    for (auto* one : ready_) (void)cudaGraphExecDestroy(one);
    for (auto* one : recorded_) (void)cudaGraphDestroy(one);
  }
  graphs(const graphs&) = delete;
  graphs& operator=(const graphs&) = delete;

  void launch() const {
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      gpu::check(cudaSetDevice(ranks_[i].first), "cudaSetDevice");
      gpu::check(cudaGraphLaunch(ready_[i], ranks_[i].second), "cudaGraphLaunch");
    }
    gpu::check(cudaSetDevice(ranks_.front().first), "cudaSetDevice");
  }

 private:
  void begin() const {
    for (const auto& [device, stream] : ranks_) {
      gpu::check(cudaSetDevice(device), "cudaSetDevice");
      gpu::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    }
  }
  // Ends the recording of all ranks; returns the first error.
  cudaError_t end() {
    auto first = cudaSuccess;
    for (const auto& [device, stream] : ranks_) {
      cudaGraph_t recorded = nullptr;
      (void)cudaSetDevice(device);
      const auto ended = cudaStreamEndCapture(stream, &recorded);
      if (first == cudaSuccess) first = ended;
      if (recorded != nullptr) recorded_.push_back(recorded);
    }
    return first;
  }

  std::vector<std::pair<int, cudaStream_t>> ranks_;
  std::vector<cudaGraph_t> recorded_{};
  std::vector<cudaGraphExec_t> ready_{};
};

}  // namespace

exchange_bench::rank exchange_bench::made_rank(int gpu) const {
  gpu::check(cudaSetDevice(gpu), "cudaSetDevice");
  rank r{.gpu = gpu};
  r.stream.emplace();
  r.input = gpu::device_memory(most_bytes), r.output = gpu::device_memory(most_bytes);
  for (const auto* memory : {&r.input, &r.output})
    gpu::check(cudaMemset(memory->data(), 0, most_bytes), "cudaMemset");
  return r;
}

exchange_bench::group& exchange_bench::group_of(int ranks) {
  auto& made = groups_[ranks];
  if (made.nccl) return made;
  std::vector<int> gpus;
  for (int i = 0; i < ranks; ++i) gpus.push_back((first_ + i) % gpus_);
  made.ranks.clear();
  for (const int gpu : gpus) made.ranks.push_back(made_rank(gpu));
  gpu::check(cudaSetDevice(first_), "cudaSetDevice");
  made.nccl = std::make_unique<vendor::nccl_ranks>(gpus);
  return made;
}

probe::kernel_timing exchange_bench::time(const model::kernel_call& call) {
  const auto library = vendor::find_nccl();
  if (!library) throw unavailable(library.why().message, library.why().remedy);
  const auto ranks = static_cast<int>(call.size("ranks"));
  const auto bytes = static_cast<std::size_t>(call.size("bytes"));
  if (ranks < 2 || ranks > gpus_)
    throw unavailable(fmt::format("a collective of {} GPUs", ranks), fmt::format("CUDA sees {}", gpus_));
  if (bytes > most_bytes) throw unavailable("so large a collective", "64 MiB is the largest");
  const auto& joined = group_of(ranks);
  std::vector<vendor::nccl_rank> buffers;
  std::vector<std::pair<int, cudaStream_t>> streams;
  for (const auto& r : joined.ranks) {
    buffers.push_back({r.input.data(), r.output.data(), *r.stream});
    streams.emplace_back(r.gpu, *r.stream);
  }
  const auto kind = collective_of(call.kernel);
  const auto enqueue = [&] { joined.nccl->enqueue(kind, buffers, bytes); };
  enqueue();  // connects the ranks, which a recording must not do
  for (const auto& [device, stream] : streams)
    gpu::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize after the first collective");
  auto found = replayed_graphs(streams.front().second, [&](int calls) {
    auto made = std::make_shared<graphs>(streams, [&] {
      for (int i = 0; i < calls; ++i) enqueue();
    });
    return [made] { made->launch(); };
  });
  for (const auto& [device, stream] : streams)
    gpu::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize after collectives");
  found.implementation = *library;
  return found;
}

}  // namespace ridge::backends::probe_cuda
