// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/device.hpp>

// What every device must do, as GoogleTest expectations; each backend's test calls its own. Device memory is
// reached through the interface alone.
namespace ridge::device::conformance {

// Every size from none on, both guards and all placements: right size and alignment, arrays apart, and a
// write next to the payload reported by red zones with its place and length.
void expect_arrays(device& subject);

// fill gives the numbers of fill.hpp, parts and wholes; poison is all ones; copies keep their bytes.
void expect_contents(device& subject);

// digest is that of digest.hpp, and changes with any one bit, with order and with length.
void expect_digests(device& subject);

// Sums of every type agree with double arithmetic, count what is not finite, and repeat bit for bit.
void expect_block_sums(device& subject);

// Digests and sums enqueued are those of what the array held at that place of the queue, in order, taken
// once.
void expect_enqueued_results(device& subject);

// Marks never go back, differences are antisymmetric and additive, and eviction changes no array.
void expect_time_and_eviction(device& subject);

// All of the above.
void expect_device(device& subject);

}  // namespace ridge::device::conformance
