// SPDX-License-Identifier: Apache-2.0
#include "system/process_settings.hpp"

#include <locale.h>
#include <malloc.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <locale>
#include <new>

#include <ridge/host/text_file.hpp>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define RIDGE_GLIBC_MALLOC 1
#endif
#endif

namespace ridge::host {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

template <class Pointer>
std::string address(Pointer pointer) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(pointer));
}

void read_locale(settings& all) {
  const char* names = setlocale(LC_ALL, nullptr);
  all.emplace_back("the locale", std::string(names != nullptr ? names : "") + "," + std::locale().name() +
                                     "," + address(uselocale(nullptr)));
}

void read_controls(settings& all) {
  struct control {
    const char* name;
    int option;
    unsigned long argument;
  };
  constexpr std::array controls{
      control{"the slack of its timers", PR_GET_TIMERSLACK, 0},
      control{"whether it may use huge pages", PR_GET_THP_DISABLE, 0},
      control{"whether others may look into it", PR_GET_DUMPABLE, 0},
      control{"whether it may gain privileges", PR_GET_NO_NEW_PRIVS, 0},
      control{"the filter of its system calls", PR_GET_SECCOMP, 0},
      control{"the speculation of its loads", PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS},
      control{"the speculation of its branches", PR_GET_SPECULATION_CTRL, PR_SPEC_INDIRECT_BRANCH},
  };
  for (const auto& one : controls)
    all.emplace_back(one.name, std::to_string(prctl(one.option, one.argument, 0, 0, 0)));
  std::array<char, 17> name{};
  if (prctl(PR_GET_NAME, name.data()) == 0) all.emplace_back("the thread's name", name.data());
}

void read_kernel_state(settings& all) {
  if (const auto timers = read_text("/proc/self/timers")) all.emplace_back("a timer of the kernel", *timers);
  const auto status = read_text("/proc/self/status").value_or("");
  all.emplace_back("its locked memory", value_after(status, "VmLck"));
  all.emplace_back("its personality", std::to_string(personality(0xffffffffUL)));
  constexpr int of_a_process = 1;
  all.emplace_back("its priority for storage", std::to_string(syscall(SYS_ioprio_get, of_a_process, 0)));
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) == 0) all.emplace_back("the stack of its handlers", address(stack.ss_sp));
}

void read_language_state(settings& all) {
  all.emplace_back("what is done where memory is short", address(std::get_new_handler()));
  all.emplace_back("what is done at the end of a failure", address(std::get_terminate()));
}

#if defined(RIDGE_GLIBC_MALLOC)
// Requests below the least threshold that malloc chooses by itself come from its heap, unless it was told
// otherwise. So many of them are made that what is free does not suffice; none is written.
void read_malloc(settings& all) {
  constexpr std::size_t below_the_threshold = std::size_t{96} << 10, most = 64;
  std::array<void*, most> blocks{};
  const auto before = mallinfo2();
  bool mapped = false, grown = false;
  for (std::size_t i = 0; i < most && !mapped && !grown; ++i) {
    blocks[i] = std::malloc(below_the_threshold);
    asm volatile("" : : "r"(blocks[i]) : "memory");
    const auto after = mallinfo2();
    mapped = after.hblks > before.hblks;
    grown = after.arena > before.arena;
  }
  for (void* block : blocks) std::free(block);
  all.emplace_back("a setting of malloc", mapped ? "small requests are mapped" : "");
}
#else
void read_malloc(settings&) {}
#endif

}  // namespace

settings read_process_settings() {
  settings all;
  read_locale(all);
  read_controls(all);
  read_kernel_state(all);
  read_language_state(all);
  read_malloc(all);
  return all;
}

std::size_t mapped_beside_the_heap() {
#if defined(RIDGE_GLIBC_MALLOC)
  const auto status = read_text("/proc/self/status").value_or("");
  const auto bytes = [&](std::string_view field) { return to_bytes(value_after(status, field)).value_or(0); };
  const auto heap = mallinfo2();
  const auto accounted = heap.arena + heap.hblkhd + bytes("VmStk") + bytes("VmLib") + bytes("VmExe");
  const auto whole = bytes("VmSize");
  return whole > accounted ? whole - accounted : 0;
#else
  return 0;
#endif
}

std::size_t bytes_of_heaps() {
#if defined(RIDGE_GLIBC_MALLOC)
  return mallinfo2().arena;
#else
  return 0;
#endif
}

}  // namespace ridge::host
