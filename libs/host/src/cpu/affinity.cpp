// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/affinity.hpp>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <climits>
#include <cstring>
#include <string>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

constexpr int word_bits = static_cast<int>(sizeof(unsigned long) * CHAR_BIT);
// Room for 8192 CPUs, the largest NR_CPUS with which distributions build their kernels.
using mask_words = std::array<unsigned long, 8192 / word_bits>;

bool apply(std::span<const int> cpus) {
  mask_words words{};
  for (const int cpu : cpus) {
    expects(cpu >= 0 && cpu < 8192, "set_affinity: a CPU number between 0 and 8191");
    words[static_cast<std::size_t>(cpu / word_bits)] |= 1ul << (cpu % word_bits);
  }
  return syscall(SYS_sched_setaffinity, 0, sizeof(words), words.data()) == 0;
}

}  // namespace

std::vector<int> affinity() {
  mask_words words{};
  if (syscall(SYS_sched_getaffinity, 0, sizeof(words), words.data()) < 0) {
    throw io_failure("read", "the thread's CPU mask", errno);
  }
  std::vector<int> cpus;
  for (std::size_t word = 0; word < words.size(); ++word) {
    for (auto left = words[word]; left != 0; left &= left - 1)
      cpus.push_back(static_cast<int>(word) * word_bits + std::countr_zero(left));
  }
  return cpus;
}

void set_affinity(std::span<const int> cpus) {
  if (apply(cpus)) return;
  const std::string first = cpus.empty() ? "no CPU at all" : "CPU " + std::to_string(cpus.front());
  throw unavailable("cannot run on " + first + ": " + std::strerror(errno),
                    "choose among the CPUs that `nproc` and the cpuset allow");
}

const std::vector<int>& process_cpus() {
  static const std::vector<int> cpus = affinity();
  return cpus;
}

int current_cpu() { return sched_getcpu(); }

scoped_affinity::scoped_affinity(int cpu) : scoped_affinity(std::span(&cpu, 1)) {}

scoped_affinity::scoped_affinity(std::span<const int> cpus) : before_(affinity()) { set_affinity(cpus); }

scoped_affinity::~scoped_affinity() { apply(before_); }

}  // namespace ridge::host
