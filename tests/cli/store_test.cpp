// SPDX-License-Identifier: Apache-2.0
// Stores other than the file of this machine: copies, and databases of a server.
#include <gtest/gtest.h>

#include "postgresql_server.hpp"
#include "program.hpp"

namespace ridge::cli {
namespace {

using store::tests::postgresql_server;

// A file with a few generated runs.
std::string filled_file(const scene& here) {
  auto file = (here.folder() / "source.db").string();
  const auto filled = here.ridge("store benchmark --runs 4 --samples 10 --trials 1 --store " + file);
  EXPECT_LE(filled.code, 1) << filled.err;
  EXPECT_NE(filled.out.find("4 runs, 40 samples"), std::string::npos) << filled.out;
  return file;
}

TEST(store_command, copies_one_file_into_another_once) {
  const scene here;
  const auto file = filled_file(here), target = (here.folder() / "target.db").string();
  const auto first = here.ridge("store copy " + file + " " + target);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out.find("4 runs copied to " + target + ", 0 were there already; 4 problems"), 0u)
      << first.out;
  const auto again = here.ridge("store copy " + file + " " + target);
  EXPECT_EQ(again.out.find("0 runs copied to " + target + ", 4 were there already"), 0u) << again.out;
  EXPECT_EQ(here.ridge("export last --store " + target).out, here.ridge("export last --store " + file).out);
}

TEST(store_command, refuses_a_source_that_there_is_not_and_itself) {
  const scene here;
  const auto absent = (here.folder() / "absent.db").string();
  EXPECT_EQ(here.ridge("store copy " + absent + " " + absent + "2").code, 69);
  EXPECT_FALSE(std::filesystem::exists(absent + "2")) << "nothing is made for a copy of nothing";
  EXPECT_EQ(here.ridge("store copy " + absent + " " + absent).code, 64);
}

TEST(store_command, fills_no_store_with_results_in_it) {
  const scene here;
  EXPECT_EQ(here.ridge("store benchmark --runs 1").code, 64)
      << "the store of this machine is named by nobody";
}

TEST(store_url, that_no_server_answers_is_unavailable_and_its_password_is_not_shown) {
  const scene here;
  for (const auto* words : {"history", "doctor", "export", "store benchmark --runs 1"}) {
    const auto seen = here.ridge(std::string(words) + " --store postgresql://me:s3cret@127.0.0.1:1/db");
    EXPECT_EQ((seen.out + seen.err).find("s3cret"), std::string::npos) << words << seen.out << seen.err;
    EXPECT_NE((seen.out + seen.err).find("postgresql://me@127.0.0.1:1/db"), std::string::npos)
        << words << seen.out << seen.err;
  }
  EXPECT_EQ(here.ridge("history --store mysql://h/db").code, 69);
}

TEST(store_url, needs_no_client_library_where_it_is_not_asked_for) {
  for (const auto* library : {"libpq.so", "libpqxx-6", "libpqxx-7", "libpqxx-8"})
    EXPECT_EQ(contents(RIDGE_PROGRAM).find(library), std::string::npos) << library;
}

TEST(store_url, of_a_server_holds_what_a_file_does) {
#ifndef RIDGE_WITH_POSTGRESQL
  GTEST_SKIP() << "this build has no backend for PostgreSQL";
#endif
  const auto& url = postgresql_server::running().url();
  if (url.empty()) GTEST_SKIP() << "no PostgreSQL server can be started here";
  const scene here;
  const auto file = filled_file(here), quoted = "'" + url + "'";
  const auto copied = here.ridge("store copy " + file + " " + quoted);
  EXPECT_EQ(copied.code, 0) << copied.err;
  EXPECT_EQ(here.ridge("export last --store " + quoted).out, here.ridge("export last --store " + file).out);
  EXPECT_EQ(here.ridge("history --json --store " + quoted).out,
            here.ridge("history --json --store " + file).out);
  const auto run = here.ridge(std::string(quick) + "--store " + quoted);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(here.ridge("history ch01.coalescing --store " + quoted).out.find("contiguous"),
            std::string::npos);
  const auto back = (here.folder() / "back.db").string();
  EXPECT_EQ(here.ridge("store copy " + quoted + " " + back).code, 0);
  EXPECT_EQ(here.ridge("export last --store " + back).out, here.ridge("export last --store " + quoted).out);
}

}  // namespace
}  // namespace ridge::cli
