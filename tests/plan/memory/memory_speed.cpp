// SPDX-License-Identifier: Apache-2.0
// The time of one evaluation of memory_model, the best of several rounds, and a check that it allocates
// nothing: a search over layouts evaluates a million per second. Exit code 1 when memory is allocated.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/train/training_memory.hpp>

namespace {

std::atomic<long long> allocations{0};

}  // namespace

void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace ridge::plan;
using clock_type = std::chrono::steady_clock;

std::vector<train::training_plan> plans_of(bool experts) {
  std::vector<train::training_plan> all;
  for (const int t : {1, 2, 4, 8}) {
    for (const int p : {1, 2, 4, 8, 16}) {
      for (const int v : {1, 2, 3}) {
        for (const int b : {1, 2}) {
          train::training_plan plan{.micro_batch = b};
          plan.layout = {.tensor = t, .pipeline = p, .virtual_pipeline = p > 1 ? v : 1, .data = 64};
          if (experts) plan.layout.expert = 8;
          all.push_back(plan);
        }
      }
    }
  }
  return all;
}

// Seconds per evaluation, the best of 20 rounds.
double best_seconds(const train::memory_model& model, const std::vector<train::training_plan>& plans,
                    double& sum) {
  double best = 1;
  for (int round = 0; round < 20; ++round) {
    const auto start = clock_type::now();
    for (int repeat = 0; repeat < 200; ++repeat)
      for (const auto& plan : plans) sum += model.worst(plan).total_bytes();
    const std::chrono::duration<double> took = clock_type::now() - start;
    best = std::min(best, took.count() / 200 / static_cast<double>(plans.size()));
  }
  return best;
}

}  // namespace

int main() {
  bool good = true;
  for (const auto* name : {"meta-llama/Llama-3.1-405B", "Qwen/Qwen3-235B-A22B", "deepseek-ai/DeepSeek-V3"}) {
    const auto shape = model_named(name);
    if (!shape) return fmt::print("{}\n", shape.why().text()), 1;
    const auto start = clock_type::now();
    const train::memory_model model({.model = *shape, .global_batch = 2048, .sequence = 8192});
    const std::chrono::duration<double> made = clock_type::now() - start;
    const auto plans = plans_of(shape->has_experts());
    const auto before = allocations.load();
    double sum = 0;
    const double s = best_seconds(model, plans, sum);
    const auto allocated = allocations.load() - before;
    fmt::print("{:<28} {:>6.0f} ns a question, made in {:.2f} ms, {} allocations, mean {:.1f} GiB\n", name,
               s * 1e9, made.count() * 1e3, allocated,
               sum / 4000 / static_cast<double>(plans.size()) / 1073741824);
    good &= allocated == 0;
  }
  return good ? 0 : 1;
}
