// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <cstdint>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

#include "runner/arm.hpp"

namespace ridge::judge {
namespace {

class loaded_candidate final : public arm {
 public:
  loaded_candidate(const problem_table& problems, bool on_gpu) : problems_(problems), on_gpu_(on_gpu) {}

  void load(const std::string& path) override {
    handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr)
      throw failure({fmt::format("it cannot be loaded: {}", ::dlerror()),
                     "link it as a shared object that needs nothing but the system's libraries"});
    check_version();
    find_function();
    teardown_ = function<void(void*)>("ridge_candidate_teardown");
    if (auto* setup = function<int(const ridge_problem*, void**)>("ridge_candidate_setup");
        setup != nullptr) {
      if (const int code = setup(problems_.problems().data(), &state_); code != 0)
        throw failure({fmt::format("ridge_candidate_setup returned {}", code), ""});
    }
  }

  [[nodiscard]] body called() override { return {call_, enqueue_, state_}; }

  void finish() override {
    if (teardown_ != nullptr) teardown_(state_);
  }

 private:
  template <class F>
  F* function(const char* name) {
    return reinterpret_cast<F*>(::dlsym(handle_, name));
  }

  void find_function() {
    if (on_gpu_) {
      enqueue_ = function<int(const ridge_problem*, void*, void*)>("ridge_cuda_candidate");
    } else {
      call_ = function<int(const ridge_problem*, void*)>("ridge_candidate");
    }
    if (call_ == nullptr && enqueue_ == nullptr)
      throw failure({fmt::format("it exports no function ridge_{}candidate", on_gpu_ ? "cuda_" : ""),
                     "define it as <ridge/judge/candidate.h> declares it, in C or as extern \"C\""});
  }

  void check_version() {
    auto* version = function<std::uint32_t()>("ridge_candidate_abi");
    if (version == nullptr)
      throw failure({"it exports no function ridge_candidate_abi", "include <ridge/judge/candidate.h>"});
    if (const auto built_for = version(); built_for != RIDGE_CANDIDATE_ABI)
      throw failure({fmt::format("it was built for version {} of the interface, and this is version {}",
                                 built_for, RIDGE_CANDIDATE_ABI),
                     "compile it with this version's <ridge/judge/candidate.h>"});
  }

  const problem_table& problems_;
  bool on_gpu_;
  void* handle_ = nullptr;  // never closed: the process ends with it
  void* state_ = nullptr;
  int (*call_)(const ridge_problem*, void*) = nullptr;
  int (*enqueue_)(const ridge_problem*, void*, void*) = nullptr;
  void (*teardown_)(void*) = nullptr;
};

}  // namespace

std::unique_ptr<arm> make_candidate(const problem_table& problems, bool on_gpu) {
  return std::make_unique<loaded_candidate>(problems, on_gpu);
}

}  // namespace ridge::judge
