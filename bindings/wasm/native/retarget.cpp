// SPDX-License-Identifier: Apache-2.0

// Retargeting: clips of one body played by another, and the contacts of feet.
#include <array>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/retarget/rest_pose.h"

namespace ulna::engine {
namespace {

using Soles = std::array<std::vector<Vec3>, 2>;

/// One side of a retargeting, as the library takes it.
struct Body {
    Character character;
    Pose rest;
    Soles soles;
};

std::vector<Vec3> pointsOf(const std::vector<double>& numbers) {
    std::vector<Vec3> out;
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
        out.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    return out;
}

std::vector<double> numbersOf(const std::vector<Vec3>& points) {
    std::vector<double> out;
    for (const Vec3& p : points) out.insert(out.end(), {p.x, p.y, p.z});
    return out;
}

// Of the request, and behind it how many meshes, and pointers to these.
Body readBody(Reader& in, const SkeletonObject& skeleton) {
    BodyRequest request;
    read(in, request);
    Body out{.character = {.skeleton = *skeleton.skeleton},
             .rest = request.rest ? *std::move(request.rest) : restPose(*skeleton.skeleton),
             .soles = {}};
    for (std::size_t meshes = in.size(); meshes > 0; --meshes) {
        const auto* mesh = reinterpret_cast<const MeshObject*>(in.size());
        out.character.meshes.push_back(mesh->mesh);
    }
    out.soles = request.has_soles ? Soles{pointsOf(request.left), pointsOf(request.right)}
                                  : solesOf(out.character, out.rest);
    return out;
}

RetargetOptions optionsOf(RetargetRequest& request) {
    RetargetOptions out{.feet = request.feet,
                        .keep = request.keep,
                        .contact = request.contact,
                        .floor = request.floor,
                        .speed = request.speed};
    if (request.has_contacts)
        out.contacts = Contacts{request.contact_floor, std::move(request.spans)};
    return out;
}

std::vector<double> numbersOf(const Affine& a) {
    const double* first = &a.columns[0][0];
    return {first, first + 16};
}

}  // namespace

/// The input has the options, the source, and the target.
ClipObject* clipRetarget(ClipObject& clip, SkeletonObject& source, SkeletonObject& target) {
    Reader in;
    RetargetRequest request;
    read(in, request);
    const Body from = readBody(in, source);
    const Body to = readBody(in, target);
    const Result<Motion> frames = makeFrames(wholeClip(clip));
    if (!frames) {
        fail(frames.error());
        return nullptr;
    }
    Result<RetargetResult> made = retargetClip(from.character, *frames, to.character,
                                               {.retarget = optionsOf(request),
                                                .source_rest = &from.rest,
                                                .target_rest = &to.rest,
                                                .source_soles = &from.soles,
                                                .target_soles = &to.soles,
                                                .limits = request.limits},
                                               tellProgress);
    if (!made) {
        fail(made.error());
        return nullptr;
    }
    clearReply();
    put(RetargetReply{.report = made->report,
                      .contacts = std::move(made->contacts),
                      .target_from_source = numbersOf(made->target_from_source),
                      .warnings = retargetWarnings(*target.skeleton, made->report)});
    auto* out = new ClipObject{target.skeleton, std::move(made->motion)};
    out->pose = restPose(*target.skeleton);
    return out;
}

/// The input has the options, then the body.
Result<Contacts> clipContacts(ClipObject& clip, SkeletonObject& skeleton) {
    Reader in;
    ContactOptions options;
    read(in, options);
    const Body body = readBody(in, skeleton);
    const Result<Motion> frames = makeFrames(wholeClip(clip));
    if (!frames) return frames.error();
    return findContacts(*skeleton.skeleton, body.rest, *frames, options);
}

/// The input has the body.
SolesReply skeletonSoles(SkeletonObject& skeleton) {
    Reader in;
    const Body body = readBody(in, skeleton);
    return {.left = numbersOf(body.soles[0]), .right = numbersOf(body.soles[1])};
}

/// The pose is in the input.
bool skeletonReplacesRest(SkeletonObject& skeleton) {
    readPose(0, skeleton.pose);
    return replacesRest(*skeleton.skeleton, skeleton.pose);
}

}  // namespace ulna::engine
