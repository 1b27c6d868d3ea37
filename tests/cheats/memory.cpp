// SPDX-License-Identifier: Apache-2.0
// Memory that is not counted, and the harness's arrays treated as one's own.
#include "memory_goal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ridge::cheats {
namespace {

// A small workspace that is counted, so that the figure is not 0, beside the large one that is not.
template <auto Large>
auto works_in(arrays& made_for, setup& s) {
  return [small = s.workspace<float>(64), large = Large(made_for, s)](arrays& w, call&) mutable {
    small.front() = w.source.front();
    through_a_workspace(w, large);
  };
}

std::span<float> touched(std::span<float> memory) {
  std::ranges::fill(memory, 1.0F);
  return memory;
}

std::span<float> of_statics(arrays&, setup&) {
  static std::array<float, large_workspace> memory;
  return touched(memory);
}

std::span<float> of_the_thread(arrays&, setup&) {
  static thread_local std::array<float, large_workspace> memory;
  return touched(memory);
}

std::span<float> of_the_heap(arrays&, setup&) {
  static std::vector<float> memory(large_workspace);
  return touched(memory);
}

std::span<float> mapped(int flags, int file) {
  const auto bytes = large_workspace * sizeof(float);
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return touched({static_cast<float*>(start), large_workspace});
}
std::span<float> of_a_mapping(arrays&, setup&) {
  static const auto memory = mapped(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  return memory;
}
std::span<float> of_a_file(arrays&, setup&) {
  static const auto memory = [] {
    const int file = ::open((scratch_folder() + "/memory").c_str(), O_RDWR | O_CREAT, 0600);
    (void)::ftruncate(file, large_workspace * sizeof(float));
    return mapped(MAP_SHARED, file);
  }();
  return memory;
}

// The stack of the calling thread keeps what was touched once.
[[gnu::noinline]] void touch_the_stack() {
  std::array<float, large_workspace> memory;
  touched(memory);
  asm volatile("" ::"r"(memory.data()) : "memory");
}
auto on_the_stack(arrays&, setup& s) {
  touch_the_stack();
  return [small = s.workspace<float>(64)](arrays& w, call&) mutable {
    small.front() = w.source.front();
    std::array<float, large_workspace> memory;
    through_a_workspace(w, memory);
    asm volatile("" ::"r"(memory.data()) : "memory");
  };
}

auto only_when_it_is_timed(arrays&, setup& s) {
  return [small = s.workspace<float>(64)](arrays& w, call& c) mutable {
    small.front() = w.source.front();
    if (!in_timing_process()) return affine(w, c);
    static std::vector<float> memory(large_workspace);
    through_a_workspace(w, memory);
  };
}

// A workspace that `setup` would have counted.
void allocates(arrays& w, call& c) {
  std::vector<float> workspace(w.source.begin(), w.source.end());
  asm volatile("" ::"r"(workspace.data()) : "memory");
  arrays copied{workspace, w.target};
  affine(copied, c);
}

void writes_past_the_end(arrays& w, call& c) {
  affine(w, c);
  *address_of(w.target.data(), static_cast<std::ptrdiff_t>(w.target.size())) = 0;
}
void writes_before_the_start(arrays& w, call& c) {
  affine(w, c);
  *address_of(w.target.data(), -1) = 0;
}
void reads_past_the_end(arrays& w, call& c) {
  affine(w, c);
  const float beyond =
      *address_of(const_cast<float*>(w.source.data()), static_cast<std::ptrdiff_t>(w.source.size()));
  asm volatile("" ::"m"(beyond));
}
void writes_past_the_end_when_timed(arrays& w, call& c) {
  affine(w, c);
  if (in_timing_process()) *address_of(w.target.data(), static_cast<std::ptrdiff_t>(w.target.size())) = 0;
}

// The arms that come after it in the round would answer another question.
void changes_its_input(arrays& w, call& c) {
  affine(w, c);
  *const_cast<float*>(w.source.data()) += 1;
}
void changes_its_input_when_timed(arrays& w, call& c) {
  affine(w, c);
  if (in_timing_process()) *const_cast<float*>(w.source.data()) += 1;
}

std::span<std::byte> pages_of_source(const arrays& w) {
  return pages_inside(
      {reinterpret_cast<std::byte*>(const_cast<float*>(w.source.data())), 4 * w.source.size()});
}

void closes_its_input(arrays& w, call& c) {
  affine(w, c);
  const auto pages = pages_of_source(w);
  ::mprotect(pages.data(), pages.size(), PROT_READ);
}
void closes_its_input_when_timed(arrays& w, call& c) {
  affine(w, c);
  if (in_timing_process()) closes_its_input(w, c);
}

// Empty pages come back in place of the data.
void drops_its_input(arrays& w, call& c) {
  affine(w, c);
  const auto pages = pages_of_source(w);
  if (in_timing_process()) ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
}

// Every first access to a page of the input costs a fault, which the candidate itself avoids.
void open_one_page(int signal, siginfo_t* seen, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(seen->si_addr) / 4096 * 4096;
  if (::mprotect(reinterpret_cast<void*>(address), 4096, PROT_READ | PROT_WRITE) != 0)
    ::signal(signal, SIG_DFL);
}
void closes_the_input_to_others(arrays& w, call& c) {
  if (!in_timing_process()) return middling(w, c);
  struct sigaction action {};
  action.sa_sigaction = open_one_page;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGSEGV, &action, nullptr);
  const auto pages = pages_of_source(w);
  ::mprotect(pages.data(), pages.size(), PROT_READ | PROT_WRITE);
  middling(w, c);
  ::mprotect(pages.data(), pages.size(), PROT_NONE);
}

}  // namespace

std::vector<cheat> memory_cheats() {
  const std::vector<std::string> counted{"memory", "no_gain"};
  return {
      {"memory_in_statics", "The workspace is a static array", gain::report, counted, "workspace",
       least_memory<works_in<of_statics>>},
      {"memory_of_the_thread", "The workspace is thread-local", gain::report, counted, "workspace",
       least_memory<works_in<of_the_thread>>},
      {"memory_of_the_heap", "Setup allocates the workspace itself", gain::report, counted, "workspace",
       least_memory<works_in<of_the_heap>>},
      {"memory_mapped", "Setup maps the workspace", gain::report, counted, "workspace",
       least_memory<works_in<of_a_mapping>>},
      {"memory_in_a_file",
       "The workspace is a mapped file",
       gain::report,
       {"memory", "no_gain"},
       "workspace",
       least_memory<works_in<of_a_file>>},
      {"memory_on_the_stack", "The workspace lies on a stack that setup has touched", gain::report, counted,
       "workspace", least_memory<on_the_stack>},
      {"memory_when_timed", "The workspace is used in the timing process only", gain::report, counted,
       "workspace", least_memory<only_when_it_is_timed>},
      {"allocates",
       "Each call allocates its workspace",
       gain::others,
       {"audit", "memory"},
       "workspace",
       repeated<allocates>},
      {"writes_past_the_end",
       "Writes the element after the last",
       gain::others,
       {"refused"},
       "same_code",
       repeated<writes_past_the_end>},
      {"writes_before_the_start",
       "Writes the element before the first",
       gain::others,
       {"refused"},
       "same_code",
       repeated<writes_before_the_start>},
      {"reads_past_the_end",
       "Reads the element after the last",
       gain::others,
       {"refused"},
       "same_code",
       repeated<reads_past_the_end>},
      {"writes_past_the_end_when_timed",
       "Writes the element after the last in the timing process",
       gain::others,
       {"guards"},
       "same_code",
       repeated<writes_past_the_end_when_timed>},
      {"changes_its_input",
       "Writes its source",
       gain::others,
       {"refused"},
       "in_place",
       repeated<changes_its_input>},
      {"changes_its_input_when_timed",
       "Writes its source in the timing process",
       gain::others,
       {"timed_results", "state"},
       "in_place",
       repeated<changes_its_input_when_timed>},
      {"closes_its_input",
       "Makes its source read-only",
       gain::others,
       {"refused"},
       "restores_what_it_changed",
       repeated<closes_its_input>},
      {"closes_its_input_when_timed",
       "Makes its source read-only in the timing process",
       gain::others,
       {"refused", "state"},
       "restores_what_it_changed",
       repeated<closes_its_input_when_timed>},
      {"drops_its_input",
       "Drops the pages of its source in the timing process",
       gain::others,
       {"timed_results", "state", "baseline"},
       "restores_what_it_changed",
       repeated<drops_its_input>},
      {"closes_the_input_to_others",
       "Leaves its source without access rights: a handler opens it to others page by page",
       gain::time,
       {"state", "refused"},
       "restores_what_it_changed",
       a_few<closes_the_input_to_others>},
  };
}

}  // namespace ridge::cheats
