// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include <ridge/base/error.hpp>

#include "passes.hpp"

namespace ridge::chain {
namespace {

struct workload {
  input<float> source{};
  output<float> target{};
};

void passes(workload& w, call&) { in_passes(w.source.data(), w.target.data(), w.target.size()); }

void twice(workload& w, call& c) {
  passes(w, c);
  asm volatile("" ::: "memory");
  passes(w, c);
}

ladder<workload> variants() {
  return {{.name = "passes", .is = role::baseline, .run = passes},
          {.name = "again", .run = passes},
          {.name = "twice", .run = twice},
          {.name = "staged", .run = passes, .stage = [](workload&, setup&) {}}};
}

// The same bodies as variants of a GPU, which the tests run on a GPU that is simulated in host memory.
ladder<workload> gpu_variants() {
  return {{.name = "passes", .is = role::baseline, .run = passes},
          {.name = "again", .run = passes},
          {.name = "twice", .run = twice},
          {.name = "on_two", .run = passes, .needs = {.gpus = 2}}};
}

struct in_place_workload {
  inout<float> values{};
};

void double_values(in_place_workload& w, call&) {
  for (float& x : w.values) x = 2 * x;
}

ladder<in_place_workload> in_place_variants() {
  return {{.name = "doubling", .is = role::baseline, .run = double_values}};
}

axis sizes() { return values("elements", {4096}, {0, 1, 17}); }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "judged.chain",
      .title = "A chain of steps",
      .question = "How fast is a chain of steps?",
      .axes = {sizes()},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, uniform{-1, 1}), m.out<float>(n)};
          },
      .work = [](const problem& p) { return work{.flop = 2.0 * steps * p.real("elements")}; },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.target.size(); ++i) {
              float x = w.source[i];
              for (int k = 0; k < steps; ++k) x = step(x, k);
              w.target[i] = x;
            }
          },
      .within = tolerance{.abs = 1e-6},
      .cpu = variants,
      .cuda = gpu_variants,
  };
}

experiment make_in_place() {
  return experiment_of<in_place_workload>{
      .id = "judged.doubling",
      .title = "Doubling in place",
      .question = "How fast are values doubled?",
      .axes = {sizes()},
      .make =
          [](const problem& p, memory& m) {
            return in_place_workload{m.both<float>(p.count("elements"), uniform{-1, 1})};
          },
      .work = [](const problem& p) { return work{.flop = p.real("elements")}; },
      .oracle =
          [](in_place_workload& w) {
            for (float& x : w.values) x = 2 * x;
          },
      .within = exact(),
      .cpu = in_place_variants,
      .cuda = in_place_variants,
  };
}

experiment named(const std::string& id) {
  for (const auto& entry : {make(), make_in_place()}) {
    if (entry->id == id) return entry;
  }
  throw failure({"there is no experiment " + id, ""});
}

}  // namespace ridge::chain
