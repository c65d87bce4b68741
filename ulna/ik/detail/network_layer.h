// SPDX-License-Identifier: Apache-2.0

// One layer of a small network with weights of one byte, for PosePrior.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ulna::ik::detail {

/// out = scale * (weights in) + bias, per output. Sums go over the inputs in order and products are
/// rounded before they are added, so that every processor gives the same bits.
struct NetworkLayer {
    static constexpr std::size_t kBlock = 32;

    NetworkLayer(std::size_t inputs, std::size_t outputs);

    std::size_t inputs, outputs;
    std::vector<std::int8_t> weights;  ///< per block of outputs, per input: kBlock of them
    std::vector<float> scale, bias;    ///< per output, padded to whole blocks

    [[nodiscard]] std::int8_t& weight(std::size_t output, std::size_t input) {
        return weights[(output / kBlock * inputs + input) * kBlock + output % kBlock];
    }
    /// @pre in has `inputs` values, out a whole number of blocks.
    void apply(std::span<const float> in, std::span<float> out) const;
    /// The same by a plain loop.
    void applyPlain(std::span<const float> in, std::span<float> out) const;
};

}  // namespace ulna::ik::detail
