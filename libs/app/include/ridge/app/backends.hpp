// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <typeinfo>

namespace ridge::app {

// A function of a backend that makes an implementation of an interface, with its type for the checked way
// back.
struct backend_factory {
  std::string_view backend{};  // the folder's name: "tsc" of backends/measure/tsc
  const std::type_info* signature = nullptr;
  void (*function)() = nullptr;
};

template <class Signature>
[[nodiscard]] backend_factory factory_of(std::string_view backend, Signature* function) {
  return {backend, &typeid(Signature), reinterpret_cast<void (*)()>(function)};
}

// The factories of this build's backends by interface, in the order of their folders. CMake writes one source
// an interface from what backends/<interface>/<backend>/CMakeLists.txt states behind FACTORIES. Those of
// `trace` and `profile` are defined in ridge::app_trace, all others in ridge::app.
[[nodiscard]] std::span<const backend_factory> device_backends();
[[nodiscard]] std::span<const backend_factory> measure_backends();
[[nodiscard]] std::span<const backend_factory> probe_backends();
[[nodiscard]] std::span<const backend_factory> profile_backends();
[[nodiscard]] std::span<const backend_factory> store_backends();
[[nodiscard]] std::span<const backend_factory> trace_backends();

// The factory of this signature, "std::unique_ptr<measure::clock>()", that the backend of this name has; null
// when this build lacks the backend.
template <class Signature>
[[nodiscard]] Signature* find_factory(std::span<const backend_factory> factories, std::string_view backend) {
  for (const auto& one : factories) {
    if (one.backend == backend && *one.signature == typeid(Signature))
      return reinterpret_cast<Signature*>(one.function);
  }
  return nullptr;
}

}  // namespace ridge::app
