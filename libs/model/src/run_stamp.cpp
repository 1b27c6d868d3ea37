// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/run_stamp.hpp>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <system_error>

namespace ridge::model {

std::string new_run_id() {
  constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  std::string id(26, '0');
  for (std::size_t i = 10; i-- > 0; ms /= 32) id[i] = digits[static_cast<std::size_t>(ms % 32)];
  // Not std::random_device, whose archive needs a newer C library than the rest of libridge.so.
  std::array<std::uint8_t, 16> random{};
  if (getentropy(random.data(), random.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "the system gives no random numbers");
  for (std::size_t i = 10; i < id.size(); ++i) id[i] = digits[random[i - 10] % 32];
  return id;
}

std::string now_utc() {
  const auto now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace ridge::model
