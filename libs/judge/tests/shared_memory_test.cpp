// SPDX-License-Identifier: Apache-2.0
#include "exchange/shared_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace ridge::judge {
namespace {

TEST(shared_memory, shows_others_what_this_process_writes) {
  const shared_memory memory("test", 8192, sharing::read_only);
  const auto* seen = map_descriptor(memory.descriptor(), 8192, sharing::read_only);
  memory.bytes()[5000] = std::byte{42};
  EXPECT_EQ(seen[5000], std::byte{42});
}

TEST(shared_memory, that_is_read_only_can_never_be_mapped_writable) {
  const shared_memory memory("test", 4096, sharing::read_only);
  EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor(), 0), MAP_FAILED);
  auto* seen = map_descriptor(memory.descriptor(), 4096, sharing::read_only);
  EXPECT_NE(::mprotect(seen, 4096, PROT_READ | PROT_WRITE), 0);
  // The descriptor opened again for writing still maps nothing writable.
  const auto path = "/proc/self/fd/" + std::to_string(memory.descriptor());
  const int again = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (again >= 0) {
    EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0), MAP_FAILED);
    EXPECT_LT(::write(again, "x", 1), 0);
    ::close(again);
  }
}

TEST(shared_memory, that_is_writable_keeps_its_size) {
  const shared_memory memory("test", 4096, sharing::writable);
  auto* mapped = map_descriptor(memory.descriptor(), 4096, sharing::writable);
  mapped[1] = std::byte{7};
  EXPECT_EQ(memory.bytes()[1], std::byte{7});
  EXPECT_NE(::ftruncate(memory.descriptor(), 1 << 20), 0);
  EXPECT_NE(::ftruncate(memory.descriptor(), 0), 0);
}

}  // namespace
}  // namespace ridge::judge
