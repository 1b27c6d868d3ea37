// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <ridge/harness/call.hpp>
#include <ridge/harness/setup.hpp>

namespace ridge {

// A timed body, erased once: n calls stand behind one indirect call, so that an empty one costs a decrement
// and a branch.
template <class Workload>
class body {
 public:
  body() = default;
  template <class F>
    requires std::invocable<F&, Workload&, call&>
  body(F f) : self_(std::make_unique<of<F>>(std::move(f))) {}
  void operator()(Workload& w, call& c, std::uint64_t n) { self_->run(w, c, n); }

 private:
  struct base {
    virtual ~base() = default;
    virtual void run(Workload&, call&, std::uint64_t n) = 0;
  };
  template <class F>
  struct of final : base {
    explicit of(F g) : f(std::move(g)) {}
    void run(Workload& w, call& c, std::uint64_t n) override {
      for (; n != 0; --n) {
        f(w, c);
        asm volatile("" ::: "memory");
      }
    }
    F f;
  };
  std::unique_ptr<base> self_;
};

template <class F, class Workload>
concept timed_body = std::invocable<F&, Workload&, call&> && !std::invocable<F&, Workload&, setup&>;
template <class F, class Workload>
concept prepared_body = std::invocable<F&, Workload&, setup&>;

// How a variant's body comes to be. (workload&, call&) is the timed body itself; (workload&, setup&) runs
// untimed, once per ring member, and returns the timed body, which owns its plan, graph and workspace.
template <class Workload>
class recipe {
 public:
  recipe() = default;
  template <timed_body<Workload> F>
  recipe(F f) : make_([f](Workload&, setup&) { return body<Workload>(f); }) {}
  template <prepared_body<Workload> F>
  recipe(F f) : make_([f](Workload& w, setup& s) { return body<Workload>(f(w, s)); }) {}
  [[nodiscard]] body<Workload> operator()(Workload& w, setup& s) const { return make_(w, s); }

 private:
  std::function<body<Workload>(Workload&, setup&)> make_;
};

// The timed body of a variant that is one launch function of kernels.cu: it calls launch(w, c.queue()).
template <class Workload>
[[nodiscard]] auto enqueues(void (*launch)(const Workload&, stream)) {
  return [launch](Workload& w, call& c) { launch(w, c.queue()); };
}

}  // namespace ridge
