// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cudnn_norm.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/host/shared_library.hpp>
#include <ridge/vendor/fastest.hpp>

namespace ridge::vendor {
namespace {

// Functions and enumerations of cuDNN's graph interface, in the binary interface of its major version 9.
using status = int;
constexpr status success = 0;
constexpr int fp32 = 0, bf16 = 9;
enum value_type {
  is_handle = 0,
  is_data_type = 1,
  is_boolean = 2,
  is_int64 = 3,
  is_pointer = 6,
  is_heuristic = 8,
  is_descriptor = 15,
  is_norm_mode = 27,
  is_norm_phase = 28
};
enum kind {
  configuration = 3,
  heuristic = 4,
  execution_plan = 5,
  graph = 15,
  variant_pack = 16,
  tensor_kind = 17,
  forward_kind = 29,
  backward_kind = 30
};
namespace heuristic_attribute {
enum { mode = 200, graph = 201, results = 202 };
}  // namespace heuristic_attribute
namespace plan_attribute {
enum { handle = 400, configuration = 401, workspace_bytes = 402 };
}  // namespace plan_attribute
namespace graph_attribute {
enum { handle = 800, operations = 801 };
}  // namespace graph_attribute
namespace tensor_attribute {
enum { alignment = 900, type = 901, extents = 902, strides = 903, id = 906, by_value = 908 };
}  // namespace tensor_attribute
namespace pack_attribute {
enum { ids = 1000, pointers = 1001, workspace = 1003 };
}  // namespace pack_attribute
namespace forward_attribute {
enum { mode = 2000, phase = 2001, x = 2002, scale = 2005, epsilon = 2007, y = 2013 };
}  // namespace forward_attribute
namespace backward_attribute {
enum {
  mode = 2100,
  x = 2101,
  mean = 2102,
  inverse_deviation = 2103,
  dy = 2104,
  scale = 2105,
  dscale = 2107,
  dbias = 2108,
  dx = 2109
};
}  // namespace backward_attribute
constexpr int layer_norm = 0, rms_norm = 4, inference = 0;
constexpr std::array heuristics = {3, 2};  // the library's own choice, then what always works

struct functions {
  host::shared_library library{
      {"libcudnn.so.9", "/usr/local/cuda/lib64/libcudnn.so.9", "/usr/local/cuda/lib/libcudnn.so.9"},
      "cuDNN",
      "install NVIDIA's libcudnn9 (it is in PyTorch's packages, too: nvidia/cudnn/lib), "
      "or add its folder to LD_LIBRARY_PATH"};
  const char* (*text)(status) = library.function<const char*(status)>("cudnnGetErrorString");
  status (*create)(cudnnContext**) = library.function<status(cudnnContext**)>("cudnnCreate");
  status (*destroy)(cudnnContext*) = library.function<status(cudnnContext*)>("cudnnDestroy");
  status (*set_stream)(cudnnContext*, cudaStream_t) =
      library.function<status(cudnnContext*, cudaStream_t)>("cudnnSetStream");
  status (*make)(int, void**) = library.function<status(int, void**)>("cudnnBackendCreateDescriptor");
  status (*destroy_descriptor)(void*) = library.function<status(void*)>("cudnnBackendDestroyDescriptor");
  status (*finalize)(void*) = library.function<status(void*)>("cudnnBackendFinalize");
  status (*set)(void*, int, int, std::int64_t, const void*) =
      library.function<status(void*, int, int, std::int64_t, const void*)>("cudnnBackendSetAttribute");
  status (*get)(void*, int, int, std::int64_t, std::int64_t*, void*) =
      library.function<status(void*, int, int, std::int64_t, std::int64_t*, void*)>(
          "cudnnBackendGetAttribute");
  status (*execute)(cudnnContext*, void*,
                    void*) = library.function<status(cudnnContext*, void*, void*)>("cudnnBackendExecute");
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

void* make(kind wanted) {
  void* made = nullptr;
  check(cudnn().make(wanted, &made), "cudnnBackendCreateDescriptor");
  return made;
}

void set(void* descriptor, int attribute, value_type type, const void* values, std::size_t count = 1) {
  check(cudnn().set(descriptor, attribute, type, static_cast<std::int64_t>(count), values),
        fmt::format("cudnnBackendSetAttribute {}", attribute));
}

// Attributes that are descriptors take the address of their handle.
void link(void* descriptor, int attribute, void* other) { set(descriptor, attribute, is_descriptor, &other); }

std::int64_t as_extent(std::size_t count) {
  expects(count > 0 && count <= 0x7FFFFFFF, "cudnn_norm: an extent is zero or exceeds 2^31 - 1");
  return static_cast<std::int64_t>(count);
}

int mode_of(norm kind) { return kind == norm::layer ? layer_norm : rms_norm; }

}  // namespace

void cudnn_norm::destroy::operator()(void* descriptor) const noexcept {
  cudnn().destroy_descriptor(descriptor);
}
void cudnn_norm::destroy::operator()(cudnnContext* handle) const noexcept { cudnn().destroy(handle); }

// Columns are the channels of one-pixel images, as the library wants them.
const cudnn_norm::descriptor& cudnn_norm::tensor(std::int64_t rows, std::int64_t columns, int type,
                                                 const void* address, bool by_value) {
  const std::array<std::int64_t, 4> extents = {rows, columns, 1, 1}, strides = {columns, 1, columns, columns};
  const std::int64_t id = static_cast<std::int64_t>(tensors_.size()) + 1, alignment = 16;
  auto& made = tensors_.emplace_back(make(tensor_kind));
  addresses_.push_back(address);
  set(made.get(), tensor_attribute::type, is_data_type, &type);
  set(made.get(), tensor_attribute::extents, is_int64, extents.data(), extents.size());
  set(made.get(), tensor_attribute::strides, is_int64, strides.data(), strides.size());
  set(made.get(), tensor_attribute::id, is_int64, &id);
  set(made.get(), tensor_attribute::alignment, is_int64, &alignment);
  if (by_value) set(made.get(), tensor_attribute::by_value, is_boolean, &by_value);
  check(cudnn().finalize(made.get()), "cudnnBackendFinalize of a tensor");
  return made;
}

cudnn_norm::cudnn_norm(const normalized_rows& shape, const norm_forward& arrays, cudaStream_t stream)
    : stream_(stream), epsilon_(std::make_unique<float>(arrays.epsilon)) {
  expects(shape.kind == norm::rms, "cudnn_norm: forward passes are those of an RMS norm");
  const auto rows = as_extent(shape.rows), columns = as_extent(shape.columns);
  const descriptor operation(make(forward_kind));
  const int mode = mode_of(shape.kind), phase = inference;
  namespace attribute = forward_attribute;
  set(operation.get(), attribute::mode, is_norm_mode, &mode);
  set(operation.get(), attribute::phase, is_norm_phase, &phase);
  link(operation.get(), attribute::x, tensor(rows, columns, bf16, arrays.x).get());
  link(operation.get(), attribute::scale, tensor(1, columns, fp32, arrays.scale).get());
  link(operation.get(), attribute::epsilon, tensor(1, 1, fp32, epsilon_.get(), true).get());
  link(operation.get(), attribute::y, tensor(rows, columns, bf16, arrays.y).get());
  make_plans(operation);
}

cudnn_norm::cudnn_norm(const normalized_rows& shape, const norm_backward& arrays, cudaStream_t stream)
    : stream_(stream) {
  const auto rows = as_extent(shape.rows), columns = as_extent(shape.columns);
  const descriptor operation(make(backward_kind));
  const int mode = mode_of(shape.kind);
  namespace attribute = backward_attribute;
  set(operation.get(), attribute::mode, is_norm_mode, &mode);
  link(operation.get(), attribute::x, tensor(rows, columns, bf16, arrays.x).get());
  link(operation.get(), attribute::dy, tensor(rows, columns, bf16, arrays.dy).get());
  link(operation.get(), attribute::scale, tensor(1, columns, fp32, arrays.scale).get());
  link(operation.get(), attribute::inverse_deviation, tensor(rows, 1, fp32, arrays.inverse_deviation).get());
  link(operation.get(), attribute::dx, tensor(rows, columns, bf16, arrays.dx).get());
  link(operation.get(), attribute::dscale, tensor(1, columns, fp32, arrays.dscale).get());
  if (shape.kind == norm::layer) {
    link(operation.get(), attribute::mean, tensor(rows, 1, fp32, arrays.mean).get());
    link(operation.get(), attribute::dbias, tensor(1, columns, fp32, arrays.dbias).get());
  }
  make_plans(operation);
}

void cudnn_norm::make_plans(const descriptor& operation) {
  const auto supported = [](status found) {
    if (found != success)
      throw unavailable(fmt::format("cuDNN's norm of this shape ({})", cudnn().text(found)),
                        "another shape or another version may be supported");
  };
  supported(cudnn().finalize(operation.get()));
  cudnnContext* handle = nullptr;
  check(cudnn().create(&handle), "cudnnCreate");
  handle_.reset(handle);
  check(cudnn().set_stream(handle, stream_), "cudnnSetStream");
  const descriptor steps(make(graph));
  set(steps.get(), graph_attribute::handle, is_handle, &handle);
  link(steps.get(), graph_attribute::operations, operation.get());
  supported(cudnn().finalize(steps.get()));
  for (const int mode : heuristics) {
    const descriptor asked(make(heuristic));
    link(asked.get(), heuristic_attribute::graph, steps.get());
    set(asked.get(), heuristic_attribute::mode, is_heuristic, &mode);
    if (cudnn().finalize(asked.get()) != success) continue;
    std::int64_t count = 0;
    cudnn().get(asked.get(), heuristic_attribute::results, is_descriptor, 0, &count, nullptr);
    std::vector<void*> found(static_cast<std::size_t>(count));
    for (auto& each : found) each = configurations_.emplace_back(make(configuration)).get();
    if (cudnn().get(asked.get(), heuristic_attribute::results, is_descriptor, count, &count, found.data()) !=
        success)
      continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) && plans_.size() < most_plans; ++i) {
      plan made{descriptor(make(execution_plan))};
      set(made.steps.get(), plan_attribute::handle, is_handle, &handle);
      link(made.steps.get(), plan_attribute::configuration, found[i]);
      if (cudnn().finalize(made.steps.get()) != success) continue;
      std::int64_t one = 1;
      check(cudnn().get(made.steps.get(), plan_attribute::workspace_bytes, is_int64, 1, &one,
                        &made.workspace_bytes),
            "cudnnBackendGetAttribute of a workspace");
      plans_.push_back(std::move(made));
    }
  }
  if (plans_.empty())
    throw unavailable("a plan of cuDNN for this norm on this GPU",
                      "another shape or another version may have one");
}

std::size_t cudnn_norm::workspace_bytes() const {
  std::int64_t most = 0;
  for (const auto& each : plans_) most = std::max(most, each.workspace_bytes);
  return static_cast<std::size_t>(most);
}

void cudnn_norm::choose(void* workspace) {
  arguments_.reset(make(variant_pack));
  std::vector<std::int64_t> ids(tensors_.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i) + 1;
  set(arguments_.get(), pack_attribute::ids, is_int64, ids.data(), ids.size());
  set(arguments_.get(), pack_attribute::pointers, is_pointer, addresses_.data(), addresses_.size());
  set(arguments_.get(), pack_attribute::workspace, is_pointer, &workspace);
  check(cudnn().finalize(arguments_.get()), "cudnnBackendFinalize of the arguments");
  chosen_ = fastest_of(plans_.size(), stream_, [this](std::size_t i) { return try_plan(i); });
}

bool cudnn_norm::try_plan(std::size_t index) const {
  return cudnn().execute(handle_.get(), plans_[index].steps.get(), arguments_.get()) == success;
}

void cudnn_norm::enqueue() const {
  check(cudnn().execute(handle_.get(), plans_[chosen_].steps.get(), arguments_.get()), "cudnnBackendExecute");
}

}  // namespace ridge::vendor
