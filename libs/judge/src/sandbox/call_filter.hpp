// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace ridge::judge {

// Builds a filter of system calls (seccomp(2)) rule by rule. The first rule that matches decides.
class call_filter final {
 public:
  // Begins with the check that the calls are those of this architecture; others end the process.
  call_filter();

  // Each decides about one system call by its number.
  void allow(long call);
  void fail(long call, int code);
  // Raises SIGSYS instead of making the call.
  void trap(long call);
  // Allow the call where argument `index` is one of `values`, or has none of the bits `forbidden`; else it
  // fails with `code`. Only the low 32 bits of the argument are looked at.
  void allow_values(long call, unsigned index, const std::vector<std::uint32_t>& values, int code);
  void allow_without_bits(long call, unsigned index, std::uint32_t forbidden, int code);
  // Allows the call where argument `index` is 0 in all its bits; else it fails with `code`.
  void allow_null(long call, unsigned index, int code);
  // Traps the call where argument `index` lacks one of the bits `needed`; else it is allowed, or fails with
  // `code` where that is not 0.
  void trap_without_bits(long call, unsigned index, std::uint32_t needed, int code);

  // Everything that no rule decided fails with `code`. Returns the program.
  [[nodiscard]] std::vector<sock_filter> finish(int code);

 private:
  void decide(long call, const std::vector<sock_filter>& block);
  std::vector<sock_filter> program_;
};

}  // namespace ridge::judge
