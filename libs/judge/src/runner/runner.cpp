// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/runner.hpp>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
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

// What a runner has when it is in its sandbox: its memory, and where the candidate can be read.
struct entered {
  std::unique_ptr<device::device> gpu{};  // null where the variants run on the processor
  runner_memory memory{};
  std::string path{};
};

sandbox_rules rules_for(const assignment& given) {
  return {.threads = given.threads > 1,
          .gpu = given.on_gpu != 0,
          .memory_bytes = given.memory_limit,
          .processor_seconds = given.processor_seconds,
          .copied_file = given.kind == arm_kind::candidate ? descriptor::candidate : -1,
          .copied_path = text_of(given.path)};
}

entered enter_with_pages(const assignment& given, control_page& page) {
  entered made;
  made.memory = {.inputs = {map_descriptor(descriptor::inputs, given.input_bytes, sharing::read_only),
                            given.input_bytes},
                 .outputs = {map_descriptor(descriptor::outputs, given.output_bytes, sharing::writable),
                             given.output_bytes}};
  made.path = enter_sandbox(rules_for(given), page.sandbox);
  return made;
}

// The GPU is opened when files, namespaces and capabilities are gone, so that no thread of its driver has
// more of them than the candidate.
entered enter_with_gpu(const assignment& given, control_page& page, const gpu_opener& open_gpu) {
  entered made;
  const auto rules = rules_for(given);
  made.path = enter_without_filter(rules, page.sandbox);
  made.gpu = open_gpu();
  made.memory = {.inputs = made.gpu->map_shared(descriptor::inputs, given.input_bytes, true),
                 .outputs = made.gpu->map_shared(descriptor::outputs, given.output_bytes, false),
                 .gpu = made.gpu.get()};
  made.gpu->synchronize();
  close_sandbox(rules, 0, page.sandbox);
  return made;
}

class request_loop final {
 public:
  request_loop(control_page& page, const assignment& given, const std::optional<experiment>& entry,
               entered here)
      : page_(page),
        here_(std::move(here)),
        problems_(given, here_.memory.inputs, here_.memory.outputs),
        arm_(entry ? make_variant(given, *entry, here_.memory, problems_)
                   : make_candidate(problems_, here_.gpu != nullptr)) {}

  // Answers requests until the process ends.
  int serve() {
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
          arm_->load(here_.path);
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
    if (here_.gpu) return enqueue_members();
    const auto* problem = problems_.problems().data() + page_.first;
    for (auto left = page_.count; left != 0; --left, ++problem) {
      if (const int status = body_.function(problem, body_.state); status != 0) {
        say(page_, fmt::format("ridge_candidate returned {}", status));
        return;
      }
    }
  }

  // Enqueues the calls, and waits until the GPU has done all work of this process. A sample of no calls is an
  // empty kernel, so that it takes what it takes to hand over the GPU, too.
  void enqueue_members() {
    const auto queue = here_.gpu->queue();
    const auto* problem = problems_.problems().data() + page_.first;
    if (page_.count == 0) here_.gpu->enqueue_empty_kernel();
    for (auto left = page_.count; left != 0; --left, ++problem) {
      if (const int status = body_.enqueue(problem, queue, body_.state); status != 0) {
        say(page_, fmt::format("ridge_cuda_candidate returned {}", status));
        return;
      }
    }
    static_cast<void>(here_.gpu->wait_for_other_work());
  }

  control_page& page_;
  entered here_;
  problem_table problems_;
  std::unique_ptr<arm> arm_;
  arm::body body_{};
};

}  // namespace

int run_as_runner(const experiment_finder& find, const gpu_opener& open_gpu) {
  if (::fcntl(descriptor::control, F_GETFD) < 0 || ::fcntl(descriptor::assigned, F_GETFD) < 0)
    return not_started_by_a_judge;
  auto* page = reinterpret_cast<control_page*>(
      map_descriptor(descriptor::control, sizeof(control_page), sharing::writable));
  const auto* given = reinterpret_cast<const assignment*>(
      map_descriptor(descriptor::assigned, sizeof(assignment), sharing::read_only));
  try {
    std::optional<experiment> entry;  // found while files can be read
    if (given->kind == arm_kind::variant) entry = find(text_of(given->experiment));
    page_of_process = page;
    on_forbidden_call = tell_forbidden_call;
    auto here =
        given->on_gpu != 0 ? enter_with_gpu(*given, *page, open_gpu) : enter_with_pages(*given, *page);
    close_descriptors();
    return request_loop(*page, *given, entry, std::move(here)).serve();
  } catch (const std::exception& thrown) {
    say(*page, thrown.what());
    return 1;
  }
}

}  // namespace ridge::judge
