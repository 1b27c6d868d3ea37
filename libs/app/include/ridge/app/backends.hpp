// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <typeinfo>

namespace ridge::app {

// A function of a backend that makes an implementation of an interface, with its type, by which find_factory
// checks the way back.
struct backend_factory {
  std::string_view backend{};  // the folder's name: "tsc" of backends/measure/tsc
  const std::type_info* signature = nullptr;
  void (*function)() = nullptr;
};

// Returns the entry of a function for the list of an interface.
template <class Signature>
[[nodiscard]] backend_factory factory_of(std::string_view backend, Signature* function) {
  return {backend, &typeid(Signature), reinterpret_cast<void (*)()>(function)};
}

// Return the factories of the backends in this build by interface, in the order of their folders. CMake
// writes one source per interface from what backends/<interface>/<backend>/CMakeLists.txt states after
// FACTORIES. Those of `trace` and `profile` are defined in ridge::app_trace, all others in ridge::app.
[[nodiscard]] std::span<const backend_factory> device_backends();
[[nodiscard]] std::span<const backend_factory> measure_backends();
[[nodiscard]] std::span<const backend_factory> probe_backends();
[[nodiscard]] std::span<const backend_factory> profile_backends();
[[nodiscard]] std::span<const backend_factory> store_backends();
[[nodiscard]] std::span<const backend_factory> trace_backends();

// Returns the function of this signature, e.g. "std::unique_ptr<measure::clock>()", that the backend of this
// name has; null when the build lacks the backend or the backend has no such function.
template <class Signature>
[[nodiscard]] Signature* find_factory(std::span<const backend_factory> factories, std::string_view backend) {
  for (const auto& one : factories) {
    if (one.backend == backend && *one.signature == typeid(Signature))
      return reinterpret_cast<Signature*>(one.function);
  }
  return nullptr;
}

}  // namespace ridge::app
