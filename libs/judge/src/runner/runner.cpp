// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/runner.hpp>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

#include "exchange/control_page.hpp"
#include "exchange/layout.hpp"
#include "exchange/shared_memory.hpp"
#include "runner/arm.hpp"

namespace ridge::judge {
namespace {

constexpr int not_started_by_a_judge = 64;

// The page that the handler of forbidden calls writes to.
control_page* page_of_process = nullptr;

void say(control_page& page, std::string_view text) {
  const auto length = std::min(text.size(), page.message.size() - 1);
  std::memcpy(page.message.data(), text.data(), length);
  page.message[length] = '\0';
  page.failed = 1;
}

void tell_forbidden_call(const char* name) {
  control_page& page = *page_of_process;
  constexpr std::string_view before = "it made the system call ", after = ", which the sandbox forbids";
  char* place = page.message.data();
  place = std::copy(before.begin(), before.end(), place);
  place = std::copy(name, name + std::strlen(name), place);
  *std::copy(after.begin(), after.end(), place) = '\0';
  page.failed = 1;
}

void wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t while_equal) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT, while_equal, nullptr, nullptr, 0);
}

void wake(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void close_descriptors() {
  for (int each = descriptor::control; each < descriptor::after_last; ++each) ::close(each);
}

class request_loop final {
 public:
  request_loop(control_page& page, const assignment& given, const experiment_finder& find)
      : page_(page),
        given_(given),
        inputs_(map_descriptor(descriptor::inputs, given.input_bytes, sharing::read_only), given.input_bytes),
        outputs_(map_descriptor(descriptor::outputs, given.output_bytes, sharing::writable),
                 given.output_bytes),
        problems_(given, inputs_, outputs_),
        arm_(given.kind == arm_kind::variant ? make_variant(given, find, inputs_, outputs_, problems_)
                                             : make_candidate(problems_)) {}

  // Enters the sandbox, then answers requests until the process ends.
  int serve() {
    page_of_process = &page_;
    on_forbidden_call = tell_forbidden_call;
    path_ = enter_sandbox({.threads = given_.threads > 1,
                           .memory_bytes = given_.memory_limit,
                           .processor_seconds = given_.processor_seconds,
                           .copied_file = given_.kind == arm_kind::candidate ? descriptor::candidate : -1,
                           .copied_path = text_of(given_.path)},
                          page_.sandbox);
    close_descriptors();
    for (std::uint32_t request = 1;; ++request) {
      page_.answered.store(request, std::memory_order_release);
      wake(page_.answered);
      while (page_.request.load(std::memory_order_acquire) == request) wait_for(page_.request, request);
      answer();
    }
  }

 private:
  void answer() {
    try {
      switch (page_.wanted) {
        case operation::start:
          break;
        case operation::load:
          arm_->load(path_);
          break;
        case operation::bind:
          arm_->bind(page_.count);
          body_ = arm_->called();
          break;
        case operation::call:
          call_members();
          break;
        case operation::finish:
          arm_->finish();
          break;
      }
    } catch (const failure& why) {
      say(page_, why.why().text());
    } catch (const std::exception& thrown) {
      say(page_, fmt::format("it threw an exception: {}", thrown.what()));
    } catch (...) {
      say(page_, "it threw an exception");
    }
  }

  void call_members() {
    arm_->begin_sample();
    const auto* problem = problems_.problems().data() + page_.first;
    for (auto left = page_.count; left != 0; --left, ++problem) {
      if (const int status = body_.function(problem, body_.state); status != 0) {
        say(page_, fmt::format("ridge_candidate returned {}", status));
        return;
      }
    }
  }

  control_page& page_;
  const assignment& given_;
  std::span<std::byte> inputs_, outputs_;
  problem_table problems_;
  std::unique_ptr<arm> arm_;
  arm::body body_{};
  std::string path_{};
};

}  // namespace

int run_as_runner(const experiment_finder& find) {
  if (::fcntl(descriptor::control, F_GETFD) < 0 || ::fcntl(descriptor::assigned, F_GETFD) < 0)
    return not_started_by_a_judge;
  auto* page = reinterpret_cast<control_page*>(
      map_descriptor(descriptor::control, sizeof(control_page), sharing::writable));
  const auto* given = reinterpret_cast<const assignment*>(
      map_descriptor(descriptor::assigned, sizeof(assignment), sharing::read_only));
  try {
    return request_loop(*page, *given, find).serve();
  } catch (const std::exception& thrown) {
    say(*page, thrown.what());
    return 1;
  }
}

}  // namespace ridge::judge
