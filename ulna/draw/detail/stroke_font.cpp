// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/stroke_font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ulna/draw/detail/fitting_text.h"
#include "ulna/draw/detail/ink.h"
#include "ulna/math/vec.h"

namespace ulna::draw::detail {
namespace {

// A character is strokes with spaces between, each a chain of points of two digits: x in half
// steps, y with the baseline at 2, small letters up to 6 and capitals up to 8. A stroke that begins
// with ~ is a curve along its points, closed where it ends in its first point.
// clang-format off
constexpr std::array<std::string_view, 95> kGlyphs = {
    "",  // space
    "0804 0202",  // !
    "0806 2826",  // "
    "2228 6268 0484 0686",  // #
    "~7768480805458582421203 4941",  // $
    "0288 ~180806262818 ~746462828474",  // %
    "~822618585604025284",  // &
    "0806",  // '
    "~29070321",  // (
    "~09272301",  // )
    "2824 0745 4705",  // *
    "0565 3733",  // +
    "1201",  // ,
    "0545",  // -
    "0202",  // .
    "0159",  // /
    "~380805023262656838",  // 0
    "072822",  // 1
    "~07083868654302 0262",  // 2
    "~07183868653525 ~356562321203",  // 3
    "52580474",  // 4
    "580805 ~0536666462321203",  // 5
    "~574828060402326265350504",  // 6
    "086822",  // 7
    "~38080535656838 ~35050232626535",  // 8
    "~132242646668380805356566",  // 9
    "0202 0505",  // :
    "1201 1515",  // ;
    "580552",  // <
    "0464 0666",  // =
    "085502",  // >
    "~07083868653534 3232",  // ?
    "~46262444646646 ~66648488480805024272",  // @
    "024882 1474",  // A
    "0208 ~084878754505 ~054585824202",  // B
    "~776848080502426273",  // C
    "0208 ~08387875723202",  // D
    "78080272 0555",  // E
    "780802 0555",  // F
    "~776848080502427275 7545",  // G
    "0208 7278 0575",  // H
    "0208",  // I
    "~585452220203",  // J
    "0208 7804 2572",  // K
    "080262",  // L
    "0208448882",  // M
    "02087278",  // N
    "~480805024282858848",  // O
    "0208 ~084878744404",  // P
    "~480805024282858848 6481",  // Q
    "0208 ~084878754505 4572",  // R
    "~7768480805458582421203",  // S
    "0888 4842",  // T
    "~08050242828588",  // U
    "084288",  // V
    "0822476288",  // W
    "0872 0278",  // X
    "084588 4542",  // Y
    "08780272",  // Z
    "29090121",  // [
    "0951",  // backslash
    "09292101",  // ]
    "062846",  // ^
    "0161",  // _
    "0827",  // `
    "~360604023262646636 6662",  // a
    "0802 ~360604023262646636",  // b
    "~554636060402324253",  // c
    "~360604023262646636 6862",  // d
    "0464 ~646636060402325263",  // e
    "~48282622 0646",  // f
    "~360604023262646636 ~666360301001",  // g
    "0802 ~040636666462",  // h
    "0602 0808",  // i
    "~2623201000 2828",  // j
    "0802 5604 2552",  // k
    "~08040222",  // l
    "0602 ~040626464442 ~444666868482",  // m
    "0602 ~040636666462",  // n
    "~360604023262646636",  // o
    "0600 ~360604023262646636",  // p
    "~360604023262646636 6660",  // q
    "0602 ~04062646",  // r
    "~5546260604346462321203",  // s
    "~2825224252 0646",  // t
    "~060402326264 6662",  // u
    "063266",  // v
    "0622456286",  // w
    "0652 0256",  // x
    "0632 663210",  // y
    "06560252",  // z
    "~391917160514131131",  // {
    "0901",  // |
    "~092927263524232101",  // }
    "~051626445465",  // ~
};
// clang-format on
constexpr std::string_view kUnknown = "0208686202";

// In sizes of the font.
constexpr double kStepX = 0.066, kStepY = 0.12, kGap = 0.21, kSpace = 0.34, kPen = 0.095;

using Stroke = std::vector<Vec2>;

// Corners are cut twice (Chaikin, "An algorithm for high-speed curve generation", 1974).
Stroke smooth(Stroke stroke) {
    const bool closed = stroke.size() > 2 && stroke.front() == stroke.back();
    for (int round = 0; round < 3; ++round) {
        Stroke out;
        if (!closed) out.push_back(stroke.front());
        for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
            const Vec2 &a = stroke[i], &b = stroke[i + 1];
            out.push_back(a * 0.75 + b * 0.25);
            out.push_back(a * 0.25 + b * 0.75);
        }
        out.push_back(closed ? out.front() : stroke.back());
        stroke = std::move(out);
    }
    return stroke;
}

// The strokes of a character in sizes of the font, y up from the baseline.
std::vector<Stroke> strokesOf(std::string_view glyph) {
    std::vector<Stroke> out;
    bool curve = false;
    const auto finish = [&] {
        if (curve && !out.empty()) out.back() = smooth(out.back());
        curve = false;
    };
    out.emplace_back();
    for (std::size_t i = 0; i < glyph.size(); ++i) {
        if (glyph[i] == ' ') {
            finish();
            out.emplace_back();
        } else if (glyph[i] == '~') {
            curve = true;
        } else {
            const double x = glyph[i] - '0', y = glyph[i + 1] - '0';
            out.back().push_back({x * kStepX, (y - 2.0) * kStepY});
            ++i;
        }
    }
    finish();
    return out;
}

double advance(std::string_view glyph) {
    if (glyph.empty()) return kSpace;
    double widest = 0.0;
    for (const Stroke& stroke : strokesOf(glyph)) {
        for (const Vec2& p : stroke) widest = std::max(widest, p.x);
    }
    return widest + kGap;
}

// Calls `each` with the glyph of every character; of UTF-8 only first bytes count.
template <class Each>
void forGlyphs(std::string_view text, const Each& each) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0U) == 0x80U) continue;
        if (byte < 32) {
            each(kGlyphs[0]);
        } else {
            each(byte < 127 ? kGlyphs[byte - 32U] : kUnknown);
        }
    }
}

}  // namespace

double textWidth(std::string_view text, double size) {
    double width = 0.0;
    forGlyphs(text, [&](std::string_view glyph) { width += advance(glyph); });
    return text.empty() ? 0.0 : (width - kGap) * size;
}

std::string fittingText(std::string_view text, double size, double width) {
    return cutText(text, width, [size](std::string_view part) { return textWidth(part, size); });
}

void drawText(std::string_view text, double middle, double baseline, double size,
              const Color& color, Raster& image) {
    // The strip of the image that the line can touch, from the tallest to the lowest stroke.
    const double pen = std::max(1.0, kPen * size) / 2.0;
    const auto row = [&](double y) {
        return static_cast<std::size_t>(std::clamp(y, 0.0, static_cast<double>(image.height)));
    };
    const std::size_t top = row(std::floor(baseline - size)),
                      bottom = row(std::ceil(baseline + 0.4 * size));
    Ink ink(0, top, image.width, bottom - top);
    double left = middle - textWidth(text, size) / 2.0;
    forGlyphs(text, [&](std::string_view glyph) {
        for (const Stroke& stroke : strokesOf(glyph)) {
            const auto onPage = [&](const Vec2& p) {
                return Vec2{left + p.x * size, baseline - p.y * size - static_cast<double>(top)};
            };
            for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
                ink.line(onPage(stroke[i]), onPage(stroke[i + 1]), pen);
        }
        left += advance(glyph) * size;
    });
    ink.pour(color, image);
}

}  // namespace ulna::draw::detail
