// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fields/machine.hpp"
#include "fields/results.hpp"
#include "fields/roofline.hpp"
#include "fields/run.hpp"

// The fields of every type of the model by their JSON names, written once for reading and writing: `a("name",
// x.name)` visits one field. Their order is the print order.
