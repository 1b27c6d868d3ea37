// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "memory/cache_kernels.cuh"
#include "memory/stream_check.cuh"
#include "probe_lists.hpp"
#include "timing/best_rate.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr double read_once = 512e6;  // bytes of a pass, so that the start of the kernel does not matter
constexpr std::size_t sums_bytes = 4 * sums_words;
constexpr double fallen = 0.8;
// Size of the array as a share of the L2. It is about as much as all blocks have in flight at once, and less
// than half of the L2, which is what fits where each half of the L2 caches the reads of its own
// multiprocessors.
constexpr double reads_in_cache = 0.25;

// The array that the kernels access, with memory for their sums and for one word.
struct cached_array {
  uint4* data;
  gpu_bench& gpu;
  gpu::device_memory sums{sums_bytes}, scratch{256};

  std::uint32_t* sum() const { return sums.as<std::uint32_t>(); }
  void launch(const cache_variant& v, unsigned pieces, unsigned each) const {
    v.launch(v, data, pieces, each, sum(), gpu.processors(), nullptr);
  }
  // The sum of `words` words, computed on the device.
  std::uint32_t sum_of(const void* source, std::size_t words) const {
    return sum_of_words(source, words, scratch.as<std::uint32_t>());
  }
};

std::size_t within(const gpu_bench& bench) {
  return static_cast<std::size_t>(reads_in_cache * bench.cache_bytes()) / mebibyte * mebibyte;
}

// Runs the kernel so that every block reads every piece equally often, and throws failure where the sum is
// wrong.
void verify_read(const cache_variant& v, const cached_array& array, std::size_t bytes) {
  const unsigned pieces = pieces_in(v, bytes, array.gpu.processors());
  gpu::check(cudaMemset(array.sum(), 0, sums_bytes), "cudaMemset of the sums");
  array.launch(v, pieces, pieces * v.parts);
  const auto once = array.sum_of(array.data, pieces * v.piece_bytes() / 4);
  if (array.sum_of(array.sum(), sums_words) != blocks_of(v, array.gpu.processors()) * v.parts * once)
    throw failure(
        {"the kernel \"" + std::string(v.name) + "\" read a wrong sum in the L2", "check the GPU's memory"});
}

trial going_over(const cache_variant& v, const cached_array& array, std::size_t bytes) {
  const unsigned pieces = pieces_in(v, bytes, array.gpu.processors()),
                 blocks = blocks_of(v, array.gpu.processors());
  const double piece = static_cast<double>(v.piece_bytes());
  const double laps = std::max(1.0, read_once / (piece * pieces));
  const auto each = std::max(1u, static_cast<unsigned>(laps * pieces / blocks / v.parts)) * v.parts;
  return {std::string(v.name), [&v, &array, pieces, each, work = piece * each * blocks] {
            array.launch(v, pieces, each);
            return work;
          }};
}

std::span<const cache_variant> worth_trying_in_cache(std::span<const cache_variant> all, depth depth) {
  const std::size_t count = depth == depth::essential  ? 1
                            : depth == depth::quick    ? 3
                            : depth == depth::standard ? 14
                                                       : all.size();
  return all.first(std::min(count, all.size()));
}

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes / mebibyte) + " MiB"; }

// Adds the rates of arrays from 1 MiB to four times the L2, which show where an array no longer fits.
void add_cache_sizes(model::ceiling& row, const cached_array& array, const cache_variant& v, depth depth) {
  const auto most = std::min<std::size_t>(4 * static_cast<std::size_t>(array.gpu.cache_bytes()), array_bytes);
  double best = 0;
  std::string knee;
  for (std::size_t bytes = mebibyte; bytes <= most; bytes *= 2) {
    for (const std::size_t size : {bytes, bytes + bytes / 2}) {
      if (size > most || (size != bytes && (depth == depth::quick || bytes == mebibyte))) continue;
      if (pieces_in(v, size, array.gpu.processors()) * v.piece_bytes() > size) continue;
      const double rate = brief_rate(going_over(v, array, size));
      row.series.push_back({mebibytes(size), rate});
      best = std::max(best, rate);
      if (knee.empty() && rate < fallen * best) knee = mebibytes(size);
    }
  }
  if (!knee.empty()) row.note = "below 80 % of the best rate from " + knee + " on";
  const auto at_once = blocks_of(v, array.gpu.processors()) * v.parts * v.piece_bytes();
  row.note += (row.note.empty() ? "" : "; ") + mebibytes(at_once) +
              " are in flight at once; in smaller arrays several multiprocessors read the same line together";
}

rows over_the_cache(const cached_array& array, const request& request, std::span<const cache_variant> all,
                    model::ceiling row) {
  const auto bytes = within(array.gpu);
  row.size_bytes = static_cast<double>(bytes);
  row.unit = "B/s";
  const auto some = worth_trying_in_cache(all, request.depth);
  std::vector<trial> trials;
  for (const auto& v : some) trials.push_back(going_over(v, array, bytes));
  if (trials.size() == 1) row.variant = trials.front().name;
  row = best_rate(std::move(row), request, trials);
  const auto won = std::ranges::find(some, row.variant, &cache_variant::name);
  if (request.depth >= depth::quick && won != some.end()) add_cache_sizes(row, array, *won, request.depth);
  return {std::move(row)};
}

rows cache_reading(gpu_bench& bench, const request& request) {
  const cached_array array{reinterpret_cast<uint4*>(bench.source()), bench};
  for (const auto& v : worth_trying_in_cache(cache_reads(), request.depth))
    verify_read(v, array, within(bench));
  return over_the_cache(array, request, cache_reads(),
                        {.id = "cuda.l2.read", .description = "sum of an array of a quarter of the L2"});
}

rows cache_writing(gpu_bench& bench, const request& request) {
  const cached_array array{reinterpret_cast<uint4*>(bench.target()), bench};
  return over_the_cache(array, request, cache_writes(),
                        {.id = "cuda.l2.write", .description = "writes over an array that the L2 holds"});
}

}  // namespace

void add_cache_probes(probe_list& list, gpu_bench& bench) {
  list.push_back({"cuda.l2.read", "L2, read", "bounds kernels whose data stays in the L2", depth::essential,
                  [&bench](const request& request) { return cache_reading(bench, request); }});
  list.push_back({"cuda.l2.write", "L2, write", "bounds kernels that pass data on through the L2",
                  depth::quick, [&bench](const request& request) { return cache_writing(bench, request); }});
}

}  // namespace ridge::backends::probe_cuda
