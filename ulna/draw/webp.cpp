// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/webp.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <cmath>
#include <new>

#include "ulna/core/assert.h"

namespace ulna::draw {
namespace {

// Where frames are lossy: below, figures leave marks on the paper behind them.
constexpr float kQuality = 95.0f;
// Of 0 (fast) to 6 (small): beyond, files are a few per cent smaller and take three times as long.
constexpr int kMethod = 4;

static_assert(sizeof(Color) == 4, "libwebp reads pixels as four bytes");

int side(std::size_t pixels) {
    ULNA_ASSERT(pixels > 0 && pixels <= kMostWebpSide, "a side of a WebP picture is 1 to 16383");
    return static_cast<int>(pixels);
}

const std::uint8_t* bytesOf(const Raster& image) {
    ULNA_ASSERT(image.pixels.size() == image.width * image.height, "an image has all its pixels");
    return reinterpret_cast<const std::uint8_t*>(image.pixels.data());
}

std::string taken(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

// What libwebp refuses is excluded by what callers promise: memory is all that can be short.
void require(int done) {
    if (done == 0) throw std::bad_alloc();
}

struct Picture : WebPPicture {
    explicit Picture(const Raster& image) {
        require(WebPPictureInit(this));
        use_argb = 1;
        width = side(image.width);
        height = side(image.height);
        require(WebPPictureImportRGBA(this, bytesOf(image), width * 4));
    }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    ~Picture() { WebPPictureFree(this); }
};

}  // namespace

std::string writeWebp(const Raster& image) {
    std::uint8_t* bytes = nullptr;
    const std::size_t size =
        WebPEncodeLosslessRGBA(bytesOf(image), side(image.width), side(image.height),
                               static_cast<int>(image.width) * 4, &bytes);
    const std::unique_ptr<std::uint8_t, void (*)(void*)> owner(bytes, WebPFree);
    require(size > 0 ? 1 : 0);
    return taken(bytes, size);
}

struct WebpAnimation::Encoder {
    std::unique_ptr<WebPAnimEncoder, void (*)(WebPAnimEncoder*)> file{nullptr,
                                                                      WebPAnimEncoderDelete};
    WebPConfig config{};
    std::size_t width = 0, height = 0, frames = 0;
    double fps = 25.0;

    // Each frame ends at a whole millisecond, and all of them at the right time.
    [[nodiscard]] int time() const {
        return static_cast<int>(std::lround(static_cast<double>(frames) * 1000.0 / fps));
    }
};

WebpAnimation::WebpAnimation(std::size_t width, std::size_t height,
                             const WebpAnimationOptions& options)
    : encoder_(std::make_unique<Encoder>()) {
    ULNA_ASSERT(options.fps > 0.0 && options.fps <= 1000.0, "an animation has 0 to 1000 fps");
    WebPAnimEncoderOptions how{};
    require(WebPAnimEncoderOptionsInit(&how));
    how.anim_params.loop_count = options.loops;
    how.allow_mixed = 1;
    require(WebPConfigPreset(&encoder_->config, WEBP_PRESET_DRAWING, kQuality));
    encoder_->config.method = kMethod;
    encoder_->width = width;
    encoder_->height = height;
    encoder_->fps = options.fps;
    encoder_->file.reset(WebPAnimEncoderNew(side(width), side(height), &how));
    require(encoder_->file ? 1 : 0);
}

WebpAnimation::WebpAnimation(WebpAnimation&&) noexcept = default;
WebpAnimation& WebpAnimation::operator=(WebpAnimation&&) noexcept = default;
WebpAnimation::~WebpAnimation() = default;

void WebpAnimation::add(const Raster& frame) {
    ULNA_ASSERT(encoder_ && encoder_->file, "the animation is finished");
    ULNA_ASSERT(frame.width == encoder_->width && frame.height == encoder_->height,
                "frames of an animation have one size");
    Picture picture(frame);
    require(
        WebPAnimEncoderAdd(encoder_->file.get(), &picture, encoder_->time(), &encoder_->config));
    ++encoder_->frames;
}

std::string WebpAnimation::finish() {
    ULNA_ASSERT(encoder_ && encoder_->file && encoder_->frames > 0,
                "an animation that is not finished, with a frame");
    require(WebPAnimEncoderAdd(encoder_->file.get(), nullptr, encoder_->time(), nullptr));
    WebPData data{};
    const std::unique_ptr<WebPData, void (*)(WebPData*)> owner(&data, WebPDataClear);
    require(WebPAnimEncoderAssemble(encoder_->file.get(), &data));
    encoder_->file.reset();
    return taken(data.bytes, data.size);
}

}  // namespace ulna::draw
