// SPDX-License-Identifier: Apache-2.0
#include "scene.hpp"

namespace ridge::store::tests {
namespace {

class two_writers : public scene {};

TEST_F(two_writers, make_the_store_at_once_and_write_without_an_error) {
  constexpr int families = 150;
  const auto writer = [&](const std::string& id) {
    return in_a_child([this, id] {
      const auto store = open();
      store->begin({.id = id});
      for (int i = 0; i < families; ++i) store->commit(id, family_of(1000));
      store->finish({.id = id, .wall_s = 1});
    });
  };
  for (int round = 0; round < 10; ++round) {
    std::filesystem::remove_all(folder());
    const auto a = writer("A"), b = writer("B");
    EXPECT_EQ(status_of(a), 0);
    EXPECT_EQ(status_of(b), 0);
    const auto store = open();
    EXPECT_EQ(store->counts().families, 2u * families);
    EXPECT_EQ(store->load("A")->families.size(), static_cast<std::size_t>(families));
  }
}

TEST_F(two_writers, a_reader_sees_whole_families_while_another_writes) {
  open()->begin({.id = "A"});
  const auto child = in_a_child([&] {
    const auto store = open();
    for (int i = 0; i < 200; ++i) store->commit("A", family_of(500));
  });
  const auto reader = open();
  std::uint64_t last = 0;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    const auto held = reader->counts();
    EXPECT_EQ(held.samples, held.families * 500);
    EXPECT_EQ(held.comparisons, held.families);
    EXPECT_GE(held.families, last);
    last = held.families;
  }
  EXPECT_EQ(reader->counts().families, 200u);
}

}  // namespace
}  // namespace ridge::store::tests
