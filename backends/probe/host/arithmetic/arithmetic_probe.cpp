// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/arithmetic_probe.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/host/isa.hpp>

#include "arithmetic/arithmetic_operands.hpp"
#include "arithmetic/core_clock.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double arithmetic_sample_s = 0.4e-3;
constexpr double arithmetic_time_s = 15e-3;
constexpr std::int64_t verified_rounds = 33;

[[noreturn]] void wrong(const arithmetic_kernel& kernel) {
  throw failure({"the " + std::string(kernel.isa) + " kernel of " + std::string(name_of(kernel.type)) +
                     " computed a wrong value",
                 ""});
}

void verify(const arithmetic_kernel& kernel) {
  const auto start = random_operands(kernel);
  auto state = start;
  kernel.run(state, verified_rounds);
  for (std::size_t i = 0; i < accumulated(kernel); i += 7) {
    const double want = expected_after(kernel, start, i, verified_rounds), got = value_at(kernel, state, i);
    if (!(std::abs(got - want) <= tolerance_of(kernel) * std::max(1.0, std::abs(want)))) wrong(kernel);
  }
}

std::string words(const arithmetic_kernel& kernel) {
  switch (kernel.op) {
    case operation::multiply_and_add:
      return " multiply-adds and as many additions on registers";
    case operation::dot:
      return " dot products on registers";
    case operation::tiles:
      return " products of tiles";
    case operation::multiply_add:
      break;
  }
  return " multiply-adds on registers";
}

bool is_integer(number type) { return type == number::int8 || type == number::int16; }

bool can_run(const arithmetic_kernel& kernel) {
  const bool has =
      std::ranges::all_of(kernel.requires_isa, [](auto name) { return name.empty() || host::has_isa(name); });
  return has && (kernel.op != operation::tiles || host::request_amx());
}

void set_issue_limit(model::ceiling& row, const arithmetic_kernel& kernel) {
  if (row.clock_hz == 0) return;
  const double operations = kernel.operations / kernel.instructions;
  const double cycles = row.clock_hz * row.threads;
  const double starts = starts_per_cycle(kernel, row.value / operations / cycles);
  // The clock may have changed between the sample and its reading.
  row.issue_limit = std::max(row.value, cycles * operations * starts);
}

model::ceiling measure_arithmetic(sampler& sampler, const arithmetic_kernel& kernel, bool thorough,
                                  std::string_view family) {
  arithmetic_loop loop(sampler, kernel);
  core_clock clock(sampler, kernel.vector_bytes >= 64 && host::has_isa("avx512f") ? beside::wide_vectors
                                                                                  : beside::nothing);
  const auto paired = [&] {
    const auto t = loop.step(sampler);
    clock.step(sampler);
    return t;
  };
  const auto found = sample_rate(sampler.clock(), paired, loop.work(), arithmetic_time_s);
  loop.check();
  const auto type = std::string(name_of(kernel.type)), isa = std::string(kernel.isa);
  model::ceiling row{.id = std::string(family) + type + "." + isa,
                     .description = type + words(kernel) + ", " + isa,
                     .unit = is_integer(kernel.type) ? "op/s" : "FLOP/s",
                     .value = found.value,
                     .ci = found.ci,
                     .variant = isa,
                     .threads = sampler.threads(),
                     .note = found.note,
                     .clock_hz = clock.hz(),
                     .disturbed = found.disturbed || found.unlike()};
  set_issue_limit(row, kernel);
  if (thorough) {
    loop.clear();
    row.zeros = sample_rate(
                    sampler.clock(), [&] { return loop.step(sampler); }, loop.work(), arithmetic_time_s)
                    .value;
  }
  return row;
}

std::vector<model::ceiling> with_best(std::vector<model::ceiling> rows, std::string id, std::string title) {
  if (rows.empty()) return rows;
  auto best = *std::ranges::max_element(rows, {}, &model::ceiling::value);
  best.id = std::move(id);
  best.description = std::move(title);
  rows.insert(rows.begin(), best);
  return rows;
}

}  // namespace

std::string_view name_of(number type) {
  switch (type) {
    case number::fp32:
      return "fp32";
    case number::fp64:
      return "fp64";
    case number::fp16:
      return "fp16";
    case number::bf16:
      return "bf16";
    case number::int8:
      return "int8";
    case number::int16:
      break;
  }
  return "int16";
}

arithmetic_loop::arithmetic_loop(sampler& sampler, const arithmetic_kernel& kernel)
    : kernel_(&kernel), states_(static_cast<std::size_t>(sampler.threads()), random_operands(kernel)) {
  verify(kernel);
  for (auto t = turn(sampler, rounds_); t.seconds <= arithmetic_sample_s / 8; t = turn(sampler, rounds_))
    rounds_ *= 4;
  const auto t = turn(sampler, rounds_);
  rounds_ =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(rounds_) * arithmetic_sample_s /
                                                          std::max(t.seconds, 1e-9)));
}

timing arithmetic_loop::turn(sampler& sampler, std::int64_t rounds) {
  return sampler.time([&](int rank, int) { kernel_->run(states_[static_cast<std::size_t>(rank)], rounds); });
}

timing arithmetic_loop::step(sampler& sampler) { return turn(sampler, rounds_); }

void arithmetic_loop::clear() { std::ranges::fill(states_, operands{}); }

double arithmetic_loop::work() const {
  return kernel_->operations * static_cast<double>(rounds_) * static_cast<double>(states_.size());
}

void arithmetic_loop::check() const {
  for (const auto& state : states_) {
    for (std::size_t i = 0; i < accumulated(*kernel_); ++i)
      if (!std::isfinite(value_at(*kernel_, state, i))) wrong(*kernel_);
  }
}

std::vector<const arithmetic_kernel*> runnable_kernels(number type, operation operation) {
  std::vector<const arithmetic_kernel*> found;
  for (const auto& kernel : arithmetic_kernels()) {
    if (kernel.type == type && kernel.op == operation && can_run(kernel)) found.push_back(&kernel);
  }
  return found;
}

std::vector<const arithmetic_kernel*> runnable_kernels(number type) {
  std::vector<const arithmetic_kernel*> found;
  for (const auto what : {operation::multiply_add, operation::dot, operation::tiles}) {
    for (const auto* kernel : runnable_kernels(type, what)) found.push_back(kernel);
  }
  return found;
}

double starts_per_cycle(const arithmetic_kernel& kernel, double seen_per_cycle) {
  constexpr double slack = 1.05;
  const bool fused = kernel.op != operation::multiply_and_add && kernel.isa != "sse2";
  const double most = fused ? 2 : 4;
  // Server cores from Sapphire Rapids on are the only Intel cores with fp16 vectors, and have two units of
  // 512 bits (Intel optimization manual, 2.2).
  const bool two_wide = kernel.op == operation::multiply_add && kernel.vector_bytes == 64;
  double starts = two_wide && host::has_isa("avx512_fp16") ? 2 : 1.0 / 16;
  while (starts < most && seen_per_cycle > slack * starts) starts += starts < 1 ? starts : 1;
  return starts;
}

std::vector<model::ceiling> probe_arithmetic(sampler& sampler, number type, bool thorough) {
  std::vector<model::ceiling> rows;
  for (const auto* kernel : runnable_kernels(type))
    rows.push_back(measure_arithmetic(sampler, *kernel, thorough, "cpu.fma."));
  const auto name = std::string(name_of(type));
  return with_best(std::move(rows), "cpu.fma." + name, name + " multiply-adds on registers");
}

std::vector<model::ceiling> probe_multiply_and_add(sampler& sampler, number type) {
  std::vector<model::ceiling> rows;
  for (const auto* kernel : runnable_kernels(type, operation::multiply_and_add))
    rows.push_back(measure_arithmetic(sampler, *kernel, false, "cpu.fma_add."));
  const auto name = std::string(name_of(type));
  return with_best(std::move(rows), "cpu.fma_add." + name,
                   name + " multiply-adds and as many additions on registers");
}

}  // namespace ridge::backends::probe_host
