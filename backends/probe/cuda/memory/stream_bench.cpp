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

// Times each variant moves its array's size.
double arrays_moved(traffic what) {
  if (what == traffic::triad) return 3;
  return what == traffic::copy ? 2 : 1;
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

trial running(const stream_variant& v, traffic what, const stream_arrays& in, int processors) {
  return {name(v), [v, in, what, processors] {
            v.launch(v, in, processors, nullptr);
            return arrays_moved(what) * static_cast<double>(in.bytes);
          }};
}

}  // namespace

stream_arrays stream_bench::arrays(std::size_t most_bytes) {
  if (!a_ || most_bytes > asked_) {
    release();
    asked_ = most_bytes;
    bytes_ = affordable(most_bytes);
    a_ = std::make_unique<device_memory>(bytes_);
    b_ = std::make_unique<device_memory>(bytes_);
    to_ = std::make_unique<device_memory>(bytes_);
    sums_ = std::make_unique<device_memory>(4 * sums_words);
    scratch_ = std::make_unique<device_memory>(256);
    set_random();
  }
  return {static_cast<const uint4*>(a_->at()), static_cast<const uint4*>(b_->at()),
          static_cast<uint4*>(to_->at()), static_cast<std::uint32_t*>(sums_->at()),
          std::min(bytes_, most_bytes)};
}

std::vector<trial> stream_bench::trials(traffic what, const stream_arrays& in, probe::depth depth) {
  std::vector<trial> all;
  const auto add = [&](const stream_variant& v) {
    if (v.least_major > on_.gpu().major) return;
    verify(v, what, in, on_.processors(), static_cast<std::uint32_t*>(scratch_->at()));
    all.push_back(running(v, what, in, on_.processors()));
  };
  for (const auto& v : variants_of(what).first(std::min(worth_trying(depth), variants_of(what).size())))
    add(v);
  if (depth < probe::depth::standard) return all;
  for (const auto& v : bulk_variants_of(what)) add(v);
  return all;
}

trial stream_bench::trial_of(traffic what, const stream_arrays& in, const std::string& variant) {
  for (const auto& all : {variants_of(what), bulk_variants_of(what)})
    for (const auto& v : all)
      if (name(v) == variant) return running(v, what, in, on_.processors());
  throw failure({"no way to stream is called \"" + variant + "\"", "report this as a bug"});
}

void stream_bench::set_zeros() {
  gpu::check(cudaMemset(a_->at(), 0, bytes_), "cudaMemset of the probe's array");
  gpu::check(cudaMemset(b_->at(), 0, bytes_), "cudaMemset of the probe's array");
}

void stream_bench::set_random() {
  fill_random(a_->at(), bytes_, 1, nullptr);
  fill_random(b_->at(), bytes_, 2, nullptr);
}

void stream_bench::release() {
  for (auto* one : {&a_, &b_, &to_, &sums_, &scratch_}) one->reset();
}

}  // namespace ridge::backends::probe_cuda
