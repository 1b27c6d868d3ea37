// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/stream.hpp>

#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

cudaStream_t create_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}

}  // namespace

void stream::destroy::operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }

stream::stream() : handle_(create_stream()) {}

void stream::synchronize() const { check(cudaStreamSynchronize(handle()), "cudaStreamSynchronize"); }

}  // namespace ridge::gpu
