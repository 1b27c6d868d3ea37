// SPDX-License-Identifier: Apache-2.0
#include "memory_probe.hpp"

#include <algorithm>
#include <string>

#include <ridge/base/error.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t stagger = 1024;
constexpr std::size_t windows = 16;
constexpr double time_s = 30e-3;
constexpr std::size_t block = 64;  // elements: what kernels take at once

struct share {
  std::size_t from, count;
};

share share_of(std::size_t elements, int rank, int size) {
  const auto blocks = elements / block, r = static_cast<std::size_t>(rank),
             n = static_cast<std::size_t>(size);
  const auto from = blocks * r / n, to = blocks * (r + 1) / n;
  return {from * block, (to - from) * block};
}

struct loop {
  std::string_view id, what;
  double arrays;  // that pass between core and memory
  array_kernel ordinary, streaming;
  float result;  // of every element of a; for read, of its first
};

void check(const probe_arrays& arrays, const loop& l) {
  if (l.arrays == 1) return;
  const auto written = arrays.elements() / windows / block * block;
  for (const auto i : {std::size_t{0}, written / 3, written - 1}) {
    if (arrays.a()[i] != l.result)
      throw failure({"the " + std::string(l.id) + " kernel wrote a wrong value", ""});
  }
}

rate measure(sampler& on, const probe_arrays& arrays, const loop& l, array_kernel kernel) {
  array_walk through(arrays);
  through.settle(on, kernel);
  auto found = sample_rate(
      on.clock(), [&] { return through.step(on, kernel); }, l.arrays * through.window_bytes(), time_s);
  check(arrays, l);
  return found;
}

model::ceiling row(sampler& on, const probe_arrays& arrays, const loop& l, std::string_view isa) {
  auto best = measure(on, arrays, l, l.ordinary);
  auto variant = std::string(isa) + (l.arrays == 1 ? "" : ", ordinary stores");
  if (l.streaming != nullptr) {
    const auto streamed = measure(on, arrays, l, l.streaming);
    if (streamed.value > best.value) best = streamed, variant = std::string(isa) + ", non-temporal stores";
  }
  return {.id = std::string(l.id),
          .what = std::string(l.what),
          .unit = "B/s",
          .value = best.value,
          .ci = best.ci,
          .variant = variant,
          .threads = on.threads(),
          .size_bytes = l.arrays * static_cast<double>(arrays.elements() * sizeof(float)),
          .note = best.note};
}

}  // namespace

std::size_t array_bytes(const host::topology& machine) {
  const auto wanted = std::max(4 * machine.cache_bytes(2), 64 * mib);
  const auto memory = machine.usable_memory_bytes();
  const auto most = memory == 0 ? wanted : memory / 8;
  return std::max(std::min(wanted, most) / mib, std::size_t{1}) * mib;
}

std::size_t array_walk::window_elements() const { return arrays_->elements() / windows / block * block; }

double array_walk::window_bytes() const { return static_cast<double>(window_elements() * sizeof(float)); }

timing array_walk::step(sampler& on, array_kernel kernel) {
  const auto window = window_elements();
  const auto first = next_++ % windows * window;
  return on.time([&](int rank, int size) {
    const auto [from, count] = share_of(window, rank, size);
    const auto at = first + from;
    kernel(arrays_->a() + at, arrays_->b() + at, arrays_->c() + at, count);
  });
}

void array_walk::settle(sampler& on, array_kernel kernel) {
  for (std::size_t i = 0; i < windows / 2; ++i) step(on, kernel);
}

probe_arrays::probe_arrays(std::size_t bytes_each)
    : elements_(bytes_each / sizeof(float) / block * block),
      memory_(3 * (bytes_each + stagger), host::huge_page_bytes, host::huge_pages::transparent,
              host::first_touch::later) {}

float* probe_arrays::at(std::size_t index) const {
  return memory_.as<float>().data() + index * (elements_ + stagger / sizeof(float));
}

void probe_arrays::fill(sampler& on) const {
  on.run([&](int rank, int size) {
    const auto [from, count] = share_of(elements_, rank, size);
    std::fill_n(a() + from, count, 0.0f);
    std::fill_n(b() + from, count, 1.0f);
    std::fill_n(c() + from, count, 2.0f);
  });
}

model::ceiling probe_triad(sampler& on, const probe_arrays& arrays) {
  const auto& k = best_memory_kernels();
  return row(on, arrays, {"cpu.triad", "a = b + 3 c over memory", 3, k.triad, k.triad_streaming, 7.0f},
             k.name);
}

model::ceiling probe_copy(sampler& on, const probe_arrays& arrays) {
  const auto& k = best_memory_kernels();
  return row(on, arrays, {"cpu.copy", "a = b over memory", 2, k.copy, k.copy_streaming, 1.0f}, k.name);
}

model::ceiling probe_read(sampler& on, const probe_arrays& arrays) {
  const auto& k = best_memory_kernels();
  return row(on, arrays, {"cpu.read", "sum of b over memory", 1, k.read, nullptr, 0.0f}, k.name);
}

}  // namespace ridge::backends::probe_host
