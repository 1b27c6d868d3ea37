// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include "sandbox/call_filter.hpp"
#include "sandbox/sandbox.hpp"

namespace ridge::judge {

void (*on_forbidden_call)(const char* call) = nullptr;

namespace {

constexpr int status_of_forbidden_call = 159;  // 128 + SIGSYS

// Calls that nothing which only computes makes: they end the process.
constexpr std::array trapped_calls{
#ifdef SYS_fork
    std::pair<long, const char*>{SYS_fork, "fork"},
    std::pair<long, const char*>{SYS_vfork, "vfork"},
#endif
    std::pair<long, const char*>{SYS_execve, "execve"},
    std::pair<long, const char*>{SYS_execveat, "execveat"},
    std::pair<long, const char*>{SYS_ptrace, "ptrace"},
    std::pair<long, const char*>{SYS_process_vm_readv, "process_vm_readv"},
    std::pair<long, const char*>{SYS_process_vm_writev, "process_vm_writev"},
    std::pair<long, const char*>{SYS_pidfd_open, "pidfd_open"},
    std::pair<long, const char*>{SYS_bpf, "bpf"},
    std::pair<long, const char*>{SYS_userfaultfd, "userfaultfd"},
    std::pair<long, const char*>{SYS_mount, "mount"},
    std::pair<long, const char*>{SYS_unshare, "unshare"},
    std::pair<long, const char*>{SYS_setns, "setns"},
};

constexpr std::array allowed_calls{
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_lseek,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_faccessat,
    SYS_sched_yield,
    SYS_mincore,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_exit,
    SYS_exit_group,
    SYS_uname,
    SYS_getcwd,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_times,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_futex,
    SYS_sched_getaffinity,
    SYS_set_tid_address,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_getrandom,
    SYS_membarrier,
    SYS_getcpu,
    SYS_statfs,
    SYS_fstatfs,
    SYS_mlock,
    SYS_munlock,
    SYS_restart_syscall,
    SYS_get_mempolicy,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_open  // the older calls of x86-64
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getrlimit,
    SYS_time,
    SYS_arch_prctl,
    SYS_poll,
#endif
};

// What the driver of a GPU and its threads call besides. What they open for reading and writing are nodes of
// the driver alone, which Landlock sees to, and no file may have a size.
constexpr std::array calls_of_gpus{
    SYS_ioctl,
    SYS_ppoll,
    SYS_eventfd2,
    SYS_pipe2,
    SYS_dup,
    SYS_dup3,
    SYS_mbind,
    SYS_set_mempolicy,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_getpgid,
    SYS_memfd_create,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_msync,
#ifdef SYS_open
    SYS_pipe,
    SYS_dup2,
    SYS_epoll_wait,
#endif
};

const char* name_of_call(int number) {
  for (const auto& [call, text] : trapped_calls) {
    if (call == number) return text;
  }
  return number == SYS_clone ? "clone" : "forbidden";
}

void end_after_forbidden_call(int, siginfo_t* info, void*) {
  if (on_forbidden_call != nullptr) on_forbidden_call(name_of_call(info->si_syscall));
  ::syscall(SYS_exit_group, status_of_forbidden_call);
}

void handle_forbidden_calls() {
  struct sigaction action {};
  action.sa_sigaction = end_after_forbidden_call;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSYS, &action, nullptr);
}

// Reading alone: whatever opens a file to write it fails.
void filter_opening(call_filter& filter, bool gpu) {
  constexpr std::uint32_t changing = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
  const std::uint32_t writing = gpu ? changing : changing | O_RDWR;
#ifdef SYS_open
  filter.allow_without_bits(SYS_open, 1, writing, EACCES);
#endif
  filter.allow_without_bits(SYS_openat, 2, writing, EACCES);
#ifdef SYS_openat2
  filter.fail(SYS_openat2, ENOSYS);  // its flags lie in memory, which no filter sees
#endif
}

// Advice that stays inside this process: pages that others map are not taken from them.
void filter_advice(call_filter& filter) {
  filter.allow_values(
      SYS_madvise, 2,
      {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_DONTFORK,
       MADV_DOFORK, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP},
      EPERM);
}

void filter_threads(call_filter& filter, const sandbox_rules& rules) {
  // Its flags lie in memory: the C library then makes the older call.
#ifdef SYS_clone3
  filter.fail(SYS_clone3, ENOSYS);
#endif
  filter.trap_without_bits(SYS_clone, 0, CLONE_THREAD | CLONE_VM, rules.threads || rules.gpu ? 0 : EAGAIN);
  if (rules.threads) filter.allow(SYS_sched_setaffinity);
}

void filter_arguments(call_filter& filter, bool gpu) {
  filter.allow_values(SYS_prctl, 0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, 0x53564d41 /* PR_SET_VMA */},
                      EPERM);
  std::vector<std::uint32_t> commands{F_GETFD, F_SETFD, F_GETFL};
  if (gpu) commands.insert(commands.end(), {F_SETFL, F_DUPFD_CLOEXEC});
  filter.allow_values(SYS_fcntl, 1, commands, EPERM);
  filter.allow_null(SYS_prlimit64, 2, EPERM);                                           // reads a limit
  filter.allow_values(SYS_tgkill, 0, {static_cast<std::uint32_t>(::getpid())}, EPERM);  // raise, abort
}

}  // namespace

int restrict_system_calls(const sandbox_rules& rules) {
  handle_forbidden_calls();
  call_filter filter;
  for (const auto call : allowed_calls) filter.allow(call);
  if (rules.gpu) {
    for (const auto call : calls_of_gpus) filter.allow(call);
  }
  filter_opening(filter, rules.gpu);
  filter_advice(filter);
  filter_threads(filter, rules);
  filter_arguments(filter, rules.gpu);
  for (const auto& [call, text] : trapped_calls) filter.trap(call);
  auto program = filter.finish(EPERM);
  const sock_fprog loaded{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  // Every thread, since those of a driver began before. A positive answer is a thread that has another
  // filter.
  const unsigned flags = rules.gpu ? SECCOMP_FILTER_FLAG_TSYNC : 0;
  const auto answer = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &loaded);
  if (answer == 0) return 0;
  return answer > 0 ? EBUSY : errno;
}

}  // namespace ridge::judge
