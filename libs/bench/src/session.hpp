// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge.h>

#include <ridge/harness/protocol.hpp>
#include <ridge/model/comparison.hpp>

namespace ridge::bench {

// A callback of the C interface with what its user wants to be told.
template <class Function>
struct callback {
  Function function = nullptr;
  void* user = nullptr;
  [[nodiscard]] explicit operator bool() const { return function != nullptr; }
};

struct arm {
  std::string name{};
  std::variant<callback<ridge_call>, callback<ridge_loop>, callback<ridge_sample>> body{};
  const void* code = nullptr;       // an address of the code that it calls; null: its callback
  std::optional<bool> optimized{};  // as the caller states it; else the file that holds the code is asked
};

// Everything that a session is told before it runs.
struct definition {
  std::string title{};
  std::vector<arm> arms{};
  callback<ridge_prepare> prepare{};
  callback<ridge_check> check{};
  callback<ridge_agreement> agreement{};
  callback<ridge_watch> watch{};
  harness::protocol protocol{};
  std::optional<std::uint64_t> seed{};
  std::uint64_t calls_per_sample = 0;  // 0: chosen for the clock
  bool gpu_time = false;
  bool fixed_inputs = false;  // although something prepares each round
  bool pinned = true;         // where arms compute on the calling thread alone
  [[nodiscard]] bool fresh_inputs() const { return prepare && !fixed_inputs; }
  std::vector<std::pair<std::string, std::string>> facts{};
  std::vector<model::check> checks{};  // that the caller made
};

// A callback failed: the session has no result.
class callback_failed final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A callback asked to stop before there was anything to keep.
class nothing_measured final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What an output was found to be: its arm, and why it is wrong.
struct wrong_output {
  std::size_t arm = 0;
  std::string reason{};
};

}  // namespace ridge::bench
