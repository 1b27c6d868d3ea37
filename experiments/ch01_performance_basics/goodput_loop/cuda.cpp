// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>

#include "cuda_epochs.hpp"
#include "goodput_loop.hpp"
#include "loader.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

struct host_window {
  explicit host_window(std::size_t rows)
      : raw(rows * record_bytes), features(rows * features_per_record), labels(rows), order(rows) {}
  std::vector<std::byte> raw;
  std::vector<float> features;
  std::vector<std::uint8_t> labels;
  std::vector<std::uint32_t> order;
};

struct step_buffers {
  step_buffers(const mlp::shape& s, std::size_t rows)
      : host_features(rows * s.features),
        host_labels(rows),
        features(rows * s.features * sizeof(float)),
        labels(rows),
        scratch(mlp::plain_device_floats(s, rows) * sizeof(float)),
        row_losses(rows * sizeof(float)),
        loss(sizeof(float)) {}
  std::vector<float> host_features;
  std::vector<std::uint8_t> host_labels;
  gpu::device_memory features, labels, scratch, row_losses,
      loss;  // cudaMalloc and cudaFree may each wait for the GPU
};

// The losses that the host has seen so far.
struct seen_losses {
  std::array<float, 2> mean{};
  void add(std::size_t window, std::size_t windows, std::size_t begin, float loss, float share) {
    if (window == 0 && begin == 0) mean[first] = loss;
    if (window + 1 == windows) mean[last] += share * loss;
  }
};

class malloc_epoch {
 public:
  malloc_epoch(workload& w, call& c, const workload& host, float* parameters)
      : w_(w), c_(c), host_(host), file_(host), parameters_(parameters) {}

  void run(std::span<const std::uint32_t> order) {
    seen_losses seen;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto window = load(order[i]);
      const auto rows = window->labels.size();
      for (std::size_t from = 0; from < rows; from += batch_rows) {
        const auto of_step = std::min(batch_rows, rows - from);
        const float loss = step(*window, from, of_step, i == 0 && from == 0);
        seen.add(i, order.size(), from, loss, as_float(of_step) / as_float(rows));
      }
    }
    gpu::check(cudaMemcpyAsync(w_.losses.data(), seen.mean.data(), sizeof seen.mean, cudaMemcpyHostToDevice,
                               c_.queue()),
               "cudaMemcpyAsync of the losses");
    synchronize(c_.queue());
  }

 private:
  std::unique_ptr<host_window> load(std::size_t index) {
    std::unique_ptr<host_window> window;
    {
      const auto marked = c_.in(allocate);
      window = std::make_unique<host_window>(rows_of(host_, index));
    }
    {
      const auto marked = c_.in(read);
      file_.read_window(index, window->raw);
    }
    {
      const auto marked = c_.in(decode);
      decode_window(host_, window->raw, window->features, window->labels);
    }
    const auto marked = c_.in(shuffle);
    order_rows(host_, index, window->order);
    return window;
  }

  // Returns the mean loss of the step's rows.
  float step(const host_window& window, std::size_t begin, std::size_t rows, bool very_first) {
    std::optional<step_buffers> at;
    {
      const auto marked = c_.in(allocate);
      at.emplace(w_.model, rows);
    }
    {
      const auto marked = c_.in(shuffle);
      gather({window.features, window.labels}, std::span(window.order).subspan(begin, rows),
             at->host_features, at->host_labels);
    }
    copy_in(*at);
    train(*at, rows, very_first);
    const float loss = fetch_loss(*at);
    const auto marked = c_.in(allocate);
    at.reset();
    return loss;
  }

  void copy_in(const step_buffers& buffers) {
    const auto marked = c_.in(copy);
    copy_window({buffers.host_features, buffers.host_labels},
                {buffers.features.as<float>(), buffers.labels.as<std::uint8_t>()}, c_.queue());
    synchronize(c_.queue());
  }

  void train(const step_buffers& buffers, std::size_t rows, bool very_first) {
    const auto marked = c_.in(useful);
    const auto n = as_float(rows);
    mlp::plain_device_step(w_.model, {buffers.features.as<float>(), buffers.labels.as<std::uint8_t>(), rows},
                           rate_per_sample * n,
                           {.parameters = parameters_,
                            .updated = parameters_,
                            .gradient = very_first ? w_.first_gradient.data() : nullptr,
                            .row_losses = buffers.row_losses.as<float>(),
                            .scratch = buffers.scratch.as<float>()},
                           c_.queue());
    mlp::mean_on_device(buffers.row_losses.as<float>(), rows, n, buffers.loss.as<float>(), c_.queue());
    synchronize(c_.queue());
  }

  float fetch_loss(const step_buffers& buffers) {
    const auto marked = c_.in(copy);
    float loss = 0;
    gpu::check(
        cudaMemcpyAsync(&loss, buffers.loss.as<float>(), sizeof loss, cudaMemcpyDeviceToHost, c_.queue()),
        "cudaMemcpyAsync of a loss");
    synchronize(c_.queue());
    return loss;
  }

  workload& w_;
  call& c_;
  const workload& host_;
  record_file file_;
  float* parameters_;
};

// An epoch in which every window and every step allocates its buffers on host and GPU and frees them; the
// host waits for each copy, for each step and for its loss.
void malloc_pageable_epoch(workload& w, call& c) {
  const host_view host(w, c.queue());
  const gpu::device_memory parameters(w.model.parameters() * sizeof(float));
  begin_training(w, parameters.as<float>(), c.queue());
  if (w.samples == 0) return;
  std::vector<std::uint32_t> order(windows_of(w));
  order_windows(host.get(), order);
  malloc_epoch(w, c, host.get(), parameters.as<float>()).run(order);
}

auto preallocated(workload& w, setup& s) { return serial_device_epoch(w, s); }

template <std::size_t Batch, step_by How>
auto overlapped(workload& w, setup& s) {
  return overlapped_device_epoch(w, s, Batch, How);
}

}  // namespace

ladder<workload> cuda() {
  const needs loader_thread{.cores = 2};
  return {
      {.name = "malloc_pageable_sync",
       .is = role::baseline,
       .idea = "every step allocates on the GPU, copies from pageable memory and waits for each operation",
       .run = malloc_pageable_epoch},
      {.name = "preallocated",
       .idea = "buffers are made once; the host still waits for each window's copy and steps",
       .run = preallocated},
      {.name = "pinned_async",
       .idea = "a thread loads ahead into pinned memory, copied on a second stream during the steps",
       .run = overlapped<batch_rows, step_by::launches>,
       .needs = loader_thread,
       .threads = 2},
      {.name = "larger_batch",
       .idea = "four times the rows a step: a quarter of the launches",
       .run = overlapped<window_rows, step_by::launches>,
       .needs = loader_thread,
       .threads = 2},
      {.name = "graph",
       .idea = "the step's 13 launches are captured once and launched as one",
       .run = overlapped<window_rows, step_by::graph>,
       .needs = loader_thread,
       .threads = 2},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "larger_batch with its products planned by cuBLASLt",
       .run = overlapped<window_rows, step_by::cublaslt>,
       .needs = loader_thread,
       .threads = 2},
  };
}

}  // namespace ridge::experiments::ch01_goodput_loop
