// SPDX-License-Identifier: Apache-2.0
#include "sandbox/call_filter.hpp"

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <cstddef>

namespace ridge::judge {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t other_interface = 0x40000000;  // calls of the x32 interface
#else
constexpr std::uint32_t this_architecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t other_interface = 0;
#endif

sock_filter statement(unsigned code, std::uint32_t k) {
  return {.code = static_cast<std::uint16_t>(code), .jt = 0, .jf = 0, .k = k};
}
sock_filter jump(unsigned code, std::uint32_t k, std::size_t on_true, std::size_t on_false) {
  return {.code = static_cast<std::uint16_t>(BPF_JMP | BPF_K | code),
          .jt = static_cast<std::uint8_t>(on_true),
          .jf = static_cast<std::uint8_t>(on_false),
          .k = k};
}
sock_filter load(std::size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter give(std::uint32_t action) { return statement(BPF_RET | BPF_K, action); }
sock_filter give_error(int code) {
  return give(SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(code) & SECCOMP_RET_DATA));
}
// Both architectures are little-endian: the low half of an argument comes first.
std::size_t low_half(unsigned index) { return offsetof(seccomp_data, args) + 8 * std::size_t{index}; }

}  // namespace

call_filter::call_filter() {
  program_.push_back(load(offsetof(seccomp_data, arch)));
  program_.push_back(jump(BPF_JEQ, this_architecture, 1, 0));
  program_.push_back(give(SECCOMP_RET_KILL_PROCESS));
  program_.push_back(load(offsetof(seccomp_data, nr)));
  if (other_interface != 0) {
    program_.push_back(jump(BPF_JGE, other_interface, 0, 1));
    program_.push_back(give(SECCOMP_RET_KILL_PROCESS));
  }
}

// A block ends in a decision on every path, so that the number of the call stays loaded for the next rule.
void call_filter::decide(long call, const std::vector<sock_filter>& block) {
  program_.push_back(jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, block.size()));
  program_.insert(program_.end(), block.begin(), block.end());
}

void call_filter::allow(long call) { decide(call, {give(SECCOMP_RET_ALLOW)}); }
void call_filter::fail(long call, int code) { decide(call, {give_error(code)}); }
void call_filter::trap(long call) { decide(call, {give(SECCOMP_RET_TRAP)}); }

void call_filter::allow_values(long call, unsigned index, const std::vector<std::uint32_t>& values,
                               int code) {
  std::vector<sock_filter> block{load(low_half(index))};
  for (std::size_t i = 0; i < values.size(); ++i)
    block.push_back(jump(BPF_JEQ, values[i], values.size() - i, 0));
  block.push_back(give_error(code));
  block.push_back(give(SECCOMP_RET_ALLOW));
  decide(call, block);
}

void call_filter::allow_without_bits(long call, unsigned index, std::uint32_t forbidden, int code) {
  decide(call,
         {load(low_half(index)), jump(BPF_JSET, forbidden, 0, 1), give_error(code), give(SECCOMP_RET_ALLOW)});
}

void call_filter::allow_null(long call, unsigned index, int code) {
  decide(call, {load(low_half(index)), jump(BPF_JEQ, 0, 0, 2), load(low_half(index) + 4),
                jump(BPF_JEQ, 0, 1, 0), give_error(code), give(SECCOMP_RET_ALLOW)});
}

void call_filter::trap_without_bits(long call, unsigned index, std::uint32_t needed, int code) {
  decide(call,
         {load(low_half(index)), statement(BPF_ALU | BPF_AND | BPF_K, needed), jump(BPF_JEQ, needed, 1, 0),
          give(SECCOMP_RET_TRAP), code == 0 ? give(SECCOMP_RET_ALLOW) : give_error(code)});
}

std::vector<sock_filter> call_filter::finish(int code) {
  program_.push_back(give_error(code));
  return program_;
}

}  // namespace ridge::judge
