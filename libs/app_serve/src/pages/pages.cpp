// SPDX-License-Identifier: Apache-2.0
#include "pages/pages.hpp"

#include <string>

#include "web_bundle.hpp"

namespace ridge::app_serve {

std::vector<server::static_asset> pages() {
  std::vector<server::static_asset> made;
  for (const auto& file : web_bundle()) {
    const auto path = "/" + std::string(file.name);
    made.push_back({path, server::content_type_of(path), std::string(file.text)});
  }
  return made;
}

}  // namespace ridge::app_serve
