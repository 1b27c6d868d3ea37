// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/affinity.hpp>

#include "os/os_lists.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::peak_probe, probe::request;
using on_one_cpu = rows (*)(const request&);
using on_pairs = rows (*)(const request&, const std::vector<cpu_pair>&);

peak_probe alone(host_bench& bench, std::string id, std::string title, std::string means, depth depth,
                 on_one_cpu measure) {
  return {std::move(id), std::move(title), std::move(means), depth,
          [&bench, measure](const request& request) {
            const host::scoped_affinity here(bench.machine().one_cpu_per_core().front());
            return measure(request);
          }};
}

peak_probe paired(host_bench& bench, std::string id, std::string title, std::string means, on_pairs measure) {
  return {std::move(id), std::move(title), std::move(means), depth::quick,
          [&bench, measure](const request& request) {
            auto pairs = cpu_pairs(bench.machine());
            if (request.threads == 1) std::erase_if(pairs, [](const auto& pair) { return pair.apart(); });
            return measure(request, pairs);
          }};
}

}  // namespace

void add_os_probes(probe_list& list, host_bench& bench) {
  const auto add = [&](const char* id, const char* title, const char* means, depth depth,
                       on_one_cpu measure) {
    list.push_back(alone(bench, id, title, means, depth, measure));
  };
  add("os.syscall", "system call", "the least that anything asked of the kernel costs", depth::quick,
      probe_syscall);
  add("os.clock", "reading a clock", "what timing one piece of work adds to it", depth::quick, probe_clocks);
  list.push_back(paired(bench, "os.wake", "waking a thread",
                        "work shorter than this is not worth handing over to a thread that sleeps",
                        probe_wake));
  list.push_back(paired(bench, "os.switch", "switching between threads",
                        "what two threads pay each time one waits for the other", probe_switch));
  add("os.thread", "starting a thread", "a pool of threads saves this for each task", depth::quick,
      probe_thread);
  add("os.fault.page", "page fault", "what fresh memory costs before it is used", depth::quick, probe_fault);
  add("os.fault.huge", "page fault, huge", "the same for 2 MiB at once", depth::standard, probe_huge_fault);
  add("os.noise", "interruptions", "no code here keeps a deadline shorter than this", depth::quick,
      probe_noise);
  add("os.yield", "yield", "a turn of a loop that yields while it waits", depth::standard, probe_yield);
  add("os.signal", "signal", "what a profiler pays for each sample", depth::standard, probe_signal);
  add("os.mmap", "mapping memory", "what an allocator pays when it asks the kernel", depth::standard,
      probe_mmap);
  add("os.mprotect", "page rights", "what guards, barriers of collectors and JIT compilers pay",
      depth::standard, probe_mprotect);
  add("os.malloc", "allocation", "what not reusing a buffer costs", depth::standard, probe_malloc);
  add("os.fork", "fork", "what starting a worker process costs before it works", depth::standard, probe_fork);
  add("os.sleep", "sleeping", "how far a timer misses its time", depth::standard, probe_sleep);
  add("os.exec", "running a program", "what a script pays for each command", depth::deep, probe_exec);
}

}  // namespace ridge::backends::probe_host
