// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <ridge/judge/runner.hpp>

#include "exchange/assignment.hpp"
#include "runner/problem_table.hpp"

namespace ridge::judge {

// What a runner runs. Every function but the destructor may throw; what() then says why the request failed.
class arm {
 public:
  // A body behind the interface of candidates, whichever kind it is: `function` on the processor, `enqueue`
  // on a GPU.
  struct body {
    int (*function)(const ridge_problem*, void*) = nullptr;
    int (*enqueue)(const ridge_problem*, void*, void*) = nullptr;
    void* state = nullptr;
  };
  virtual ~arm() = default;
  // Loads the code and sets it up. `path` is where a candidate can be read now.
  virtual void load(const std::string& path) = 0;
  // Makes the members before `count` callable, untimed.
  virtual void bind([[maybe_unused]] std::size_t count) {}
  // Called before the calls of a sample.
  virtual void begin_sample() {}
  // What a call calls; the same for every call once it is loaded.
  [[nodiscard]] virtual body called() = 0;
  // Called once after the last call.
  virtual void finish() {}
};

// The memory that a runner maps.
struct runner_memory {
  std::span<std::byte> inputs{}, outputs{};
  device::device* gpu = nullptr;  // that the memory lies in; null: the processor's
};

// The shared object of somebody else, whose function is that for a GPU where `on_gpu`. The problems outlive
// it.
[[nodiscard]] std::unique_ptr<arm> make_candidate(const problem_table& problems, bool on_gpu);

// A variant of an experiment of this program, on the shared arrays; everything passed outlives it.
[[nodiscard]] std::unique_ptr<arm> make_variant(const assignment& given, const experiment& entry,
                                                const runner_memory& memory, const problem_table& problems);

}  // namespace ridge::judge
