// SPDX-License-Identifier: Apache-2.0
#include "support/webp.h"

#include <webp/demux.h>

#include <cstring>
#include <memory>

namespace ulna::test {

WebpFile readWebp(std::string_view bytes) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(
        WebPAnimDecoderNew(&data, nullptr), WebPAnimDecoderDelete);
    WebpFile out;
    WebPAnimInfo info{};
    if (!decoder || WebPAnimDecoderGetInfo(decoder.get(), &info) == 0) return out;
    out.loops = info.loop_count;
    while (WebPAnimDecoderHasMoreFrames(decoder.get()) != 0) {
        std::uint8_t* pixels = nullptr;
        int end = 0;
        if (WebPAnimDecoderGetNext(decoder.get(), &pixels, &end) == 0) return {};
        draw::Raster& frame = out.frames.emplace_back();
        frame.width = info.canvas_width;
        frame.height = info.canvas_height;
        frame.pixels.resize(frame.width * frame.height);
        std::memcpy(frame.pixels.data(), pixels, 4 * frame.pixels.size());
        out.ends.push_back(end);
    }
    return out;
}

}  // namespace ulna::test
