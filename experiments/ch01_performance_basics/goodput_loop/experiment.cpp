// SPDX-License-Identifier: Apache-2.0
#include "goodput_loop.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <ridge/mlp/plain_step.hpp>

#include "loader.hpp"
#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

mlp::shape model_of(const problem& p) { return {features_per_record, p.count("hidden"), classes}; }

workload make_workload(const problem& p, memory& m) {
  const auto model = model_of(p);
  const auto parameters = model.parameters(), samples = p.count("samples");
  return {model,
          samples,
          m.file(product(samples, record_bytes), dtype::u8, filled_by{draw_records}),
          m.in<std::uint32_t>(1, random_bits{}),
          m.in<float>(parameters, normal{}),
          m.out<float>(parameters),
          m.out<float>(2)};
}

ridge::work work_of(const problem& p) {
  const auto model = model_of(p);
  return ridge::work::streaming(reads<std::byte>(p.count("samples"), record_bytes),
                                writes<float>(model.parameters()))
      .with_flop(p.real("samples") * model.flop_per_sample())
      .with_items(p.real("samples"));
}

struct trained {
  std::vector<double> first_gradient{};
  double losses[2]{};
};

struct window_data {
  std::vector<float> features{};
  std::vector<std::uint8_t> labels{};
};

window_data visit_window(const workload& w, const record_file& file, std::size_t index) {
  const auto rows = rows_of(w, index);
  std::vector<std::byte> raw(rows * record_bytes);
  window_data stored{std::vector<float>(rows * features_per_record), std::vector<std::uint8_t>(rows)};
  window_data visited = stored;
  std::vector<std::uint32_t> order(rows);
  file.read_window(index, raw);
  decode_window(w, raw, stored.features, stored.labels);
  order_rows(w, index, order);
  gather({stored.features, stored.labels}, order, visited.features, visited.labels);
  return visited;
}

trained train_in_double(const workload& w) {
  trained out{std::vector<double>(w.model.parameters())};
  if (w.samples == 0) return out;
  std::vector<double> parameters(w.model.parameters()), gradient(w.model.parameters());
  mlp::initialise(w.model, w.unit_weights, std::span(parameters));
  std::vector<std::uint32_t> order(windows_of(w));
  order_windows(w, order);
  const record_file file(w);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto data = visit_window(w, file, order[i]);
    const mlp::samples window{data.features, data.labels};
    for (std::size_t from = 0; from < window.rows(); from += batch_rows) {
      const auto rows = std::min(batch_rows, window.rows() - from);
      const auto loss = reference_gradient(w.model, window.part(from, rows), parameters, gradient);
      if (i == 0 && from == 0) {
        out.first_gradient = gradient;
        out.losses[first] = loss;
      }
      if (i + 1 == order.size()) {
        out.losses[last] += loss * as_real(rows) / as_real(window.rows());
      }
      const double rate = double{rate_per_sample} * as_real(rows);
      for (std::size_t p = 0; p < parameters.size(); ++p) parameters[p] -= rate * gradient[p];
    }
  }
  return out;
}

std::uint64_t data_key(const workload& w) {
  std::vector<std::byte> window;
  std::uint32_t key = crc32(std::as_bytes(w.unit_weights)) ^ w.order_seed[0];
  const record_file file(w);
  for (std::size_t i = 0; i < windows_of(w); ++i) {
    window.resize(rows_of(w, i) * record_bytes);
    file.read_window(i, window);
    key = crc32(window) ^ (key << 1U | key >> 31U);
  }
  return static_cast<std::uint64_t>(w.samples) << 32U | key;
}

// Variants are checked one after another on the same data, so the last result is kept for all of them.
const trained& reference_of(const workload& w) {
  struct known {
    std::uint64_t key = 0;
    std::size_t parameters = 0;
    trained result{};
  };
  thread_local known last_one;
  const auto key = w.samples == 0 ? 0 : data_key(w);
  if (last_one.key != key || last_one.parameters != w.model.parameters()) {
    last_one = {key, w.model.parameters(), train_in_double(w)};
  }
  return last_one.result;
}

// Checks that the gradient of the first batch and its loss equal those of a loop in double, and that the loss
// falls as far as that loop's, within a band.
result<void> trains_as_the_reference(const workload& w) {
  // Bounds the rounding of sums of `features` products of size about 1, in the forward pass and, over the
  // batch, in the backward pass.
  constexpr double rounding = 2e-5;
  // A share of the reference's fall: batches of 128 with the rate scaled come within a few hundredths of
  // batches of 32.
  constexpr double band = 0.1;
  // A few steps change the loss by no more than batches differ from each other.
  constexpr double floor_of_band = 2e-2;
  const auto& expected = reference_of(w);
  for (std::size_t i = 0; i < expected.first_gradient.size(); ++i) {
    if (!(std::abs(w.first_gradient[i] - expected.first_gradient[i]) <= rounding)) {
      return error{fmt::format("first gradient, parameter {}: {} instead of {}", i, w.first_gradient[i],
                               expected.first_gradient[i])};
    }
  }
  if (!(std::abs(w.losses[first] - expected.losses[first]) <= rounding * expected.losses[first])) {
    return error{
        fmt::format("loss of the first batch: {} instead of {}", w.losses[first], expected.losses[first])};
  }
  const double fall = expected.losses[first] - expected.losses[last];
  if (!(std::abs(w.losses[last] - expected.losses[last]) <= band * std::abs(fall) + floor_of_band)) {
    return error{fmt::format("loss of the last window: {}, in double {}; the first batch's is {}",
                             w.losses[last], expected.losses[last], expected.losses[first])};
  }
  return {};
}

// The last losses of two variants may differ by this much; the check holds the gradient to its rounding.
constexpr tolerance between_variants{.abs = 0.15};

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.goodput_loop",
      .title = "Goodput of a training loop",
      .question = "What share of a training step is useful work?",
      .answers = {"performance_basics.py", "performance_basics_optimized.py", "K1.1", "K1.3", "B1.4"},
      .tags = {"training", "goodput", "loader", "batching"},
      .axes = {values("hidden", {48, 32}, {1, 17}), values("samples", {8192, 32768}, {0, 1, 31, 129, 300})},
      .make = make_workload,
      .work = work_of,
      .check = trains_as_the_reference,
      .within = between_variants,
      .metrics = {throughput("samples/s"), goodput(useful), time_per_call(), peak_memory()},
      .phases = {useful, read, decode, shuffle, allocate, wait, copy},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_goodput_loop
