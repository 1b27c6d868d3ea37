// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <ridge/base/expects.hpp>

namespace ridge {

// An expected outcome that is not a success: what is wrong and where, and what the user can do about it.
struct error {
  std::string message{};
  std::string remedy{};
  // Returns "message; remedy", or `message` alone when there is no remedy.
  [[nodiscard]] std::string text() const;
};

// A caller broke a function's contract.
class precondition_violated final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// The machine, a file or another program failed; base of every exception that is not a bug.
class failure : public std::runtime_error {
 public:
  // The message of what() is `why.text()`; `place` is the line that threw.
  explicit failure(error why, caller place = caller::here());
  // Returns what failed and what to do about it.
  [[nodiscard]] const error& why() const { return why_; }
  // Returns the line that threw.
  [[nodiscard]] caller place() const { return place_; }

 private:
  error why_;
  caller place_;
};

// A file, pipe or socket failed.
class io_failure final : public failure {
 public:
  // The message says that `action` ("write") failed on `path`, and why: `code` is the errno of the failed
  // call.
  io_failure(std::string_view action, std::string_view path, int code, std::string_view remedy = {},
             caller place = caller::here());
  // Returns the errno of the failed call.
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

// This machine lacks something (a library, an instruction set, a privilege). The harness turns it into a skip
// with this reason.
class unavailable final : public failure {
 public:
  // `thing` says in words what is missing; `remedy` says how to get it.
  unavailable(std::string_view thing, std::string_view remedy, caller place = caller::here());
};

}  // namespace ridge
