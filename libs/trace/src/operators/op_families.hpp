// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <ridge/trace/op_model.hpp>

#include "operators/op_inputs.hpp"

// One model per family; `name` is without its namespace. nullopt: the name is not of this family, or the
// shapes are not recorded.
namespace ridge::trace {

// Index of an input that an operator does not have.
inline constexpr std::size_t no_such_input = 99;

using family_model = std::optional<op_model>(std::string_view name, const op_inputs& inputs);

family_model gemm_model;
family_model convolution_model;
family_model attention_model;
family_model moe_model;
family_model normalisation_model;
family_model softmax_model;
family_model elementwise_model;
family_model reduction_model;
family_model embedding_model;
family_model copy_model;
family_model optimizer_model;

}  // namespace ridge::trace
