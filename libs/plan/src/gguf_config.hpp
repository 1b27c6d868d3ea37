// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gguf_header.hpp"

namespace ridge::plan {

// The members of a config.json that say the same as the metadata and the tensors of a GGUF file. The error
// names the architecture that cannot be read from a GGUF file.
[[nodiscard]] result<nlohmann::json> config_of_gguf(const gguf_header& header, std::string_view file);

}  // namespace ridge::plan
