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
  // A body behind the interface of candidates, whichever kind it is.
  struct body {
    int (*function)(const ridge_problem*, void*) = nullptr;
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

// The shared object of somebody else. The problems outlive it.
[[nodiscard]] std::unique_ptr<arm> make_candidate(const problem_table& problems);

// A variant of an experiment of this program, on the shared arrays; everything passed outlives it.
[[nodiscard]] std::unique_ptr<arm> make_variant(const assignment& given, const experiment_finder& find,
                                                std::span<std::byte> inputs, std::span<std::byte> outputs,
                                                const problem_table& problems);

}  // namespace ridge::judge
