// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/network_layer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/ik/detail/network_layer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::ik::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Blocks of as many sums as hide the time of an addition, whatever the width of a vector.
void applyLayer(const NetworkLayer& layer, const float* HWY_RESTRICT in, float* HWY_RESTRICT out) {
    using D = hn::CappedTag<float, 16>;
    constexpr std::size_t kBlock = NetworkLayer::kBlock;
    constexpr D tag;
    constexpr hn::Rebind<std::int8_t, D> bytes;
    constexpr hn::Rebind<std::int32_t, D> whole;
    const std::size_t lanes = hn::Lanes(tag);
    const std::int8_t* HWY_RESTRICT row = layer.weights.data();
    for (std::size_t first = 0; first < layer.outputs; first += kBlock) {
        // Four vectors at a time stay in registers.
        for (std::size_t at = 0; at < kBlock; at += 4 * lanes) {
            const std::size_t parts = (kBlock - at) / lanes < 4 ? (kBlock - at) / lanes : 4;
            auto a = hn::Zero(tag), b = a, c = a, d = a;
            for (std::size_t i = 0; i < layer.inputs; ++i) {
                const auto x = hn::Set(tag, in[i]);
                const std::int8_t* HWY_RESTRICT w = row + i * kBlock + at;
                const auto product = [&](std::size_t k) HWY_ATTR {
                    const auto byte = hn::LoadU(bytes, w + k * lanes);
                    return hn::Mul(x, hn::ConvertTo(tag, hn::PromoteTo(whole, byte)));
                };
                a = hn::Add(a, product(0));
                b = hn::Add(b, product(1));
                if (parts == 4) {
                    c = hn::Add(c, product(2));
                    d = hn::Add(d, product(3));
                }
            }
            const auto store = [&](std::size_t k, auto sum) HWY_ATTR {
                const std::size_t o = first + at + k * lanes;
                const auto scaled = hn::Mul(sum, hn::LoadU(tag, layer.scale.data() + o));
                hn::StoreU(hn::Add(scaled, hn::LoadU(tag, layer.bias.data() + o)), tag, out + o);
            };
            store(0, a), store(1, b);
            if (parts == 4) store(2, c), store(3, d);
        }
        row += layer.inputs * kBlock;
    }
}

}  // namespace ulna::ik::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::ik::detail {

HWY_EXPORT(applyLayer);

NetworkLayer::NetworkLayer(std::size_t in, std::size_t out)
    : inputs(in),
      outputs(out),
      weights((out + kBlock - 1) / kBlock * kBlock * in),
      scale((out + kBlock - 1) / kBlock * kBlock),
      bias(scale.size()) {}

void NetworkLayer::apply(std::span<const float> in, std::span<float> out) const {
    HWY_DYNAMIC_DISPATCH(applyLayer)(*this, in.data(), out.data());
}

void NetworkLayer::applyPlain(std::span<const float> in, std::span<float> out) const {
    for (std::size_t o = 0; o < scale.size(); ++o) {
        float sum = 0.0F;
        for (std::size_t i = 0; i < inputs; ++i)
            sum += in[i] *
                   static_cast<float>(weights[(o / kBlock * inputs + i) * kBlock + o % kBlock]);
        out[o] = sum * scale[o] + bias[o];
    }
}

}  // namespace ulna::ik::detail
#endif
