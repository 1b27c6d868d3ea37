// SPDX-License-Identifier: Apache-2.0
#include "trial/runner_process.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/host/child_process.hpp>

#include "exchange/layout.hpp"
#include "trial/start_process.hpp"

namespace ridge::judge {
namespace {

constexpr long look_every_ns = 10'000'000;
constexpr std::size_t longest_message = 200;
constexpr std::uint32_t first_request = 1;  // to enter the sandbox, which every runner begins with

void sleep_while_equal(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  const timespec longest{.tv_sec = 0, .tv_nsec = look_every_ns};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &longest, nullptr, 0);
}

// What CUDA finds its driver and the same GPU by.
constexpr std::array gpu_variables{"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"};

std::vector<std::string> variables_for(const assignment& given) {
  std::vector<std::string> all{"LC_ALL=C", fmt::format("OMP_NUM_THREADS={}", given.threads),
                               fmt::format("OPENBLAS_NUM_THREADS={}", given.threads)};
  if (given.on_gpu == 0) return all;
  all.emplace_back("CUDA_CACHE_DISABLE=1");
  for (const char* name : gpu_variables) {
    if (const char* value = std::getenv(name); value != nullptr)
      all.push_back(fmt::format("{}={}", name, value));
  }
  return all;
}

shared_memory assigned_memory(const assignment& given) {
  shared_memory made("ridge-assignment", sizeof(assignment), sharing::read_only);
  std::memcpy(made.bytes().data(), &given, sizeof(assignment));
  return made;
}

// What the process wrote, cut to printable characters: it may be anything.
std::string message_of(const control_page& page) {
  std::string text;
  for (const char c : page.message) {
    if (c == '\0' || text.size() == longest_message) break;
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text;
}

}  // namespace

runner_process::runner_process(const runner_start& start, const assignment& given)
    : limit_s_(start.limit_s),
      control_("ridge-control", sizeof(control_page), sharing::writable),
      assigned_(assigned_memory(given)) {
  new (control_.bytes().data()) control_page;
  page().request.store(first_request);
  id_ = start_process(
      start.command, variables_for(given),
      {control_.descriptor(), assigned_.descriptor(), start.inputs, start.outputs, start.candidate},
      sandbox_);
}

runner_process::~runner_process() { end(); }

runner_process::answer runner_process::start() {
  request_ = first_request;
  answer made;
  if (wait_for_answer(request_, made.failed)) made.failed = stop();
  for (std::size_t part = 0; part < sandbox_parts; ++part) {
    if (sandbox_.code[part] == sandbox_report::not_asked) sandbox_.code[part] = page().sandbox.code[part];
  }
  if (id_ >= 0) accounted_s_ = processor_s();
  return made;
}

runner_process::answer runner_process::ask(operation wanted, std::uint64_t first, std::uint64_t count) {
  answer made;
  if (id_ < 0) return {.failed = "has ended before"};
  const double before_s = processor_s();
  unaccounted_s_ += before_s - accounted_s_;
  auto& shared = page();
  shared.wanted = wanted, shared.first = first, shared.count = count, shared.failed = 0;
  shared.message[0] = '\0';
  const double begun = harness::monotonic_seconds();
  shared.request.store(++request_, std::memory_order_release);
  ::kill(id_, SIGCONT);
  const bool answered = wait_for_answer(request_, made.failed);
  if (answered) made.failed = stop();
  made.seconds = harness::monotonic_seconds() - begun;
  if (id_ < 0) return made;
  accounted_s_ = processor_s();
  made.processor_s = accounted_s_ - before_s;
  if (made.failed.empty() && shared.failed != 0) made.failed = message_of(shared);
  return made;
}

double runner_process::processor_s() const {
  clockid_t clock{};
  timespec used{};
  if (id_ < 0 || ::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
    return accounted_s_;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// Whether the runner says that the request is done; false where it ended or took too long, and `ended` says
// how.
bool runner_process::wait_for_answer(std::uint32_t request, std::string& ended) {
  const double deadline = harness::monotonic_seconds() + limit_s_;
  for (;;) {
    const auto seen = page().answered.load(std::memory_order_acquire);
    if (seen == request) return true;
    sleep_while_equal(page().answered, seen);
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0) {
      ended = how_it_ended();
      return false;
    }
    if (harness::monotonic_seconds() > deadline) {
      ended = fmt::format("did not answer within {:g} s", limit_s_);
      end();
      return false;
    }
  }
}

// Stops all of its threads and waits until they are stopped; the text says how it ended where it did.
std::string runner_process::stop() {
  ::kill(id_, SIGSTOP);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WSTOPPED | WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
  if (info.si_code == CLD_STOPPED) {
    while (::waitid(P_PID, static_cast<id_t>(id_), &info, WSTOPPED) != 0 && errno == EINTR) {
    }
    return {};
  }
  return how_it_ended();
}

std::string runner_process::how_it_ended() {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  auto said = message_of(page());
  id_ = -1;
  if (!said.empty() && info.si_code == CLD_EXITED && page().failed != 0) return said;
  if (info.si_code == CLD_EXITED) return text(host::child_outcome(host::child_exited{info.si_status}));
  const char* signal = ::sigabbrev_np(info.si_status);
  return text(host::child_outcome(host::child_signalled{
      info.si_status, signal != nullptr ? fmt::format("SIG{}", signal) : std::string("a signal")}));
}

void runner_process::end() {
  if (id_ < 0) return;
  ::kill(-id_, SIGKILL);
  ::kill(id_, SIGKILL);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  id_ = -1;
}

}  // namespace ridge::judge
