// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/location.hpp>

#include <cstdlib>

#include <gtest/gtest.h>

namespace ridge::store {
namespace {

TEST(location, follows_the_base_directory_specification) {
  setenv("HOME", "/home/x", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_location(), "/data/ridge/ridge.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(default_location(), "/home/x/.local/share/ridge/ridge.db");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_location(), "/home/x/.local/share/ridge/ridge.db");
  unsetenv("HOME");
  EXPECT_EQ(default_location(), "");
}

TEST(place, shows_no_password_however_the_url_is_written) {
  EXPECT_EQ(place_of("/data/ridge.db"), "/data/ridge.db");
  EXPECT_EQ(place_of("postgresql://h:5432/db"), "postgresql://h:5432/db");
  EXPECT_EQ(place_of("postgresql://u:secret@h/db?sslmode=require"), "postgresql://u@h/db");
  EXPECT_EQ(place_of("postgresql://u@h/db"), "postgresql://u@h/db");
  EXPECT_EQ(place_of("postgres:///db?host=/tmp&password=secret"), "postgres:///db");
  for (const auto* url : {"postgresql://u:se@cret@h/db", "postgresql://u:se/cret@h/db",
                          "postgresql://u:se?c=ret@h/db", "postgresql://u:se%40cret@h",
                          "postgresql://h/db?password=se@cret", "postgresql://:secret@h:1/db?a=b@c"}) {
    EXPECT_EQ(place_of(url).find("cret"), std::string::npos) << url << " -> " << place_of(url);
  }
}

TEST(place, texts_of_libraries_lose_the_password) {
  const std::string url = "postgresql://u:s%40cret@h/db?x";
  EXPECT_EQ(without_password("unexpected \"x\" in \"" + url + "\"", url),
            "unexpected \"x\" in \"postgresql://u@h/db\"");
  EXPECT_EQ(without_password("s@cret and s%40cret", url), "*** and ***");
  EXPECT_EQ(without_password("p=12", "postgresql://h/db?password=12&user=u"), "p=***");
  EXPECT_EQ(without_password("no such role", "postgresql://u@h/db"), "no such role");
}

TEST(place, parameters_of_a_url_are_found_by_their_whole_name) {
  EXPECT_EQ(parameter_of("postgresql://h/db?connect_timeout=3&user=u", "connect_timeout"), "3");
  EXPECT_EQ(parameter_of("postgresql://h/db?connect_timeout=3", "timeout"), "");
  EXPECT_EQ(scheme_of("postgresql://h/db"), "postgresql");
  EXPECT_EQ(scheme_of("/data/x"), "");
}

}  // namespace
}  // namespace ridge::store
