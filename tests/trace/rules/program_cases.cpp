// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

// An operator with one kernel, inside another operator where `within` names one.
struct program_op {
  std::string name{}, dims{}, types{}, within{};
  nanoseconds length = 100'000;
};

constexpr auto bf16_operands = R"(["c10::BFloat16", "c10::BFloat16"])";

// Adds the operators, one each 20 us from `host` on; their kernels run one after the other from `device` on.
void add_ops(scene& target, const std::vector<program_op>& ops, nanoseconds host, nanoseconds device) {
  for (const auto& o : ops) {
    if (!o.within.empty()) target.op(o.within, host, 16'000);
    target.op(o.name, host + 1'000, 14'000,
              {.input_dims = target.name(o.dims), .input_types = target.name(o.types)});
    target.kernel(o.name + "_kernel", device, o.length, 7, {.call_ns = host + 5'000, .call_length_ns = 5'000},
                  {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
    host += 20'000;
    device += o.length;
  }
}

// The operators again and again, launched ahead of the device.
std::vector<trace> repeated(std::vector<program_op> round, int rounds = 20) {
  scene s;
  s.device(ridge_one_facts());
  std::vector<program_op> all;
  for (int i = 0; i < rounds; ++i) all.insert(all.end(), round.begin(), round.end());
  add_ops(s, all, 0, 3'000'000);
  return one(s);
}

diagnose_options on_ridge_one() {
  diagnose_options options;
  options.devices = {ridge_one()};
  return options;
}

program_op product_of(int rows, int inner, int columns) {
  return {.name = "aten::mm",
          .dims = "[[" + std::to_string(rows) + ", " + std::to_string(inner) + "], [" +
                  std::to_string(inner) + ", " + std::to_string(columns) + "]]",
          .types = bf16_operands};
}

std::vector<trace> each_expert(bool routed) {
  std::vector<program_op> ops;
  for (int x = 0; x < 16; ++x) ops.push_back(product_of(routed ? 3 + x : 8, 1024, 4096));
  return repeated(ops, 5);
}

std::vector<trace> projections(int columns) {
  return repeated(std::vector<program_op>(24, product_of(16384, 1024, columns)), 3);
}

std::vector<trace> convolutions(bool grouped) {
  const std::string weights = grouped ? "[256, 1, 7, 7]" : "[256, 256, 7, 7]";
  return repeated({{.name = "aten::convolution",
                    .dims = "[[8, 256, 56, 56], " + weights + ", []]",
                    .types = R"(["float", "float", ""])",
                    .length = 2'000'000}});
}

std::vector<trace> casting(const char* into) {
  return repeated({product_of(2048, 2048, 2048),
                   {.name = "aten::copy_",
                    .dims = "[[2048, 2048], [2048, 2048], []]",
                    .types = std::string("[\"") + into + R"(", "float", "Scalar"])"}},
                  30);
}

std::vector<trace> joining(int growth) {
  std::vector<program_op> ops;
  for (int i = 0; i < 60; ++i)
    ops.push_back({.name = "aten::cat",
                   .dims = "[[[1, 32, " + std::to_string(500 + growth * i) + ", 64], [1, 32, 1, 64]], []]",
                   .types = R"(["TensorList", "Scalar"])"});
  return repeated(ops, 1);
}

// Five steps of 20 kernels of 50 us; `between` adds what the host does at the end of each.
std::vector<trace> stepping(const std::function<nanoseconds(scene&, nanoseconds)>& between) {
  scene s;
  nanoseconds at = 0;
  for (int step = 0; step < 5; ++step) {
    const auto start = at;
    for (int k = 0; k < 20; ++k, at += 15'000) {
      s.op("aten::mm", at, 12'000);
      s.kernel("gemm_kernel", std::max(at + 8'000, start + 8'000 + k * 50'000), 50'000, 7,
               {.call_ns = at + 3'000, .call_length_ns = 4'000});
    }
    const auto done = start + 8'000 + 20 * 50'000;
    s.api("cudaStreamSynchronize", at, done + 1'000 - at);
    at = done + 2'000;
    at = between(s, at);
    s.annotation("ProfilerStep#" + std::to_string(step), start, at - start);
  }
  return one(s);
}

std::vector<trace> absent_for(nanoseconds time) {
  return stepping([=](scene& target, nanoseconds at) {
    target.python("train.py(40): save", at, time);
    return at + time + 1'000;
  });
}

// The optimizer launches `kernels` kernels of 4 us, one each 15 us.
std::vector<trace> updating(int kernels) {
  return stepping([=](scene& target, nanoseconds at) {
    target.annotation("Optimizer.step#AdamW.step", at, kernels * 15'000);
    for (int k = 0; k < kernels; ++k, at += 15'000) {
      target.op("aten::mul_", at, 12'000);
      target.kernel("mul_kernel", at + 9'000, 4'000, 7, {.call_ns = at + 3'000, .call_length_ns = 4'000});
    }
    return at + 5'000;
  });
}

// After each step the host looks for NaN in `checks` gradients and reads each answer.
std::vector<trace> checking(int checks) {
  return stepping([=](scene& target, nanoseconds at) {
    for (int k = 0; k < checks; ++k, at += 30'000) {
      target.op("aten::isnan", at, 8'000);
      target.kernel("isnan_kernel", at + 7'000, 3'000, 7, {.call_ns = at + 2'000, .call_length_ns = 4'000});
      target.op("aten::is_nonzero", at + 10'000, 16'000);
      target.copy(copy_kind::device_to_host, 1, at + 16'000, 2'000, 7,
                  {.call_ns = at + 11'000, .call_length_ns = 3'000, .call = "cudaMemcpyAsync"});
      target.api("cudaStreamSynchronize", at + 14'500, 9'000);
    }
    return at + 5'000;
  });
}

// Five steps; in each, 16 MB go to the device before every kernel, or before the first alone.
std::vector<trace> fetching(bool before_each) {
  scene s;
  nanoseconds host = 0, device = 1'000'000;
  for (int step = 0; step < 5; ++step) {
    const auto start = device;
    for (int k = 0; k < 6; ++k, host += 20'000) {
      if (before_each || k == 0) {
        s.copy(copy_kind::host_to_device, 16 << 20, device, 300'000, 7,
               {.call_ns = host, .call_length_ns = 4'000});
        device += 300'000;
      }
      s.kernel("gemm_kernel", device, 200'000, 7, {.call_ns = host + 8'000, .call_length_ns = 4'000});
      device += 200'000;
    }
    s.annotation("ProfilerStep#" + std::to_string(step), start, device - start);
  }
  return one(s);
}

std::vector<trace> in_backward(const char* operation) {
  return repeated({product_of(2048, 2048, 2048),
                   {.name = operation,
                    .dims = "[[2048, 2048], [2048, 2048]]",
                    .types = bf16_operands,
                    .within = "autograd::engine::evaluate_function: AddmmBackward0"}});
}

rule_case program_case(const char* rule, std::function<std::vector<trace>()> fires,
                       std::function<std::vector<trace>()> quiet) {
  return {.rule = rule, .fires = std::move(fires), .quiet = std::move(quiet), .options = on_ridge_one()};
}

}  // namespace

std::vector<rule_case> program_cases() {
  return {
      program_case(
          "I10", [] { return absent_for(3'000'000); }, [] { return absent_for(100'000); }),
      program_case(
          "C6", [] { return fetching(true); }, [] { return fetching(false); }),
      program_case(
          "C7", [] { return casting("c10::BFloat16"); }, [] { return casting("float"); }),
      program_case(
          "C8", [] { return joining(1); }, [] { return joining(0); }),
      program_case(
          "K22", [] { return convolutions(true); }, [] { return convolutions(false); }),
      program_case(
          "K23", [] { return projections(64); }, [] { return projections(8192); }),
      program_case(
          "K24", [] { return repeated({{.name = "aten::index_add_"}}); },
          [] { return repeated({{.name = "aten::add_"}}); }),
      program_case(
          "K25", [] { return updating(200); }, [] { return updating(10); }),
      program_case(
          "K26", [] { return each_expert(true); }, [] { return each_expert(false); }),
      program_case(
          "H6", [] { return checking(40); }, [] { return checking(2); }),
      program_case(
          "H7", [] { return in_backward("aten::linear"); }, [] { return in_backward("aten::mm"); }),
  };
}

}  // namespace ridge::trace::fixtures
