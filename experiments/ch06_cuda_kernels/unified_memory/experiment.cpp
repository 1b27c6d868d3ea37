// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstddef>
#include <span>
#include <system_error>

#include <sys/mman.h>

#include <ridge/harness/experiment.hpp>

#include "unified_memory.hpp"

namespace ridge::experiments::ch06_unified_memory {
namespace {

// Memory fresh from the operating system, given back with the object.
class mapping {
 public:
  // Maps `bytes` with the flags of mmap. Throws std::system_error where there is not enough.
  mapping(std::size_t bytes, int flags) : bytes_(bytes) {
    if (bytes == 0) return;
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (memory_ == MAP_FAILED)
      throw std::system_error(errno, std::generic_category(), "mmap of scratch memory");
  }
  ~mapping() {
    if (bytes_ != 0) munmap(memory_, bytes_);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  [[nodiscard]] std::span<float> floats() const {
    return {static_cast<float*>(memory_), bytes_ / sizeof(float)};
  }
  // Advises on all of it, as madvise does; it is no error where a kernel does not know the advice.
  void advise(int advice) const {
    if (bytes_ != 0) madvise(memory_, bytes_, advice);
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

// Doubles the source into scratch memory, which is then copied to the target.
void double_through(std::span<float> scratch, workload& w) {
  for (std::size_t i = 0; i < scratch.size(); ++i) scratch[i] = w.source[i] + w.source[i];
  for (std::size_t i = 0; i < scratch.size(); ++i) w.target[i] = scratch[i];
}

void faulted_in(workload& w, call&) {
  const mapping scratch(w.source.size_bytes(), 0);
  scratch.advise(MADV_NOHUGEPAGE);
  double_through(scratch.floats(), w);
}

void populated(workload& w, call&) {
  const mapping scratch(w.source.size_bytes(), MAP_POPULATE);
  double_through(scratch.floats(), w);
}

void huge_pages(workload& w, call&) {
  const mapping scratch(w.source.size_bytes(), 0);
  scratch.advise(MADV_HUGEPAGE);
  double_through(scratch.floats(), w);
}

auto kept(const workload& shape, setup& s) {
  return
      [scratch = s.workspace<float>(shape.source.size())](workload& w, call&) { double_through(scratch, w); };
}

ladder<workload> cpu() {
  return {
      {.name = "faulted_in",
       .is = role::baseline,
       .idea = "new memory in each call: a fault for every page of 4 KiB at its first touch",
       .run = faulted_in},
      {.name = "populated", .idea = "MAP_POPULATE: the kernel fills in all pages at once", .run = populated},
      {.name = "huge_pages", .idea = "MADV_HUGEPAGE: a fault for every 2 MiB", .run = huge_pages},
      {.name = "kept", .idea = "one buffer for all calls: its pages are there", .run = kept},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.unified_memory",
      .title = "Pages that come when they are touched",
      .question = "What do page faults cost managed memory?",
      .answers = {"unified_memory.cu", "K6.3", "K6.6"},
      .tags = {"memory", "page-faults", "transfer"},
      // More than 64 MiB of managed memory are refused: a GPU that runs out of room for it may hang.
      .axes = {between(
          on_cuda(values("elements", {1 << 22, 1 << 18}, {0, 1, 1023, 1025, 100003}), {1 << 24, 1 << 20}), 0,
          1 << 24)},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n)).with_flop(p.real("elements"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = w.source[i] + w.source[i];
          },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_unified_memory
