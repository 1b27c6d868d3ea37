// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/model_shape.hpp>

#include "layer_tables.hpp"

namespace ridge::plan::kernels {

// The scalars of a YAML file of nested blocks, by their keys from the outermost: "defaults/link_bw".
[[nodiscard]] std::map<std::string, std::string> yaml_scalars(const std::string& text);

// The file of this name in the folder or in one of the five above it; empty where there is none.
[[nodiscard]] std::filesystem::path file_above(const std::filesystem::path& folder, std::string_view name);

// Holds the GPU on which a profile was measured, by the meta.yaml in or above its folder (`gpu`, else
// `hardware`), against the one asked for. Returns what should be said where that cannot be told: no
// meta.yaml, no name in it, or one that the catalogue does not know; empty where it is the same. The error
// names both GPUs and the file.
[[nodiscard]] result<std::string> check_measured_gpu(const std::filesystem::path& folder,
                                                     const accelerator& asked);

// The products of a model's layers, by vLLM's names. The dense blocks of a model that has experts in other
// layers are left out, as are linear mixers, whose names differ from engine to engine.
[[nodiscard]] std::vector<std::string> dense_parts_of(const model_shape& m);

// Holds the layers that were measured against the parts that the model has. A part may
// have been measured under another engine's name, or as several products. The error names the file that lacks
// them, and each that is missing.
[[nodiscard]] result<void> check_measured_parts(const std::filesystem::path& file,
                                                const std::vector<std::string>& parts,
                                                const lines_by_layer& measured);

}  // namespace ridge::plan::kernels
