// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::judge {

// The parts of a sandbox, in the order in which they are asked for.
enum class sandbox_part : std::uint32_t {
  user_namespace,
  pid_namespace,
  mount_namespace,
  network_namespace,
  ipc_namespace,
  uts_namespace,
  limits,
  capabilities,
  no_new_privileges,
  landlock,
  system_calls
};
inline constexpr std::size_t sandbox_parts = 11;

// Returns the part in words: "pid namespace".
[[nodiscard]] std::string_view name(sandbox_part part);

// What the kernel granted, as plain data: 0 for a part that is in force, else the errno of the refusal.
struct sandbox_report {
  static constexpr std::int32_t not_asked = -1;
  sandbox_report() { code.fill(not_asked); }
  std::array<std::int32_t, sandbox_parts> code;

  // The code of one part.
  [[nodiscard]] std::int32_t& operator[](sandbox_part part) { return code[static_cast<std::size_t>(part)]; }
  [[nodiscard]] std::int32_t operator[](sandbox_part part) const {
    return code[static_cast<std::size_t>(part)];
  }
};

// What a process in a sandbox may still do.
struct sandbox_rules {
  bool threads = false;            // start threads, and place them
  bool gpu = false;                // use the GPU's driver, which needs files, calls and threads of its own
  std::uint64_t memory_bytes = 0;  // besides what is in use: of address space, or of data with a GPU
  std::uint64_t processor_seconds = 60;  // processor time, after which the kernel ends it
  int copied_file = -1;                  // descriptor of a file that stays readable; -1: none
  std::string copied_path{};             // where that file lies outside
};

// Puts this process, which has one thread, into the sandbox: every part that the kernel grants. The user and
// pid namespaces are those that it was started in. `report` receives what was granted of the other parts.
// Returns the path under which the copied file can be read from now on.
[[nodiscard]] std::string enter_sandbox(const sandbox_rules& rules, sandbox_report& report);

// The same in two steps, for a process that opens a GPU between them: the driver's threads then begin inside
// what the first step leaves, and the second one binds all of them.
// Namespaces, files, capabilities; returns the path as enter_sandbox does.
[[nodiscard]] std::string enter_without_filter(const sandbox_rules& rules, sandbox_report& report);
// Limits and the filter of system calls, for every thread. `address_space` is what it may map in all; 0: for
// data, what it has now and rules.memory_bytes.
void close_sandbox(const sandbox_rules& rules, std::uint64_t address_space, sandbox_report& report);

// The parts of it, in files of their own. Each returns 0 or the errno of the refusal.
// Covers the folders in which processes find each other's files by empty ones, after copying what the
// descriptor `copied` reads (-1: nothing) to a place whose path `path` receives.
// `processes`: whether /proc is covered, too; else it shows the processes of this namespace alone.
[[nodiscard]] int hide_shared_folders(int copied, bool processes, std::string& path);
// Reading and executing below the system's folders and of what `readable` names, and everything below
// `writable`; `gpu`: the nodes of NVIDIA's driver, too; nothing else. Empty paths name nothing.
[[nodiscard]] int restrict_files(const std::string& readable, const std::string& writable = {},
                                 bool gpu = false);
// The filter of system calls. What it traps is told to on_forbidden_call by a signal handler, which then ends
// the process.
[[nodiscard]] int restrict_system_calls(const sandbox_rules& rules);
// Limits of address space (0: of data), processor time, files, descriptors and core files.
[[nodiscard]] int restrict_resources(const sandbox_rules& rules, std::uint64_t address_space);
// Gives up every capability.
[[nodiscard]] int drop_capabilities();

// Called by the handler of a trapped system call, before it ends the process, with the name of the call;
// async-signal-safe. Null: nobody.
extern void (*on_forbidden_call)(const char* call);

}  // namespace ridge::judge
