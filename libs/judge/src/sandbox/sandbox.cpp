// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.hpp"

#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <utility>

namespace ridge::judge {
namespace {

constexpr std::uint64_t most_descriptors = 64, most_descriptors_with_gpu = 1024;

int limit(int resource, std::uint64_t most) {
  const rlimit wanted{.rlim_cur = most, .rlim_max = most};
  return ::setrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &wanted) == 0 ? 0 : errno;
}

int without(int flag) { return ::unshare(flag) == 0 ? 0 : errno; }

// Bytes of address space and of data in use, from figures of statm; 0 where they cannot be read.
struct used_memory {
  std::uint64_t mapped = 0, data = 0;
};
used_memory memory_in_use() {
  std::uint64_t mapped = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  std::ifstream("/proc/self/statm") >> mapped >> resident >> shared >> text >> libraries >> data;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {mapped * page, data * page};
}

// A driver of GPUs reserves address space by the terabyte: only what a process may write counts.
int limit_memory(const sandbox_rules& rules, std::uint64_t address_space) {
  if (address_space > 0) return limit(RLIMIT_AS, address_space);
  const auto used = memory_in_use().data;
  return used == 0 ? ENOENT : limit(RLIMIT_DATA, used + rules.memory_bytes);
}

}  // namespace

std::string_view name(sandbox_part part) {
  constexpr std::array<std::string_view, sandbox_parts> names{
      "user namespace",    "pid namespace", "mount namespace", "network namespace",
      "ipc namespace",     "uts namespace", "limits",          "capabilities",
      "no new privileges", "landlock",      "system calls"};
  return names[static_cast<std::size_t>(part)];
}

int restrict_resources(const sandbox_rules& rules, std::uint64_t address_space) {
  int refused = limit_memory(rules, address_space);
  for (const auto& [resource, most] :
       {std::pair{static_cast<int>(RLIMIT_CPU), rules.processor_seconds},
        {static_cast<int>(RLIMIT_FSIZE), 0},
        {static_cast<int>(RLIMIT_CORE), 0},
        {static_cast<int>(RLIMIT_NOFILE), rules.gpu ? most_descriptors_with_gpu : most_descriptors},
        {static_cast<int>(RLIMIT_MSGQUEUE), 0}}) {
    if (const int code = limit(resource, most); code != 0) refused = code;
  }
  return refused;
}

int drop_capabilities() {
  for (int each = 0; each < 64; ++each) ::prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> none{};
  return ::syscall(SYS_capset, &header, none.data()) == 0 ? 0 : errno;
}

std::string enter_without_filter(const sandbox_rules& rules, sandbox_report& report) {
  using part = sandbox_part;
  report[part::network_namespace] = without(CLONE_NEWNET);
  report[part::ipc_namespace] = without(CLONE_NEWIPC);
  report[part::uts_namespace] = without(CLONE_NEWUTS);
  auto path = rules.copied_path;
  report[part::mount_namespace] = without(CLONE_NEWNS);
  if (report[part::mount_namespace] == 0)
    report[part::mount_namespace] = hide_shared_folders(rules.copied_file, !rules.gpu, path);
  report[part::capabilities] = drop_capabilities();
  report[part::no_new_privileges] = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
  report[part::landlock] = restrict_files(path, {}, rules.gpu);
  return path;
}

void close_sandbox(const sandbox_rules& rules, std::uint64_t address_space, sandbox_report& report) {
  report[sandbox_part::limits] = restrict_resources(rules, address_space);
  report[sandbox_part::system_calls] = restrict_system_calls(rules);
}

std::string enter_sandbox(const sandbox_rules& rules, sandbox_report& report) {
  const auto room = rules.memory_bytes + memory_in_use().mapped;  // read before /proc is hidden
  auto path = enter_without_filter(rules, report);
  close_sandbox(rules, room, report);
  return path;
}

}  // namespace ridge::judge
