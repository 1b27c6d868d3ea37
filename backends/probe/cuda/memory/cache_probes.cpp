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

constexpr double read_once = 512e6;  // bytes of a pass: far more than a kernel's start is worth
constexpr std::size_t mebibyte = std::size_t{1} << 20, sums_bytes = 4 * sums_words;
constexpr double fallen = 0.8;
// Of the L2: about what all blocks have on their way at once, and less than half, which is what fits where
// each half keeps what its own multiprocessors read.
constexpr double reads_in_cache = 0.25;

// An array to go over, with room for sums and a word.
struct cached_array {
  uint4* at;
  gpu_bench& on;
  device_memory sums{sums_bytes}, scratch{256};

  std::uint32_t* sum() const { return static_cast<std::uint32_t*>(sums.at()); }
  void launch(const cache_variant& v, unsigned pieces, unsigned each) const {
    v.launch(v, at, pieces, each, sum(), on.processors(), nullptr);
  }
  // Of `words` words, on the device.
  std::uint32_t sum_of(const void* of, std::size_t words) const {
    return sum_of_words(of, words, static_cast<std::uint32_t*>(scratch.at()));
  }
};

std::size_t within(const gpu_bench& bench) {
  return static_cast<std::size_t>(reads_in_cache * bench.cache_bytes()) / mebibyte * mebibyte;
}

// As many pieces a block as there are, for each that is on its way at once.
void verify_read(const cache_variant& v, const cached_array& of, std::size_t bytes) {
  const unsigned pieces = pieces_in(v, bytes, of.on.processors());
  gpu::check(cudaMemset(of.sum(), 0, sums_bytes), "cudaMemset of the sums");
  of.launch(v, pieces, pieces * v.parts);
  const auto once = of.sum_of(of.at, pieces * v.piece_bytes() / 4);
  if (of.sum_of(of.sum(), sums_words) != blocks_of(v, of.on.processors()) * v.parts * once)
    throw failure(
        {"the kernel \"" + std::string(v.name) + "\" read a wrong sum in the L2", "check the GPU's memory"});
}

trial going_over(const cache_variant& v, const cached_array& of, std::size_t bytes) {
  const unsigned pieces = pieces_in(v, bytes, of.on.processors()), blocks = blocks_of(v, of.on.processors());
  const double piece = static_cast<double>(v.piece_bytes());
  const double laps = std::max(1.0, read_once / (piece * pieces));
  const auto each = std::max(1u, static_cast<unsigned>(laps * pieces / blocks / v.parts)) * v.parts;
  return {std::string(v.name), [&v, &of, pieces, each, work = piece * each * blocks] {
            of.launch(v, pieces, each);
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

// From 1 MiB to four times the L2, which shows where an array no longer fits.
void add_cache_sizes(model::ceiling& row, const cached_array& of, const cache_variant& v, depth depth) {
  const auto most = std::min<std::size_t>(4 * static_cast<std::size_t>(of.on.cache_bytes()), array_bytes);
  double best = 0;
  std::string knee;
  for (std::size_t bytes = mebibyte; bytes <= most; bytes *= 2) {
    for (const std::size_t size : {bytes, bytes + bytes / 2}) {
      if (size > most || (size != bytes && (depth == depth::quick || bytes == mebibyte))) continue;
      if (pieces_in(v, size, of.on.processors()) * v.piece_bytes() > size) continue;
      const double rate = brief_rate(going_over(v, of, size));
      row.series.push_back({mebibytes(size), rate});
      best = std::max(best, rate);
      if (knee.empty() && rate < fallen * best) knee = mebibytes(size);
    }
  }
  if (!knee.empty()) row.note = "less than 80 % of the best size's from " + knee + " on";
  const auto at_once = blocks_of(v, of.on.processors()) * v.parts * v.piece_bytes();
  row.note += (row.note.empty() ? "" : "; ") + mebibytes(at_once) +
              " are asked for at once: of smaller arrays several multiprocessors read a line together";
}

rows over_the_cache(const cached_array& of, const request& request, std::span<const cache_variant> all,
                    model::ceiling row) {
  const auto bytes = within(of.on);
  row.size_bytes = static_cast<double>(bytes);
  row.unit = "B/s";
  const auto some = worth_trying_in_cache(all, request.how);
  std::vector<trial> trials;
  for (const auto& v : some) trials.push_back(going_over(v, of, bytes));
  if (trials.size() == 1) row.variant = trials.front().name;
  row = best_rate(std::move(row), request, trials);
  const auto won = std::ranges::find(some, row.variant, &cache_variant::name);
  if (request.how >= depth::quick && won != some.end()) add_cache_sizes(row, of, *won, request.how);
  return {std::move(row)};
}

rows cache_reading(gpu_bench& bench, const request& request) {
  const cached_array of{reinterpret_cast<uint4*>(bench.from()), bench};
  for (const auto& v : worth_trying_in_cache(cache_reads(), request.how)) verify_read(v, of, within(bench));
  return over_the_cache(of, request, cache_reads(),
                        {.id = "cuda.l2.read", .what = "sum of an array of a quarter of the L2"});
}

rows cache_writing(gpu_bench& bench, const request& request) {
  const cached_array of{reinterpret_cast<uint4*>(bench.to()), bench};
  return over_the_cache(of, request, cache_writes(),
                        {.id = "cuda.l2.write", .what = "writes over an array that the L2 holds"});
}

}  // namespace

void add_cache_probes(probe_list& list, gpu_bench& bench) {
  list.push_back({"cuda.l2.read", "L2, read", "bounds kernels whose data stays in the L2", depth::essential,
                  [&bench](const request& request) { return cache_reading(bench, request); }});
  list.push_back({"cuda.l2.write", "L2, write", "bounds kernels that pass data on through the L2",
                  depth::quick, [&bench](const request& request) { return cache_writing(bench, request); }});
}

}  // namespace ridge::backends::probe_cuda
