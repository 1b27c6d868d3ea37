// SPDX-License-Identifier: Apache-2.0
#include "cudnn_graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/vendor/fastest.hpp>

namespace ridge::vendor {
namespace {

// Types of attributes, kinds of descriptors and attributes, by the library's numbers.
enum value_type {
  is_handle = 0,
  is_data_type = 1,
  is_boolean = 2,
  is_int64 = 3,
  is_pointer = 6,
  is_heuristic = 8,
  is_pointwise_mode = 14,
  is_descriptor = 15,
  is_reduction = 18
};
enum kind {
  pointwise_kind = 0,
  configuration_kind = 3,
  heuristic_kind = 4,
  plan_kind = 5,
  pointwise_operation_kind = 13,
  graph_kind = 15,
  pack_kind = 16,
  tensor_kind = 17,
  matmul_kind = 18,
  matmul_operation_kind = 19,
  reduction_kind = 21,
  reduction_operation_kind = 22
};
namespace pointwise_attribute {
enum { mode = 0, math = 1, axis = 9, description = 750, x = 751, b = 752, y = 753, t = 758 };
}  // namespace pointwise_attribute
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
enum { alignment = 900, type = 901, extents = 902, strides = 903, id = 906, passed = 907, by_value = 908 };
}  // namespace tensor_attribute
namespace pack_attribute {
enum { ids = 1000, pointers = 1001, workspace = 1003 };
}  // namespace pack_attribute
namespace matmul_attribute {
enum { math = 1500, a = 1520, b = 1521, c = 1522, description = 1523 };
}  // namespace matmul_attribute
namespace reduction_attribute {
enum { op = 1600, math = 1601, x = 1610, y = 1611, description = 1612 };
}  // namespace reduction_attribute
constexpr std::array heuristics = {3, 2};  // the library's own choice, then what always works

struct functions {
  const host::shared_library& library = cudnn_library();
  int (*create)(cudnnContext**) = library.function<int(cudnnContext**)>("cudnnCreate");
  int (*set_stream)(cudnnContext*,
                    cudaStream_t) = library.function<int(cudnnContext*, cudaStream_t)>("cudnnSetStream");
  int (*make)(int, void**) = library.function<int(int, void**)>("cudnnBackendCreateDescriptor");
  int (*destroy)(void*) = library.function<int(void*)>("cudnnBackendDestroyDescriptor");
  int (*finalize)(void*) = library.function<int(void*)>("cudnnBackendFinalize");
  int (*set)(void*, int, int, std::int64_t, const void*) =
      library.function<int(void*, int, int, std::int64_t, const void*)>("cudnnBackendSetAttribute");
  int (*get)(void*, int, int, std::int64_t, std::int64_t*, void*) =
      library.function<int(void*, int, int, std::int64_t, std::int64_t*, void*)>("cudnnBackendGetAttribute");
  int (*execute)(cudnnContext*, void*,
                 void*) = library.function<int(cudnnContext*, void*, void*)>("cudnnBackendExecute");
};

const functions& backend() {
  static const functions loaded;
  return loaded;
}

void set(void* descriptor, int attribute, value_type type, const void* values, std::size_t count = 1) {
  check_cudnn(backend().set(descriptor, attribute, type, static_cast<std::int64_t>(count), values),
              fmt::format("cudnnBackendSetAttribute {}", attribute));
}
// Attributes that are descriptors take the address of their handle.
void link(void* descriptor, int attribute, void* other) { set(descriptor, attribute, is_descriptor, &other); }
void set_type(void* descriptor, int attribute, cudnn_type type) {
  const int number = static_cast<int>(type);
  set(descriptor, attribute, is_data_type, &number);
}
void finalize(void* descriptor, std::string_view words) {
  check_cudnn(backend().finalize(descriptor), fmt::format("cudnnBackendFinalize of {}", words));
}

cudnn_graph::extents row_major(const cudnn_graph::extents& size) {
  return {size[1] * size[2] * size[3], size[2] * size[3], size[3], 1};
}

}  // namespace

void cudnn_graph::destroy::operator()(void* descriptor) const noexcept { backend().destroy(descriptor); }

cudnn_graph::cudnn_graph(cudaStream_t stream) : stream_(stream) {
  cudnnContext* handle = nullptr;
  check_cudnn(backend().create(&handle), "cudnnCreate");
  handle_.reset(handle);
  check_cudnn(backend().set_stream(handle, stream), "cudnnSetStream");
}

void* cudnn_graph::make(int kind) {
  void* made = nullptr;
  check_cudnn(backend().make(kind, &made), "cudnnBackendCreateDescriptor");
  return owned_.emplace_back(made).get();
}

cudnn_graph::tensor cudnn_graph::make_tensor(cudnn_type type, const extents& size, const extents& strides,
                                             const void* address, bool by_value) {
  const std::int64_t id = ++tensors_, alignment = by_value ? 4 : 16;
  const bool is_passed = address == nullptr;
  void* made = make(tensor_kind);
  set_type(made, tensor_attribute::type, type);
  set(made, tensor_attribute::extents, is_int64, size.data(), size.size());
  set(made, tensor_attribute::strides, is_int64, strides.data(), strides.size());
  set(made, tensor_attribute::id, is_int64, &id);
  set(made, tensor_attribute::alignment, is_int64, &alignment);
  set(made, tensor_attribute::passed, is_boolean, &is_passed);
  if (by_value) set(made, tensor_attribute::by_value, is_boolean, &by_value);
  finalize(made, "a tensor");
  if (!is_passed) ids_.push_back(id), addresses_.push_back(address);
  return made;
}

cudnn_graph::tensor cudnn_graph::stored(cudnn_type type, const extents& size, const extents& strides,
                                        const void* address) {
  return make_tensor(type, size, strides, address, false);
}

cudnn_graph::tensor cudnn_graph::passed(cudnn_type type, const extents& size) {
  return make_tensor(type, size, row_major(size), nullptr, false);
}

cudnn_graph::tensor cudnn_graph::constant(float value) {
  return make_tensor(cudnn_type::fp32, {1, 1, 1, 1}, {1, 1, 1, 1}, &constants_.emplace_back(value), true);
}

void* cudnn_graph::pointwise_operation(cudnn_pointwise op, cudnn_type math, int axis) {
  void* description = make(pointwise_kind);
  const int mode = static_cast<int>(op);
  const std::int64_t number = axis;
  set(description, pointwise_attribute::mode, is_pointwise_mode, &mode);
  set_type(description, pointwise_attribute::math, math);
  if (axis >= 0) set(description, pointwise_attribute::axis, is_int64, &number);
  finalize(description, "a pointwise operation's description");
  void* operation = make(pointwise_operation_kind);
  link(operation, pointwise_attribute::description, description);
  return operation;
}

void cudnn_graph::finish_operation(void* operation) {
  finalize(operation, "an operation");
  operations_.push_back(operation);
}

void cudnn_graph::pointwise(cudnn_pointwise op, tensor first, tensor second, tensor target, int axis) {
  void* operation = pointwise_operation(op, cudnn_type::fp32, axis);
  link(operation, pointwise_attribute::x, first);
  if (second != nullptr) link(operation, pointwise_attribute::b, second);
  link(operation, pointwise_attribute::y, target);
  finish_operation(operation);
}

void cudnn_graph::select(tensor chosen, tensor first, tensor second, tensor target) {
  void* operation = pointwise_operation(cudnn_pointwise::select, cudnn_type::fp32, -1);
  link(operation, pointwise_attribute::x, first);
  link(operation, pointwise_attribute::b, second);
  link(operation, pointwise_attribute::t, chosen);
  link(operation, pointwise_attribute::y, target);
  finish_operation(operation);
}

void cudnn_graph::compare(cudnn_pointwise op, tensor first, tensor second, tensor target) {
  void* operation = pointwise_operation(op, cudnn_type::boolean, -1);
  link(operation, pointwise_attribute::x, first);
  link(operation, pointwise_attribute::b, second);
  link(operation, pointwise_attribute::y, target);
  finish_operation(operation);
}

void cudnn_graph::reduce(cudnn_reduction op, tensor source, tensor target) {
  void* description = make(reduction_kind);
  const int number = static_cast<int>(op);
  set(description, reduction_attribute::op, is_reduction, &number);
  set_type(description, reduction_attribute::math, cudnn_type::fp32);
  finalize(description, "a reduction's description");
  void* operation = make(reduction_operation_kind);
  link(operation, reduction_attribute::x, source);
  link(operation, reduction_attribute::y, target);
  link(operation, reduction_attribute::description, description);
  finish_operation(operation);
}

void cudnn_graph::multiply(tensor a, tensor b, tensor target) {
  void* description = make(matmul_kind);
  set_type(description, matmul_attribute::math, cudnn_type::fp32);
  finalize(description, "a product's description");
  void* operation = make(matmul_operation_kind);
  link(operation, matmul_attribute::a, a);
  link(operation, matmul_attribute::b, b);
  link(operation, matmul_attribute::c, target);
  link(operation, matmul_attribute::description, description);
  finish_operation(operation);
}

void cudnn_graph::plan() {
  cudnnContext* handle = handle_.get();
  void* graph = make(graph_kind);
  set(graph, graph_attribute::handle, is_handle, &handle);
  set(graph, graph_attribute::operations, is_descriptor, operations_.data(), operations_.size());
  finalize(graph, "a graph");
  for (const int mode : heuristics) add_plans(graph, mode);
  if (plans_.empty())
    throw unavailable("a plan of cuDNN for this graph on this GPU",
                      "another shape or another version may have one");
}

void cudnn_graph::add_plans(void* graph, int mode) {
  void* asked = make(heuristic_kind);
  link(asked, heuristic_attribute::graph, graph);
  set(asked, heuristic_attribute::mode, is_heuristic, &mode);
  if (backend().finalize(asked) != 0) return;
  std::int64_t count = 0, found = 0;
  backend().get(asked, heuristic_attribute::results, is_descriptor, 0, &count, nullptr);
  std::vector<void*> configurations(static_cast<std::size_t>(count));
  for (auto& each : configurations) each = make(configuration_kind);
  if (backend().get(asked, heuristic_attribute::results, is_descriptor, count, &found,
                    configurations.data()) != 0)
    return;
  cudnnContext* handle = handle_.get();
  for (std::size_t i = 0; i < static_cast<std::size_t>(found) && plans_.size() < most_plans; ++i) {
    void* steps = nullptr;
    check_cudnn(backend().make(plan_kind, &steps), "cudnnBackendCreateDescriptor");
    execution_plan made{descriptor(steps)};
    set(steps, plan_attribute::handle, is_handle, &handle);
    link(steps, plan_attribute::configuration, configurations[i]);
    if (backend().finalize(steps) != 0) continue;
    std::int64_t one = 1;
    check_cudnn(
        backend().get(steps, plan_attribute::workspace_bytes, is_int64, 1, &one, &made.workspace_bytes),
        "cudnnBackendGetAttribute of a workspace");
    plans_.push_back(std::move(made));
  }
}

std::size_t cudnn_graph::workspace_bytes() const {
  std::int64_t most = 0;
  for (const auto& each : plans_) most = std::max(most, each.workspace_bytes);
  return static_cast<std::size_t>(most);
}

void cudnn_graph::choose(void* workspace) {
  arguments_ = make(pack_kind);
  set(arguments_, pack_attribute::ids, is_int64, ids_.data(), ids_.size());
  set(arguments_, pack_attribute::pointers, is_pointer, addresses_.data(), addresses_.size());
  set(arguments_, pack_attribute::workspace, is_pointer, &workspace);
  finalize(arguments_, "the arguments");
  chosen_ = fastest_of(plans_.size(), stream_, [this](std::size_t i) {
    return backend().execute(handle_.get(), plans_[i].steps.get(), arguments_) == 0;
  });
}

void cudnn_graph::enqueue() const {
  check_cudnn(backend().execute(handle_.get(), plans_[chosen_].steps.get(), arguments_),
              "cudnnBackendExecute");
}

}  // namespace ridge::vendor
