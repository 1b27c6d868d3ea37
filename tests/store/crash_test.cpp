// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <sqlite3.h>

#include "scene.hpp"

namespace ridge::store::tests {
namespace {

class crash : public scene {
 protected:
  // Writes families of run `id` until killed, and a byte to `report` after each commit that returned.
  void write_until_killed(const std::string& id, int report) const {
    const auto store = open();
    store->begin({.id = id});
    for (int i = 0;; ++i) {
      store->commit(id, family_of(200 + 500 * static_cast<std::size_t>(i % 7), i));
      if (write(report, "x", 1) != 1) return;
    }
  }

  // Families whose commit had returned when the writer was killed, `delay` after it had reported `commits`.
  std::uint64_t kill_a_writer(const std::string& id, std::uint64_t commits,
                              std::chrono::microseconds delay) const {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const auto child = in_a_child([&] { write_until_killed(id, ends[1]); });
    close(ends[1]);
    std::uint64_t reported = 0;
    for (char byte; reported < commits && read(ends[0], &byte, 1) == 1;) ++reported;
    std::this_thread::sleep_for(delay);
    kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status_of(child)));
    for (char byte; read(ends[0], &byte, 1) == 1;) ++reported;
    close(ends[0]);
    return reported;
  }

  [[nodiscard]] std::string integrity() const {
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
    std::string answer;
    const auto keep = [](void* to, int, char** row, char**) {
      return *static_cast<std::string*>(to) += row[0], 0;
    };
    EXPECT_EQ(sqlite3_exec(handle, "PRAGMA integrity_check", keep, &answer, nullptr), SQLITE_OK);
    sqlite3_close(handle);
    return answer;
  }

  void expect_whole(const std::string& id, std::uint64_t reported) const {
    const auto run = open()->load(id);
    if (!run) {
      EXPECT_EQ(reported, 0u) << run.why().text();
      return;
    }
    EXPECT_GE(run->families.size(), reported);
    EXPECT_LE(run->families.size(), reported + 1) << "at most the one whose commit was not yet reported";
    for (std::size_t i = 0; i < run->families.size(); ++i) {
      const auto& values = run->families[i].measurements.at(1).samples.at(0).value;
      EXPECT_EQ(values, std::vector<double>(200 + 500 * (i % 7), static_cast<double>(i)));
    }
  }
};

TEST_F(crash, killed_at_any_instant_a_store_opens_and_holds_what_was_committed) {
  std::mt19937 random(20251120);
  std::uniform_int_distribution<int> delay_us(0, 5'000), commits(0, 4);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::uint64_t all = 0;
  int kills = 0;
  for (; kills < 100 && std::chrono::steady_clock::now() < deadline; ++kills) {
    const auto id = "RUN" + std::to_string(1000 + kills);
    const auto reported = kill_a_writer(id, static_cast<std::uint64_t>(commits(random)),
                                        std::chrono::microseconds(delay_us(random)));
    expect_whole(id, reported);
    all += reported;
  }
  EXPECT_EQ(integrity(), "ok");
  EXPECT_GE(open()->counts().families, all);
  EXPECT_GT(kills, 0);
  RecordProperty("kills", kills);
}

TEST_F(crash, a_writer_killed_while_it_makes_the_store_leaves_one_that_opens) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> delay_us(0, 12'000);
  for (int i = 0; i < 10; ++i) {
    std::filesystem::remove_all(folder());
    const auto reported = kill_a_writer("RUN", 0, std::chrono::microseconds(delay_us(random)));
    EXPECT_GE(open()->counts().families, reported);
    EXPECT_EQ(integrity(), "ok");
  }
}

}  // namespace
}  // namespace ridge::store::tests
