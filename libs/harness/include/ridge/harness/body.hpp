// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <ridge/harness/call.hpp>
#include <ridge/harness/setup.hpp>

namespace ridge {

// A variant's body on one member of its ring, ready to be timed. It is the only erasure between the harness
// and the body.
class bound_body {
 public:
  virtual ~bound_body() = default;
  // Calls the body n times in a row on its member. Where the variant works on several queues, each call is
  // forked from the first queue and joined into it.
  virtual void run(call& c, std::uint64_t n) = 0;
};

// A body of type F. One virtual call makes all n calls, so that an empty body costs a decrement and a branch
// per call.
template <class Workload, class F>
  requires std::invocable<F&, Workload&, call&>
class typed_body final : public bound_body {
 public:
  // References the workload.
  typed_body(Workload& w, F f) : workload_(w), f_(std::move(f)) {}
  void run(call& c, std::uint64_t n) override {
    if (!c.forks()) return call_in_a_row(c, n);
    for (; n != 0; --n) {
      c.fork();
      call_in_a_row(c, 1);
      c.join();
    }
  }

 private:
  void call_in_a_row(call& c, std::uint64_t n) {
    Workload& w = workload_;
    for (; n != 0; --n) {
      f_(w, c);
      asm volatile("" ::: "memory");
    }
  }

  Workload& workload_;
  F f_;
};

// The body `f` on this workload, which it references.
template <class Workload, class F>
[[nodiscard]] std::unique_ptr<bound_body> bind_body(Workload& w, F f) {
  return std::make_unique<typed_body<Workload, F>>(w, std::move(f));
}

template <class F, class Workload>
concept timed_body = std::invocable<F&, Workload&, call&> && !std::invocable<F&, Workload&, setup&>;
template <class F, class Workload>
concept prepared_body = std::invocable<F&, Workload&, setup&>;

// How a variant's body is made. A function of (workload&, call&) is the timed body itself; a function of
// (workload&, setup&) runs untimed, once per ring member, and returns the timed body, which owns its plan,
// graph and workspace.
template <class Workload>
class recipe {
 public:
  recipe() = default;
  template <timed_body<Workload> F>
  recipe(F f) : bind_([f](Workload& w, setup&) { return bind_body(w, f); }) {}
  template <prepared_body<Workload> F>
  recipe(F f) : bind_([f](Workload& w, setup& s) { return bind_body(w, f(w, s)); }) {}
  // The body bound to a workload, which it references.
  [[nodiscard]] std::unique_ptr<bound_body> operator()(Workload& w, setup& s) const { return bind_(w, s); }

 private:
  std::function<std::unique_ptr<bound_body>(Workload&, setup&)> bind_;
};

// The timed body of a variant that is one launch function of kernels.cu: it calls launch(w, c.queue()).
template <class Workload>
[[nodiscard]] auto enqueues(void (*launch)(const Workload&, stream)) {
  return [launch](Workload& w, call& c) { launch(w, c.queue()); };
}

// The body of a launch function that works in scratch, as CUB's do: without scratch it only says in `bytes`
// how many it needs.
template <class Workload>
[[nodiscard]] auto enqueues_in_scratch(void (*launch)(const Workload&, std::size_t& bytes, void* scratch,
                                                      stream)) {
  return [launch](Workload& shape, setup& s) {
    std::size_t bytes = 0;
    launch(shape, bytes, nullptr, s.queue());
    return [launch, scratch = s.workspace<std::byte>(bytes)](Workload& w, call& c) {
      std::size_t size = scratch.size();
      launch(w, size, scratch.data(), c.queue());
    };
  };
}

}  // namespace ridge
