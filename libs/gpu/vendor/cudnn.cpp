// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cudnn.hpp>

#include <string_view>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/host/shared_library.hpp>

namespace ridge::vendor {
namespace {

// cuDNN's functions and enumerations in the binary interface of its major version 9.
using status = int;
constexpr status success = 0;
constexpr int nchw = 0, bf16 = 9, accurate = 1, over_channels_and_pixels = 0;

struct functions {
  host::shared_library library{
      {"libcudnn.so.9", "/usr/local/cuda/lib64/libcudnn.so.9", "/usr/local/cuda/lib/libcudnn.so.9"},
      "cuDNN",
      "install NVIDIA's libcudnn9 (it is in PyTorch's packages, too: nvidia/cudnn/lib), "
      "or add its folder to LD_LIBRARY_PATH"};
  std::size_t (*version)() = library.function<std::size_t()>("cudnnGetVersion");
  const char* (*text)(status) = library.function<const char*(status)>("cudnnGetErrorString");
  status (*create)(cudnnContext**) = library.function<status(cudnnContext**)>("cudnnCreate");
  status (*destroy)(cudnnContext*) = library.function<status(cudnnContext*)>("cudnnDestroy");
  status (*set_stream)(cudnnContext*, cudaStream_t) =
      library.function<status(cudnnContext*, cudaStream_t)>("cudnnSetStream");
  status (*create_shape)(cudnnTensorStruct**) =
      library.function<status(cudnnTensorStruct**)>("cudnnCreateTensorDescriptor");
  status (*destroy_shape)(cudnnTensorStruct*) =
      library.function<status(cudnnTensorStruct*)>("cudnnDestroyTensorDescriptor");
  status (*set_shape)(cudnnTensorStruct*, int, int, int, int, int, int) =
      library.function<status(cudnnTensorStruct*, int, int, int, int, int, int)>(
          "cudnnSetTensor4dDescriptor");
  status (*softmax)(cudnnContext*, int, int, const void*, const cudnnTensorStruct*, const void*, const void*,
                    const cudnnTensorStruct*, void*) =
      library.function<status(cudnnContext*, int, int, const void*, const cudnnTensorStruct*, const void*,
                              const void*, const cudnnTensorStruct*, void*)>("cudnnSoftmaxForward");
};

const functions& cudnn() {
  static const functions loaded;
  return loaded;
}

void check(status found, std::string_view call) {
  if (found == success) return;
  throw failure({fmt::format("{} failed: {}", call, cudnn().text(found)),
                 "CUDNN_LOGLEVEL_DBG=2 and CUDNN_LOGDEST_DBG=stderr tell more"});
}

int as_extent(std::size_t count) {
  expects(count <= 0x7FFFFFFF, "cudnn_softmax: an extent exceeds 2^31 - 1");
  return static_cast<int>(count);
}

}  // namespace

result<std::string> find_cudnn() {
  try {
    const auto v = cudnn().version();  // 91900
    return fmt::format("cuDNN {}.{}.{}", v / 10000, v / 100 % 100, v % 100);
  } catch (const unavailable& e) {
    return e.why();
  }
}

void cudnn_softmax::destroy::operator()(cudnnContext* handle) const noexcept { cudnn().destroy(handle); }
void cudnn_softmax::destroy::operator()(cudnnTensorStruct* shape) const noexcept {
  cudnn().destroy_shape(shape);
}

cudnn_softmax::cudnn_softmax(std::size_t rows, std::size_t columns, cudaStream_t stream) {
  cudnnContext* handle = nullptr;
  check(cudnn().create(&handle), "cudnnCreate");
  handle_.reset(handle);
  check(cudnn().set_stream(handle, stream), "cudnnSetStream");
  if (rows == 0 || columns == 0) return;
  cudnnTensorStruct* shape = nullptr;
  check(cudnn().create_shape(&shape), "cudnnCreateTensorDescriptor");
  shape_.reset(shape);
  check(cudnn().set_shape(shape, nchw, bf16, as_extent(rows), as_extent(columns), 1, 1),
        "cudnnSetTensor4dDescriptor");
}

void cudnn_softmax::enqueue(const void* source, void* target) const {
  if (shape_ == nullptr) return;
  const float one = 1, zero = 0;
  check(cudnn().softmax(handle_.get(), accurate, over_channels_and_pixels, &one, shape_.get(), source, &zero,
                        shape_.get(), target),
        "cudnnSoftmaxForward");
}

}  // namespace ridge::vendor
