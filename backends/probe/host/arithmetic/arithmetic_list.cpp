// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/error.hpp>

#include "arithmetic/arithmetic_probe.hpp"
#include "arithmetic/clock_probe.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::peak_probe, probe::request;

void append(rows& list, rows more) {
  for (auto& row : more) list.push_back(std::move(row));
}

peak_probe multiply_adds(host_bench& bench, number type, depth depth, std::string means) {
  const auto name = std::string(name_of(type));
  return {"cpu.fma." + name, name + " multiply-adds", std::move(means), depth,
          [&bench, type](const request& request) {
            rows found;
            bench.each(request, [&](sampler& s) {
              append(found, probe_arithmetic(s, type, request.depth >= depth::standard));
            });
            if (found.empty())
              throw unavailable("vectors of " + std::string(name_of(type)), "this CPU has none");
            return found;
          }};
}

peak_probe both_units(host_bench& bench, number type) {
  const auto name = std::string(name_of(type));
  return {"cpu.fma_add." + name, name + " multiply-adds and additions",
          "more than multiply-adds alone where additions have units of their own", depth::standard,
          [&bench, type](const request& request) {
            rows found;
            bench.each(request, [&](sampler& s) { append(found, probe_multiply_and_add(s, type)); });
            if (found.empty()) throw unavailable("fused multiply-adds", "this CPU has none");
            return found;
          }};
}

peak_probe clock(host_bench& bench) {
  return {"cpu.clock", "clock of the cores", "every rate of a core follows it", depth::quick,
          [&bench](const request& request) {
            rows found;
            bench.each(request,
                       [&](sampler& s) { found.push_back(probe_clock(s, request.depth == depth::deep)); });
            return found;
          }};
}

peak_probe clock_by_isa(host_bench& bench) {
  return {"cpu.clock_under_load", "clock by instruction set",
          "how far wide vectors slow the cores down, for the code around them too", depth::deep,
          [&bench](const request& request) {
            rows found;
            bench.each(request, [&](sampler& s) { found.push_back(probe_clock_under_load(s)); });
            return found;
          }};
}

}  // namespace

void add_arithmetic_probes(probe_list& list, host_bench& bench) {
  list.push_back(clock(bench));
  list.push_back(
      multiply_adds(bench, number::fp32, depth::essential, "no fp32 code on these cores does more"));
  list.push_back(multiply_adds(bench, number::fp64, depth::quick, "no fp64 code on these cores does more"));
  list.push_back(
      multiply_adds(bench, number::fp16, depth::quick, "bounds code that computes in half precision"));
  list.push_back(
      multiply_adds(bench, number::bf16, depth::quick, "bounds products of bf16 with sums in fp32"));
  list.push_back(
      multiply_adds(bench, number::int8, depth::quick, "bounds quantized products, sums in int32"));
  list.push_back(
      multiply_adds(bench, number::int16, depth::standard, "bounds products of int16, sums in int32"));
  list.push_back(both_units(bench, number::fp32));
  list.push_back(both_units(bench, number::fp64));
  list.push_back(clock_by_isa(bench));
}

}  // namespace ridge::backends::probe_host
