// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_probe.hpp"

#include <algorithm>
#include <string>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/host/isa.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t array_stagger = 1024;
constexpr std::size_t most_window = 8 * mib;
constexpr std::size_t fewest_array_windows = 8, settling = 4;
constexpr std::size_t trials = 3;
constexpr double array_time_s = 30e-3;

struct share {
  std::size_t first, count;
};

share share_of(std::size_t elements, int rank, int size) {
  const auto blocks = elements / kernel_block, r = static_cast<std::size_t>(rank),
             n = static_cast<std::size_t>(size);
  const auto from = blocks * r / n, to = blocks * (r + 1) / n;
  return {from * kernel_block, (to - from) * kernel_block};
}

struct loop {
  std::string_view id, description;
  double arrays;      // arrays that pass between core and memory
  bool wrote = true;  // a[] holds the result; false: nothing to check
  float result = 0;
};

void check(const probe_arrays& arrays, const loop& l) {
  if (!l.wrote) return;
  const auto written = array_walk(arrays).window_elements();
  for (const auto i : {std::size_t{0}, written / 3, written - 1}) {
    if (arrays.a()[i] != l.result)
      throw failure({"the " + std::string(l.id) + " kernel wrote a wrong value", ""});
  }
}

struct candidate {
  std::string name{};
  array_kernel run = nullptr;
};

// Returns candidates from every set of loops that this CPU can run, since narrower vectors sometimes keep
// memory busier; the portable ones only where there are no others.
std::vector<candidate> candidates(variants memory_kernels::*list) {
  std::vector<candidate> found;
  for (const auto* k : all_memory_kernels()) {
    if (!k->requires_isa.empty() && !host::has_isa(k->requires_isa)) continue;
    if (k->requires_isa.empty() && !found.empty()) continue;
    for (const auto& one : k->*list)
      found.push_back({std::string(k->name) + ", " + std::string(one.name), one.run});
  }
  return found;
}

// Returns the fastest candidate by the middle one of three samples of each, taken in turns so that a change
// of the machine affects all of them.
const candidate& fastest(sampler& sampler, array_walk& through, const std::vector<candidate>& candidates) {
  if (candidates.size() == 1) return candidates.front();
  std::vector<std::vector<double>> seconds(candidates.size());
  for (std::size_t turn = 0; turn < trials; ++turn) {
    for (std::size_t i = 0; i < candidates.size(); ++i)
      seconds[i].push_back(through.step(sampler, candidates[i].run).seconds);
  }
  for (auto& one : seconds) std::ranges::sort(one);
  const auto best = std::ranges::min_element(seconds, {}, [](const auto& times) { return times[1]; });
  return candidates[static_cast<std::size_t>(best - seconds.begin())];
}

model::ceiling measure_array(sampler& sampler, const probe_arrays& arrays, const loop& l,
                             const std::vector<candidate>& candidates, std::string_view stores = "") {
  array_walk through(arrays);
  through.settle(sampler, candidates.front().run);
  const auto& chosen = fastest(sampler, through, candidates);
  through.settle(sampler, chosen.run);
  const auto found = sample_rate(
      sampler.clock(), [&] { return through.step(sampler, chosen.run); }, l.arrays * through.window_bytes(),
      array_time_s);
  check(arrays, l);
  return {.id = std::string(l.id),
          .description = std::string(l.description),
          .unit = "B/s",
          .value = found.value,
          .ci = found.ci,
          .variant = chosen.name + std::string(stores),
          .threads = sampler.threads(),
          .size_bytes = l.arrays * static_cast<double>(arrays.elements() * sizeof(float)),
          .note = found.note,
          .disturbed = found.disturbed || found.unlike()};
}

std::vector<model::ceiling> better_of_both(sampler& sampler, const probe_arrays& arrays, const loop& l,
                                           variants memory_kernels::*ordinary,
                                           variants memory_kernels::*streaming) {
  std::vector<model::ceiling> rows{
      measure_array(sampler, arrays, l, candidates(ordinary), ", ordinary stores")};
  if (const auto past = candidates(streaming); !past.empty())
    rows.push_back(measure_array(sampler, arrays, l, past, ", non-temporal stores"));
  const auto best = *std::ranges::max_element(rows, {}, &model::ceiling::value);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id += i == 0 ? ".ordinary" : ".streaming";
    rows[i].description += i == 0 ? ", lines read before they are written" : ", past the caches";
  }
  rows.insert(rows.begin(), best);
  return rows;
}

}  // namespace

std::size_t array_bytes(const host::topology& machine) {
  const auto wanted = std::max<std::size_t>(4 * machine.cache_bytes(2), 64 * mib);
  const auto memory = machine.usable_memory_bytes();
  const auto most = memory == 0 ? wanted : memory / 8;
  return std::max(std::min(wanted, most) / mib, std::size_t{1}) * mib;
}

std::size_t long_array_bytes(const host::topology& machine) {
  const auto least = array_bytes(machine);
  const auto beyond = std::min<std::size_t>(512 * mib, 2 * machine.last_level_cache_bytes());
  return std::max(least, std::min(beyond, machine.usable_memory_bytes() / 16) / mib * mib);
}

std::size_t array_walk::window_elements() const {
  const auto elements = std::min(arrays_->elements() / fewest_array_windows, most_window / sizeof(float));
  return elements / kernel_block * kernel_block;
}

double array_walk::window_bytes() const { return static_cast<double>(window_elements() * sizeof(float)); }

timing array_walk::step(sampler& sampler, array_kernel kernel) {
  const auto window = window_elements();
  const auto first = next_++ % (arrays_->elements() / window) * window;
  return sampler.time([&](int rank, int size) {
    const auto [from, count] = share_of(window, rank, size);
    const auto at = first + from;
    kernel(arrays_->a() + at, arrays_->b() + at, arrays_->c() + at, count, 1);
  });
}

void array_walk::settle(sampler& sampler, array_kernel kernel) {
  for (std::size_t i = 0; i < settling; ++i) step(sampler, kernel);
}

probe_arrays::probe_arrays(std::size_t bytes_each)
    : elements_(bytes_each / sizeof(float) / kernel_block * kernel_block),
      memory_(3 * (bytes_each + array_stagger), host::huge_page_bytes, host::huge_pages::transparent,
              host::first_touch::later) {}

float* probe_arrays::at(std::size_t index) const {
  return memory_.as<float>().data() + index * (elements_ + array_stagger / sizeof(float));
}

void probe_arrays::fill(sampler& sampler) const {
  sampler.run([&](int rank, int size) {
    const auto [from, count] = share_of(elements_, rank, size);
    std::fill_n(a() + from, count, 0.0f);
    std::fill_n(b() + from, count, 1.0f);
    std::fill_n(c() + from, count, 2.0f);
  });
}

std::vector<model::ceiling> probe_triad(sampler& sampler, const probe_arrays& arrays) {
  return better_of_both(sampler, arrays, {"cpu.triad", "a = b + 3 c over memory", 3, true, 7},
                        &memory_kernels::triad, &memory_kernels::triad_streaming);
}

std::vector<model::ceiling> probe_copy(sampler& sampler, const probe_arrays& arrays) {
  return better_of_both(sampler, arrays, {"cpu.copy", "a = b over memory", 2, true, 1}, &memory_kernels::copy,
                        &memory_kernels::copy_streaming);
}

std::vector<model::ceiling> probe_write(sampler& sampler, const probe_arrays& arrays) {
  return better_of_both(sampler, arrays, {"cpu.write", "a = 3 over memory", 1, true, 3},
                        &memory_kernels::write, &memory_kernels::write_streaming);
}

std::vector<model::ceiling> probe_read(sampler& sampler, const probe_arrays& arrays) {
  return {measure_array(sampler, arrays, {"cpu.read", "sum of b over memory", 1, false},
                        candidates(&memory_kernels::read))};
}

std::vector<model::ceiling> probe_move(sampler& sampler, const probe_arrays& arrays) {
  return {
      measure_array(sampler, arrays, {"cpu.move.memcpy", "memcpy of the C library over memory", 2, true, 1},
                    {{"memcpy", copy_by_memcpy}}),
      measure_array(sampler, arrays, {"cpu.move.rep_movsb", "the string instruction over memory", 2, true, 1},
                    {{"rep movsb", copy_by_rep_movsb}})};
}

std::vector<model::ceiling> probe_mixes(sampler& sampler, const probe_arrays& arrays) {
  const auto& k = best_memory_kernels();
  const auto mix = [&](std::string_view id, std::string_view title, double lines, array_kernel run) {
    arrays.fill(sampler);
    return measure_array(sampler, arrays, {id, title, lines, false},
                         {{std::string(k.name) + ", in place", run}});
  };
  return {mix("cpu.mix.1_1", "a = 3 a: lines read to lines written one to one", 2, k.update),
          mix("cpu.mix.2_1", "a = a + b: two lines read to one written", 3, k.add),
          mix("cpu.mix.3_1", "a = a + b + 3 c: three lines read to one written", 4, k.add_both)};
}

}  // namespace ridge::backends::probe_host
