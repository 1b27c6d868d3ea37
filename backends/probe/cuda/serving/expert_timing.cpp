// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/vendor/cublas.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "serving/grouped_product.hpp"
#include "serving/replayed.hpp"
#include "serving/routed_rows.hpp"
#include "serving/timed_calls.hpp"

namespace ridge::backends::probe_cuda {
namespace {

static_assert(vendor::workspace_bytes >= vendor::cublas_workspace_bytes);

// A layer's sizes in elements of two bytes, and where its arrays lie within a set.
struct expert_layout {
  std::size_t hidden, intermediate, experts, tokens, rows;
  [[nodiscard]] std::size_t second_at() const { return aligned_bytes(4 * experts * intermediate * hidden); }
  [[nodiscard]] std::size_t inputs_at() const {
    return second_at() + aligned_bytes(2 * experts * intermediate * hidden);
  }
  [[nodiscard]] std::size_t gated_at() const { return inputs_at() + aligned_bytes(2 * rows * hidden); }
  [[nodiscard]] std::size_t active_at() const { return gated_at() + aligned_bytes(4 * rows * intermediate); }
  [[nodiscard]] std::size_t outputs_at() const {
    return active_at() + aligned_bytes(2 * rows * intermediate);
  }
  [[nodiscard]] std::size_t bytes() const { return outputs_at() + aligned_bytes(2 * rows * hidden); }
};

// Both products, with the traffic of gathering rows, of the activation and of adding the results up.
struct expert_layer {
  expert_layer(const expert_layout& l, const std::vector<int>& rows, std::byte* set)
      : layout(l),
        memory(set),
        first(rows, static_cast<int>(2 * l.intermediate), static_cast<int>(l.hidden), set,
              set + l.inputs_at(), set + l.gated_at()),
        second(rows, static_cast<int>(l.hidden), static_cast<int>(l.intermediate), set + l.second_at(),
               set + l.active_at(), set + l.outputs_at()) {}
  // Nothing flows back into the inputs, whose numbers stay as they are from replay to replay.
  void enqueue(cublasHandle_t handle, cudaStream_t stream) const {
    const auto rows_bytes = 2 * layout.rows * layout.hidden;
    launch_elementwise(memory + layout.inputs_at(), memory + layout.outputs_at(), rows_bytes, stream);
    first.enqueue(handle);
    launch_elementwise(memory + layout.gated_at(), memory + layout.active_at(),
                       2 * layout.rows * layout.intermediate, stream);
    second.enqueue(handle);
    launch_elementwise(memory + layout.outputs_at(), memory + layout.gated_at(),
                       std::min(rows_bytes, 4 * layout.rows * layout.intermediate), stream);
  }
  const expert_layout& layout;
  std::byte* memory;
  grouped_product first, second;
};

}  // namespace

probe::kernel_timing timed_experts(const timing_bench& bench, const model::kernel_call& call) {
  const auto library = vendor::find_cublas();
  if (!library) throw unavailable(library.why().message, library.why().remedy);
  const auto rows = routed_rows(call.size("tokens"), call.size("experts"), call.size("top_k"));
  const auto size = [&](const char* name) { return static_cast<std::size_t>(call.size(name)); };
  const expert_layout layout{size("hidden"), size("intermediate"), size("experts"), size("tokens"),
                             static_cast<std::size_t>(std::accumulate(rows.begin(), rows.end(), 0))};
  const auto sets = bench.pool.divide(layout.bytes(), element::bf16);
  std::vector<std::unique_ptr<expert_layer>> layers;
  for (int i = 0; i < sets.sets; ++i)
    layers.push_back(std::make_unique<expert_layer>(layout, rows, sets.at(i)));
  const auto handle =
      vendor::open_cublas(bench.stream, {static_cast<std::byte*>(bench.workspace), vendor::workspace_bytes});
  const auto enqueue = [&](cudaStream_t stream, int set) {
    layers[static_cast<std::size_t>(set)]->enqueue(handle.get(), stream);
  };
  probe::kernel_timing found;
  try {
    found = replayed(bench.stream, sets.sets, enqueue);
  } catch (const failure&) {  // a cuBLAS whose grouped products cannot be recorded
    found = streamed(bench.stream, sets.sets, enqueue);
  }
  found.implementation = *library + ", grouped products";
  return found;
}

}  // namespace ridge::backends::probe_cuda
