// SPDX-License-Identifier: Apache-2.0

// Pictures as WebP files, still and animated. Browsers, chats and documents play an animation as
// they show a picture. The same pictures give the same bytes. Not available in WebAssembly builds:
// the browser has its own encoder.
//
//     WebpAnimation film(width, height, {.fps = 30.0});
//     for (const Raster& frame : frames) film.add(frame);
//     const std::string bytes = film.finish();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ulna/draw/raster.h"

namespace ulna::draw {

/// The most pixels that a WebP picture is wide, or high.
inline constexpr std::size_t kMostWebpSide = 16383;

/// The bytes of a WebP file of one picture. It is lossless.
/// @pre the image has at least one pixel, and each side at most kMostWebpSide.
[[nodiscard]] std::string writeWebp(const Raster& image);

struct WebpAnimationOptions {
    double fps = 25.0;        ///< frames per second; @pre 0 < fps <= 1000
    std::uint16_t loops = 0;  ///< how often the animation plays; 0: for ever
};

/// An animated WebP file that is being made, frame by frame. Each frame is coded as what changed in
/// it, lossless or at high quality, whichever is smaller.
class WebpAnimation {
  public:
    /// @pre each side is 1 to kMostWebpSide.
    WebpAnimation(std::size_t width, std::size_t height, const WebpAnimationOptions& options = {});
    WebpAnimation(WebpAnimation&&) noexcept;
    WebpAnimation& operator=(WebpAnimation&&) noexcept;
    ~WebpAnimation();

    /// @pre the frame has the size of the animation, which is not finished.
    void add(const Raster& frame);
    /// The bytes of the file. An animation of one frame is a still picture.
    /// @pre there is a frame, and the animation is not finished.
    [[nodiscard]] std::string finish();

  private:
    struct Encoder;
    std::unique_ptr<Encoder> encoder_;
};

}  // namespace ulna::draw
