// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <ridge/gpu/check.hpp>

#include "fill.hpp"
#include "words.cuh"

namespace ridge::backends::device_cuda {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint32_t);

struct as_drawn {
  __device__ std::uint32_t operator()(std::uint32_t word) const { return word; }
};

__global__ void __launch_bounds__(fill_threads) fill_random_bytes(part<std::uint8_t> p, std::uint64_t key) {
  const std::uint64_t i = thread_number();
  if (i < p.count) p.destination[i] = static_cast<std::uint8_t>(device::bits_at(key, p.first + i, 1));
}

template <class T>
__global__ void __launch_bounds__(fill_threads) fill_copies(part<T> p, T value) {
  const std::uint64_t index = 4 * thread_number();
  if (index < p.count) store(p, index, four<T>{{value, value, value, value}});
}

template <class T>
void launch_copies(std::byte* target, std::uint64_t count, std::span<const std::byte> element,
                   cudaStream_t queue) {
  if (count == 0) return;
  T value{};
  for (std::size_t at = 0; at < sizeof value; at += element.size()) {
    std::memcpy(reinterpret_cast<std::byte*>(&value) + at, element.data(), element.size());
  }
  const part<T> p{reinterpret_cast<T*>(target), 0, count};
  fill_copies<<<fill_blocks((count + 3) / 4), fill_threads, 0, queue>>>(p, value);
  gpu::check_launch("fill_copies");
}

bool on_a_word(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % word_bytes == 0; }

// Copies whole words first, then the rest of the last one.
template <class T>
void launch_narrow(const target& t, std::span<const std::byte> element) {
  const std::uint64_t words = on_a_word(t.destination) ? t.count * sizeof(T) / word_bytes : 0;
  launch_copies<std::uint32_t>(t.destination, words, element, t.queue);
  launch_copies<T>(t.destination + words * word_bytes, t.count - words * word_bytes / sizeof(T), element,
                   t.queue);
}

}  // namespace

void fill_constant(const target& t, std::span<const std::byte> element) {
  switch (element.size()) {
    case 1:
      return launch_narrow<std::uint8_t>(t, element);
    case 2:
      return launch_narrow<std::uint16_t>(t, element);
    case 4:
      return launch_copies<std::uint32_t>(t.destination, t.count, element, t.queue);
    default:
      return launch_copies<std::uint64_t>(t.destination, t.count, element, t.queue);
  }
}

// The stream is one string of words, whatever the type: stored by words where the string's and the memory's
// words coincide, by bytes elsewhere.
void fill_random_bits(const target& t) {
  const std::uint64_t size = size_of(t.type), first = t.first * size, bytes = t.count * size;
  const std::uint64_t words = on_a_word(t.destination) && first % word_bytes == 0 ? bytes / word_bytes : 0;
  if (words > 0) {
    const part<std::uint32_t> p{reinterpret_cast<std::uint32_t*>(t.destination), first / word_bytes, words};
    launch_from_words(p, t.key, as_drawn(), t.queue);
  }
  const std::uint64_t done = words * word_bytes;
  if (done < bytes) {
    const part<std::uint8_t> p{reinterpret_cast<std::uint8_t*>(t.destination + done), first + done,
                               bytes - done};
    fill_random_bytes<<<fill_blocks(p.count), fill_threads, 0, t.queue>>>(p, t.key);
  }
  gpu::check_launch("fill of random bits");
}

}  // namespace ridge::backends::device_cuda
