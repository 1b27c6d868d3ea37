// SPDX-License-Identifier: Apache-2.0
#include "goodput_loop.hpp"

#include <algorithm>
#include <vector>

#include <ridge/mlp/plain_layers.hpp>

#include "cpu_epochs.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

struct fresh_window {
  explicit fresh_window(std::size_t rows)
      : raw(rows * record_bytes), features(rows * features_per_record), labels(rows), order(rows) {}
  std::vector<std::byte> raw;
  std::vector<float> features;
  std::vector<std::uint8_t> labels;
  std::vector<std::uint32_t> order;
};

struct fresh_step {
  fresh_step(const mlp::shape& s, std::size_t rows)
      : features(rows * s.features),
        labels(rows),
        hidden(rows * s.hidden),
        logits(rows * s.classes),
        hidden_gradient(rows * s.hidden),
        gradient(s.parameters()) {}
  std::vector<float> features;
  std::vector<std::uint8_t> labels;
  std::vector<float> hidden, logits, hidden_gradient, gradient;
};

fresh_window load(const workload& w, call& c, const record_file& file, std::size_t index) {
  const auto made = [&] {
    const auto marked = c.in(allocate);
    return fresh_window(rows_of(w, index));
  };
  auto window = made();
  {
    const auto marked = c.in(read);
    file.read_window(index, window.raw);
  }
  {
    const auto marked = c.in(decode);
    decode_window(w, window.raw, window.features, window.labels);
  }
  const auto marked = c.in(shuffle);
  order_rows(w, index, window.order);
  return window;
}

fresh_step next_batch(const workload& w, call& c, const fresh_window& window, std::size_t begin) {
  const auto rows = std::min(batch_rows, window.labels.size() - begin);
  const auto made = [&] {
    const auto marked = c.in(allocate);
    return fresh_step(w.model, rows);
  };
  auto step = made();
  const auto marked = c.in(shuffle);
  gather({window.features, window.labels}, std::span(window.order).subspan(begin, rows), step.features,
         step.labels);
  return step;
}

void malloc_per_step(workload& w, call& c) {
  training_log log(w);
  if (w.samples == 0) return;
  std::vector<float> parameters(w.model.parameters());
  std::vector<std::uint32_t> order(windows_of(w));
  mlp::initialise(w.model, w.unit_weights, std::span(parameters));
  order_windows(w, order);
  const record_file file(w);
  for (const auto index : order) {
    const auto window = load(w, c, file, index);
    for (std::size_t from = 0; from < window.labels.size(); from += batch_rows) {
      auto step = next_batch(w, c, window, from);
      const auto marked = c.in(useful);
      const auto rows = step.labels.size();
      const float loss = mlp::plain_gradient(w.model, {step.features, step.labels}, parameters,
                                             {step.hidden, step.logits, step.hidden_gradient}, step.gradient);
      log.step(rows, loss, step.gradient);
      mlp::descend(step.gradient, rate_per_sample * as_float(rows), parameters);
    }
  }
}

auto arena(workload& w, setup& s) {
  return serial_epoch(w, s, batch_trainer(w, s, batch_rows, mlp::plain_gradient));
}

auto prefetch(workload& w, setup& s) {
  return prefetched_epoch(w, s, batch_trainer(w, s, batch_rows, mlp::plain_gradient));
}

auto larger_batch(workload& w, setup& s) {
  return prefetched_epoch(w, s, batch_trainer(w, s, window_rows, mlp::plain_gradient));
}

auto openblas(workload& w, setup& s) {
  return prefetched_epoch(w, s, batch_trainer(w, s, window_rows, mlp::blas_gradient));
}

auto captured_step(workload& w, setup& s) { return prefetched_epoch(w, s, captured_trainer(w, s)); }

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "malloc_per_step",
       .is = role::baseline,
       .idea = "every window and every step makes its buffers and frees them",
       .run = malloc_per_step},
      {.name = "arena", .idea = "buffers are made once and used again", .run = arena},
      {.name = "prefetch",
       .idea = "a second thread reads, decodes and shuffles the next window during the step",
       .run = prefetch,
       .needs = {.cores = 2},
       .threads = 2},
      {.name = "larger_batch",
       .idea = "four times the rows a step: a quarter of the updates and of the calls",
       .run = larger_batch,
       .needs = {.cores = 2},
       .threads = 2},
      {.name = "captured_step",
       .idea = "the step is recorded once as a flat list of fused operations and replayed",
       .run = captured_step,
       .needs = {.cores = 2},
       .threads = 2},
      {.name = "openblas",
       .is = role::comparator,
       .idea = "larger_batch with its matrix products by OpenBLAS",
       .run = openblas,
       .needs = {.library = "openblas", .cores = 2},
       .threads = 2},
  };
}

}  // namespace ridge::experiments::ch01_goodput_loop
