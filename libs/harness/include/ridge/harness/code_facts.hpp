// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge {

// How the compiler translated the object that holds a variant or an experiment, as that object states it.
struct code_facts {
  bool optimized = true;
  const char* sanitizer = "";  // "address", "thread", "memory", "undefined behaviour"; empty: none is known
  const char* source =
      "";  // the file that states it, as the compiler was given it; lives as long as the code
};

// Returns the facts of the object that is being compiled. It has internal linkage, so that each object states
// its own, whatever other objects of the program were compiled with. GCC tells nothing of its sanitizer of
// undefined behaviour.
[[maybe_unused]] static constexpr code_facts code_of_this_object(const char* source) {
  code_facts made{.optimized = false, .sanitizer = "", .source = source};
#ifdef __OPTIMIZE__
  made.optimized = true;
#endif
#if defined(__SANITIZE_ADDRESS__)
  made.sanitizer = "address";
#elif defined(__SANITIZE_THREAD__)
  made.sanitizer = "thread";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  made.sanitizer = "address";
#elif __has_feature(thread_sanitizer)
  made.sanitizer = "thread";
#elif __has_feature(memory_sanitizer)
  made.sanitizer = "memory";
#elif __has_feature(undefined_behavior_sanitizer)
  made.sanitizer = "undefined behaviour";
#endif
#endif
  return made;
}

}  // namespace ridge
