// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the build defines for each target and source that has flags: the function ridge_states_flags() of
// cmake/RidgePlugins.cmake.
#ifndef RIDGE_COMPILE_FLAGS
#define RIDGE_COMPILE_FLAGS
#endif
#ifndef RIDGE_SOURCE_FLAGS
#define RIDGE_SOURCE_FLAGS
#endif
#define RIDGE_TEXT_OF_WORDS(...) #__VA_ARGS__
#define RIDGE_TEXT_OF(...) RIDGE_TEXT_OF_WORDS(__VA_ARGS__)

namespace ridge {

// How the compiler translated the object that holds a variant or an experiment, as that object states it.
struct code_facts {
  bool optimized = true;
  const char* sanitizer = "";  // "address", "thread", "memory", "undefined behaviour"; empty: none is known
  const char* source =
      "";  // the file that states it, as the compiler was given it; lives as long as the code
  const char* compiler = "";  // its version alone where it is GCC
  const char* flags = "";     // those that the build gives it for this object; empty: it does not say
  bool for_size = false;
};

// Returns the facts of the object that is being compiled. It has internal linkage, so that each object states
// its own, whatever other objects of the program were compiled with. GCC tells nothing of its sanitizer of
// undefined behaviour.
[[maybe_unused]] static constexpr code_facts code_of_this_object(const char* source) {
  code_facts made{.optimized = false,
                  .sanitizer = "",
                  .source = source,
                  .compiler = __VERSION__,
                  .flags = RIDGE_TEXT_OF(RIDGE_COMPILE_FLAGS RIDGE_SOURCE_FLAGS)};
#ifdef __OPTIMIZE__
  made.optimized = true;
#endif
#ifdef __OPTIMIZE_SIZE__
  made.for_size = true;
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

#undef RIDGE_TEXT_OF
#undef RIDGE_TEXT_OF_WORDS
