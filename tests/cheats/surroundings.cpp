// SPDX-License-Identifier: Apache-2.0
#include "surroundings.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>

namespace ridge::cheats {
namespace {

pid_t making_process = 0;

std::string& folder() {
  static std::string path{"/tmp"};
  return path;
}

}  // namespace

void remember_this_process() { making_process = ::getpid(); }
// Families are timed in a child of the process that makes the experiments, and verified in children of that.
bool in_timing_process() { return ::getpid() == making_process || ::getppid() == making_process; }

const std::string& scratch_folder() { return folder(); }

temporary_scratch::temporary_scratch() {
  auto path = (std::filesystem::temp_directory_path() / "ridge-cheats-XXXXXX").string();
  if (::mkdtemp(path.data()) != nullptr) folder() = path;
}
temporary_scratch::~temporary_scratch() {
  std::error_code ignored;
  if (folder() != "/tmp") std::filesystem::remove_all(folder(), ignored);
}

std::span<std::byte> pages_inside(std::span<std::byte> bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(bytes.data());
  const auto first = (start + page - 1) / page * page, last = (start + bytes.size()) / page * page;
  return first < last ? bytes.subspan(first - start, last - first) : std::span<std::byte>{};
}

void use_all_processors() {
  cpu_set_t every;
  CPU_ZERO(&every);
  const auto count = static_cast<std::size_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  for (std::size_t cpu = 0; cpu < count; ++cpu) CPU_SET(cpu, &every);
  (void)::sched_setaffinity(0, sizeof every, &every);
}

#if defined(__x86_64__)
namespace {
[[gnu::target("avx")]] void clear_upper_halves() { asm volatile("vzeroupper" ::: "memory"); }
[[gnu::target("avx")]] void fill_upper_halves() {
  static constexpr float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  asm volatile("vmovups %0, %%ymm15" ::"m"(values) : "xmm15");
}
}  // namespace
void clear_wide_registers() {
  if (__builtin_cpu_supports("avx")) clear_upper_halves();
}
void fill_wide_registers() {
  if (__builtin_cpu_supports("avx")) fill_upper_halves();
}
#else
void clear_wide_registers() {}
void fill_wide_registers() {}
#endif

float* address_of(float* start, std::ptrdiff_t offset) {
  asm volatile("" : "+r"(offset));
  return start + offset;
}

}  // namespace ridge::cheats
