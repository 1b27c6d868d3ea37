// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// SplitMix64 (Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). The
// functions may be called in device code: they are constexpr.
namespace ridge {

// The distance between successive states: 2^64 divided by the golden ratio, made odd.
inline constexpr std::uint64_t splitmix_increment = 0x9e3779b97f4a7c15U;

// Returns the generator's output for a state: a bijection of 64 bits under which neighbouring inputs give
// unrelated outputs; 0 stays 0.
[[nodiscard]] constexpr std::uint64_t splitmix_finalizer(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// Returns the first output of the generator whose seed is `x`: a good hash of one number.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t x) {
  return splitmix_finalizer(x + splitmix_increment);
}

// The generator: its sequence for a seed is the same on every machine.
class splitmix_generator {
 public:
  // Starts the sequence of this seed at its first output.
  constexpr explicit splitmix_generator(std::uint64_t seed) : state_(seed) {}

  // Returns the next 64 random bits.
  constexpr std::uint64_t operator()() { return splitmix_finalizer(state_ += splitmix_increment); }

  // Returns a number in 0 .. bound-1, and 0 for a bound of 0. It is biased by less than bound / 2^32 for
  // bounds up to 2^32, by less than bound / 2^64 for those beyond.
  constexpr std::uint64_t below(std::uint64_t bound) {
    const auto drawn = (*this)();
    return bound <= std::uint64_t{1} << 32U ? (drawn >> 32U) * bound >> 32U : drawn % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace ridge
