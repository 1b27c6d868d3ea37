// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/graph.hpp>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/side_stream.hpp>

namespace ridge::gpu {
namespace {

struct drop {
  void operator()(cudaGraph_t recorded) const { static_cast<void>(cudaGraphDestroy(recorded)); }
};
using recording = std::unique_ptr<CUgraph_st, drop>;

// Records the work of `enqueue`. The capture is ended even where `enqueue` throws, because a stream in
// capture mode refuses all other work.
recording record(cudaStream_t stream, const std::function<void()>& enqueue) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  cudaGraph_t recorded = nullptr;
  try {
    enqueue();
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream, &recorded));
    static_cast<void>(cudaGetLastError());
    const recording dropped(recorded);
    throw;
  }
  check(cudaStreamEndCapture(stream, &recorded), "cudaStreamEndCapture");
  return recording(recorded);
}

}  // namespace

void graph::destroy::operator()(cudaGraphExec_t ready) const {
  static_cast<void>(cudaGraphExecDestroy(ready));
}

graph::graph(const std::function<void(cudaStream_t)>& enqueue) {
  const side_stream stream;
  make_ready(record(stream, [&] { enqueue(stream); }).get());
}

graph::graph(cudaStream_t stream, const std::function<void()>& enqueue) {
  make_ready(record(stream, enqueue).get());
}

void graph::make_ready(cudaGraph_t recorded) {
  check(cudaGraphGetNodes(recorded, nullptr, &nodes_), "cudaGraphGetNodes");
  if (nodes_ == 0) return;
  cudaGraphExec_t ready = nullptr;
  check(cudaGraphInstantiate(&ready, recorded, 0), "cudaGraphInstantiate");
  ready_.reset(ready);
}

void graph::upload(cudaStream_t stream) const {
  if (ready_) check(cudaGraphUpload(ready_.get(), stream), "cudaGraphUpload");
}

void graph::launch(cudaStream_t stream) const {
  if (ready_) check(cudaGraphLaunch(ready_.get(), stream), "cudaGraphLaunch");
}

}  // namespace ridge::gpu
