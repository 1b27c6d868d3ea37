// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/shared_library.hpp>

#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

TEST(shared_library, the_first_name_that_exists_is_opened) {
  const shared_library math({"libnothing_like_it.so.9", "libm.so.6"}, "libm", "install libc6");
  EXPECT_EQ(math.name(), "libm.so.6");
  EXPECT_EQ(math.function<double(double)>("floor")(27.5), 27.0);
}

TEST(shared_library, what_is_missing_names_itself_and_its_remedy) {
  try {
    const shared_library none({"libnothing_like_it.so.9"}, "Nothing", "apt-get install nothing");
    FAIL();
  } catch (const unavailable& e) {
    EXPECT_NE(e.why().message.find("Nothing"), std::string::npos);
    EXPECT_EQ(e.why().remedy, "apt-get install nothing");
  }
  const shared_library math({"libm.so.6"}, "libm", "install libc6");
  EXPECT_THROW(static_cast<void>(math.symbol("no_such_function")), unavailable);
}

}  // namespace
}  // namespace ridge::host
