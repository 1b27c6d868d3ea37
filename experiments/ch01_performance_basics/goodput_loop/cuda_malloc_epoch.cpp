// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>

#include "cuda_epochs.hpp"
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

// What the host has seen of the losses.
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
        seen.add(i, order.size(), from, loss, static_cast<float>(of_step) / static_cast<float>(rows));
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
      gather({window.features, window.labels}, std::span(window.order).subspan(begin, rows), at->host_features,
             at->host_labels);
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
    copy_window({buffers.host_features, buffers.host_labels}, {buffers.features.as<float>(), buffers.labels.as<std::uint8_t>()},
                c_.queue());
    synchronize(c_.queue());
  }

  void train(const step_buffers& buffers, std::size_t rows, bool very_first) {
    const auto marked = c_.in(useful);
    const auto n = static_cast<float>(rows);
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
    gpu::check(cudaMemcpyAsync(&loss, buffers.loss.as<float>(), sizeof loss, cudaMemcpyDeviceToHost, c_.queue()),
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

}  // namespace

void malloc_pageable_epoch(workload& w, call& c) {
  const host_view host(w, c.queue());
  const gpu::device_memory parameters(w.model.parameters() * sizeof(float));
  begin_training(w, parameters.as<float>(), c.queue());
  if (w.samples == 0) return;
  std::vector<std::uint32_t> order(windows_of(w));
  order_windows(host.get(), order);
  malloc_epoch(w, c, host.get(), parameters.as<float>()).run(order);
}

}  // namespace ridge::experiments::ch01_goodput_loop
