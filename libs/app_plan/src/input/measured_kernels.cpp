// SPDX-License-Identifier: Apache-2.0
#include "input/measured_kernels.hpp"

#include <cctype>
#include <string>

#include <ridge/app/cache_folder.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app_plan {

std::filesystem::path kept_kernels_of(std::string_view gpu) {
  std::string name;
  for (const char c : gpu) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? lower_case(c) : '-';
  return app::cache_folder() / ("plan-kernels-" + name + ".json");
}

}  // namespace ridge::app_plan
