// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/side_stream.hpp>

#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

cudaStream_t created() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}

}  // namespace

// What is still enqueued runs to its end all the same.
void side_stream::destroy::operator()(cudaStream_t stream) const {
  static_cast<void>(cudaStreamDestroy(stream));
}

side_stream::side_stream() : handle_(created()) {}

void side_stream::fork_from(cudaStream_t queue) {
  forked_.record(queue);
  forked_.hold_back(handle());
}

void side_stream::join(cudaStream_t queue) {
  joined_.record(handle());
  joined_.hold_back(queue);
}

void side_stream::synchronize() const { check(cudaStreamSynchronize(handle()), "cudaStreamSynchronize"); }

}  // namespace ridge::gpu
