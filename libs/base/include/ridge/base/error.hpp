// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <ridge/base/expects.hpp>

namespace ridge {

// An expected outcome that is not a success: what is wrong and where, and what to do about it.
struct error {
  std::string what{};
  std::string remedy{};
  [[nodiscard]] std::string text() const;  // "what; remedy"
};

// A caller broke a function's contract.
class precondition_violated final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// The machine, a file or another program failed; base of every exception that is not a bug.
class failure : public std::runtime_error {
 public:
  explicit failure(error why, caller place = caller::here());
  [[nodiscard]] const error& why() const { return why_; }
  [[nodiscard]] caller place() const { return at_; }

 private:
  error why_;
  caller at_;
};

// A file, pipe or socket failed. `code` is errno.
class io_failure final : public failure {
 public:
  io_failure(std::string_view action, std::string_view path, int code, std::string_view remedy = {},
             caller place = caller::here());
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

// Something this machine lacks (a library, an instruction set, a privilege): becomes a skip with this reason.
class unavailable final : public failure {
 public:
  unavailable(std::string_view thing, std::string_view remedy, caller place = caller::here());
};

}  // namespace ridge
