// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/retarget_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/draw/bone_mesh.h"
#include "ulna/draw/detail/bones.h"
#include "ulna/draw/detail/stroke_font.h"
#include "ulna/draw/figure.h"
#include "ulna/draw/plot.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

// What dots and shadows of feet mean, in legends.
constexpr const char* kDots = "dots: heel and ball of each foot, filled in contact";

// A body on the ground, where y is up and the floor is at 0.
class Actor {
  public:
    explicit Actor(const RetargetActor& actor)
        : actor_(actor), ground_from_model_(conjugate(actor.model_from_ground)) {
        const ModelPose first = modelAt(0.0);
        size_ = detail::poseSize(first);
    }

    [[nodiscard]] double size() const { return size_; }

    [[nodiscard]] ModelPose modelAt(double time) const {
        ModelPose out = computeModelPose(actor_.skeleton, samplePose(actor_.motion, time));
        const Affine on_ground =
            toAffine(Trs{.translation = {0, -actor_.floor, 0}, .rotation = ground_from_model_});
        for (Affine& each : out.model_from_joint) each = on_ground * each;
        return out;
    }

    [[nodiscard]] std::vector<Mesh> meshesAt(double time) const {
        if (!actor_.meshesOf) return {makeBoneMeshInPlace(actor_.skeleton, modelAt(time), size_)};
        std::vector<Mesh> out = actor_.meshesOf(samplePose(actor_.motion, time));
        for (Mesh& mesh : out) {
            const auto rotated = [&](const Vec3f& v) {
                return rotate(ground_from_model_, Vec3{double(v.x), double(v.y), double(v.z)});
            };
            for (Vec3f& p : mesh.positions) p = cast<float>(rotated(p) - Vec3{0, actor_.floor, 0});
            for (Vec3f& n : mesh.normals) n = cast<float>(rotated(n));
        }
        return out;
    }

    /// Below the middle of the joints.
    [[nodiscard]] Vec3 spotAt(double time) const {
        const ModelPose model = modelAt(time);
        Vec3 sum;
        for (const Affine& each : model.model_from_joint) sum += each.translation();
        sum = sum / static_cast<double>(std::max<std::size_t>(1, model.model_from_joint.size()));
        return {sum.x, 0.0, sum.z};
    }

  private:
    const RetargetActor& actor_;
    Quat ground_from_model_;
    double size_ = 1.0;
};

// Left and right: heel and ball.
std::vector<FigureDot> dotsAt(const Contacts& contacts, std::size_t frame) {
    if (contacts.contacts.empty()) return {};
    std::vector<FigureDot> out;
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
        for (const SolePart part : {SolePart::Heel, SolePart::Ball}) {
            const bool on = std::any_of(contacts.contacts.begin(), contacts.contacts.end(),
                                        [&](const Contact& each) {
                                            return each.side == side && each.part == part &&
                                                   each.first <= frame && frame <= each.last;
                                        });
            out.push_back({detail::colorOf(side), on});
        }
    }
    return out;
}

// Frames of a strip, from the first to the last.
std::vector<std::size_t> framesOf(const RetargetPicture& picture, std::size_t count) {
    const std::size_t frames = picture.result.motion.frameCount();
    ULNA_ASSERT(frames > 0 && picture.source.motion.frameCount() == frames,
                "a result has the frames of its source");
    count = std::clamp<std::size_t>(count, 1, frames);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(count == 1 ? 0 : (i * (frames - 1) + (count - 1) / 2) / (count - 1));
    return out;
}

std::string timeText(const Motion& motion, std::size_t frame) {
    return fmt::format("{:.2f} s", motion.timeOf(frame));
}

// Of texts beside a strip: as large as its captions.
double captionSize(std::size_t height) {
    return std::clamp(0.026 * static_cast<double>(height), 11.0, 48.0);
}

// The name of a row, above it.
Raster titleOf(const std::string& title, double size, const Raster& row, const Color& background) {
    Raster out{row.width, static_cast<std::size_t>(std::ceil(2.0 * size)), {}, row.pixels_per_unit};
    out.pixels.assign(out.width * out.height, background);
    const std::string text =
        detail::fittingText(title, size, static_cast<double>(row.width) - 2.0 * size);
    detail::drawText(text, size + 0.5 * detail::textWidth(text, size), 1.5 * size, size,
                     detail::kTextColor, out);
    return out;
}

}  // namespace

double figureSize(const RetargetPicture& picture) {
    return std::max(Actor(picture.source).size(), Actor(picture.result).size());
}

Legend retargetLegend(const RetargetPicture& picture) {
    Legend out{.scale = ScaleBar{.unit = picture.unit}};
    for (const RetargetActor* actor : {&picture.source, &picture.result}) {
        if (actor->meshesOf) continue;
        for (const LegendColor& each : boneColors(actor->skeleton)) {
            const bool known =
                std::any_of(out.colors.begin(), out.colors.end(),
                            [&](const LegendColor& other) { return other.color == each.color; });
            if (!known) out.colors.push_back(each);
        }
    }
    if (picture.contacts.contacts.empty()) return out;
    out.note = kDots;
    // Dots have the colours of the sides, whether or not bones show them.
    for (const detail::SideColor& side : {detail::kSideColors[0], detail::kSideColors[1]}) {
        const bool known =
            std::any_of(out.colors.begin(), out.colors.end(),
                        [&](const LegendColor& other) { return other.color == side.color; });
        if (!known) out.colors.push_back({side.color, side.name});
    }
    return out;
}

std::string drawRetarget(const RetargetPicture& picture, const RetargetPictureOptions& options) {
    const std::vector<std::size_t> frames = framesOf(picture, options.figures);
    std::vector<FigurePose> poses;
    for (const RetargetActor* actor : {&picture.source, &picture.result}) {
        const Actor on_ground(*actor);
        for (const std::size_t f : frames) {
            const double time = actor->motion.timeOf(f);
            poses.push_back({.model = on_ground.modelAt(time),
                             .caption = timeText(actor->motion, f),
                             .skeleton = &actor->skeleton,
                             .spot = on_ground.spotAt(time),
                             .dots = dotsAt(picture.contacts, f)});
        }
    }
    const std::string strip = drawFigures(picture.result.skeleton, poses,
                                          {.view = options.view,
                                           .height = static_cast<double>(options.height),
                                           .columns = frames.size(),
                                           .row_titles = {picture.source.name, picture.result.name},
                                           .unit = picture.unit,
                                           .note = picture.contacts.contacts.empty() ? "" : kDots});
    if (!picture.feet) return strip;
    constexpr double kLeastWidth = 720.0;
    const std::string both[] = {
        strip, drawFootPlot(*picture.feet, std::max(kLeastWidth, pictureWidth(strip)))};
    return stackPictures(both);
}

Raster shadeRetarget(const RetargetPicture& picture, const RetargetPictureOptions& options) {
    const std::vector<std::size_t> frames = framesOf(picture, options.figures);
    ShadedOptions how{.view = options.view,
                      .height = options.height,
                      .background = options.background,
                      .threads = options.threads};
    std::vector<AnimatedFigure> figures;
    for (const RetargetActor* actor : {&picture.source, &picture.result}) {
        const Actor on_ground(*actor);
        for (const std::size_t f : frames) {
            const double time = actor->motion.timeOf(f);
            figures.push_back({.meshes = on_ground.meshesAt(time),
                               .caption = timeText(actor->motion, f),
                               .spot = on_ground.spotAt(time),
                               .dots = dotsAt(picture.contacts, f)});
        }
    }
    // One room for both rows: one scale and one ground.
    const std::vector<ShadedFigure> shaded = shadedFigures(figures);
    how.room = roomOf(shaded, how);
    std::vector<Raster> parts;
    for (std::size_t row = 0; row < 2; ++row) {
        how.progress = [&](double done) {
            return !options.progress || options.progress(0.5 * (static_cast<double>(row) + done));
        };
        Raster figures_of_row =
            drawShaded(std::span(shaded).subspan(row * frames.size(), frames.size()), how);
        parts.push_back(titleOf(row == 0 ? picture.source.name : picture.result.name,
                                1.2 * captionSize(options.height), figures_of_row,
                                options.background));
        parts.push_back(std::move(figures_of_row));
    }
    Raster out = stackRasters(parts, options.background);
    Legend legend = retargetLegend(picture);
    legend.scale->pixels_per_unit = out.pixels_per_unit;
    legend.text = captionSize(options.height);
    out = withLegend(out, legend, options.background);
    if (!picture.feet) return out;
    // Texts of the plot are as large as those of the strip.
    const double scale = std::max(1.0, static_cast<double>(options.height) / 320.0);
    constexpr double kLeastWidth = 720.0;
    const double width = std::max(kLeastWidth, static_cast<double>(out.width) / scale);
    const Raster all[] = {out, shadeFootPlot(*picture.feet, width, scale, options.background)};
    return stackRasters(all, options.background);
}

FrameFigures retargetFrames(const RetargetPicture& picture, const AnimationTimes& film) {
    struct Half {
        Actor actor;
        std::string name;
        std::vector<Vec3> spots;
    };
    std::vector<Half> halves;
    for (const RetargetActor* each : {&picture.source, &picture.result}) {
        Half half{Actor(*each), each->name, {}};
        std::vector<Vec3> path;
        for (const double time : film.times) path.push_back(half.actor.spotAt(time));
        constexpr double kStill = 0.2;
        half.spots = followedPath(path, film.fps, kStill * half.actor.size());
        halves.push_back(std::move(half));
    }
    const double frame_time = picture.result.motion.frameTime();
    return [halves = std::move(halves), &picture, times = film.times, frame_time](std::size_t i) {
        const auto frame = static_cast<std::size_t>(std::lround(times[i] / frame_time));
        std::vector<AnimatedFigure> out;
        for (const Half& half : halves)
            out.push_back({.meshes = half.actor.meshesAt(times[i]),
                           .caption = half.name,
                           .spot = half.spots[i],
                           .dots = dotsAt(picture.contacts, frame)});
        return out;
    };
}

}  // namespace ulna::draw
