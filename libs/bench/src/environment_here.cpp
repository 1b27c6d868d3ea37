// SPDX-License-Identifier: Apache-2.0
#include "environment_here.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <string_view>

#include <fmt/format.h>

#include <ridge/host/text_file.hpp>

#ifndef RIDGE_VERSION
#define RIDGE_VERSION "unknown"
#endif

namespace ridge::bench {
namespace {

int allowed_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

constexpr std::string_view compiler_name =
#if defined(__clang__)
    "Clang " __VERSION__;
#else
    "GCC " __VERSION__;
#endif

}  // namespace

model::environment environment_here() {
  model::environment made;
  utsname system{};
  if (uname(&system) == 0) {
    made.host = system.nodename;
    made.kernel = fmt::format("{} {}", system.sysname, system.release);
  }
  const auto cpus = host::read_text("/proc/cpuinfo").value_or("");
  made.cpu = std::string(host::value_after(cpus, "model name"));
  made.cores = allowed_cpus();
  made.machine = fmt::format("cpu-x{}", made.cores);
  made.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  made.compiler = compiler_name;
  made.build = "ridge " RIDGE_VERSION;
  return made;
}

}  // namespace ridge::bench
