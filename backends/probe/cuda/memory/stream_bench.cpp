// SPDX-License-Identifier: Apache-2.0
#include "memory/stream_bench.hpp"

#include <algorithm>
#include <bit>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "memory/stream_check.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t most = std::size_t{8} << 30, least = std::size_t{64} << 20;

std::size_t affordable(std::size_t wanted) {
  std::size_t free = 0, total = 0;
  gpu::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const auto bytes = std::min({wanted, most, std::bit_floor(free / 8)});
  if (bytes < least) throw unavailable("512 MiB of free GPU memory", "end other programs on the GPU");
  return bytes;
}

// How many times the size of an array a variant moves.
double arrays_moved(traffic kind) {
  if (kind == traffic::triad) return 3;
  return kind == traffic::copy ? 2 : 1;
}

std::size_t worth_trying(probe::depth depth) {
  switch (depth) {
    case probe::depth::essential:
      return 2;
    case probe::depth::quick:
      return 6;
    case probe::depth::standard:
      return 20;
    case probe::depth::deep:
      break;
  }
  return 1000;
}

trial running(const stream_variant& v, traffic kind, const stream_arrays& arrays, int processors) {
  return {name(v), [v, arrays, kind, processors] {
            v.launch(v, arrays, processors, nullptr);
            return arrays_moved(kind) * static_cast<double>(arrays.bytes);
          }};
}

}  // namespace

stream_arrays stream_bench::arrays(std::size_t most_bytes) {
  if (a_.bytes() == 0 || most_bytes > asked_) {
    release();
    asked_ = most_bytes;
    bytes_ = affordable(most_bytes);
    a_ = gpu::device_memory(bytes_);
    b_ = gpu::device_memory(bytes_);
    target_ = gpu::device_memory(bytes_);
    sums_ = gpu::device_memory(4 * sums_words);
    scratch_ = gpu::device_memory(256);
    set_random();
  }
  return {a_.as<const uint4>(), b_.as<const uint4>(), target_.as<uint4>(), sums_.as<std::uint32_t>(),
          std::min(bytes_, most_bytes)};
}

std::vector<trial> stream_bench::trials(traffic kind, const stream_arrays& arrays, probe::depth depth) {
  std::vector<trial> all;
  const auto add = [&](const stream_variant& v) {
    if (v.least_major > bench_.properties().major) return;
    verify(v, kind, arrays, bench_.processors(), scratch_.as<std::uint32_t>());
    all.push_back(running(v, kind, arrays, bench_.processors()));
  };
  for (const auto& v : variants_of(kind).first(std::min(worth_trying(depth), variants_of(kind).size())))
    add(v);
  if (depth < probe::depth::standard) return all;
  for (const auto& v : bulk_variants_of(kind)) add(v);
  return all;
}

trial stream_bench::trial_of(traffic kind, const stream_arrays& arrays, const std::string& variant) {
  for (const auto& all : {variants_of(kind), bulk_variants_of(kind)})
    for (const auto& v : all)
      if (name(v) == variant) return running(v, kind, arrays, bench_.processors());
  throw failure({"no way to stream is called \"" + variant + "\"", "report this as a bug"});
}

void stream_bench::set_zeros() {
  gpu::check(cudaMemset(a_.data(), 0, bytes_), "cudaMemset of the probe's array");
  gpu::check(cudaMemset(b_.data(), 0, bytes_), "cudaMemset of the probe's array");
}

void stream_bench::set_random() {
  fill_random(a_.data(), bytes_, 1, nullptr);
  fill_random(b_.data(), bytes_, 2, nullptr);
}

void stream_bench::release() {
  for (auto* array : {&a_, &b_, &target_, &sums_, &scratch_}) *array = {};
}

}  // namespace ridge::backends::probe_cuda
