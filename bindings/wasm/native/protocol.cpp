// SPDX-License-Identifier: Apache-2.0

// Made by generate.mjs of protocol.mjs, which is the file to change.
// clang-format off
#include "bindings/wasm/native/protocol.h"

namespace ulna::engine {
namespace {

template <class Value, std::size_t n>
double indexIn(const Value (&values)[n], Value value) {
    for (std::size_t i = 0; i < n; ++i)
        if (values[i] == value) return static_cast<double>(i);
    return -1.0;
}

}  // namespace

void read(Reader& in, OpenOptions& out) {
    out.strict = in.flag();
    out.lenient = in.flag();
    out.position_channels = kPositionChannels[in.size()];
}

void read(Reader& in, SaveOptions& out) {
    out.frame_rate = in.number();
    if (const int which = in.integer(); which >= 0) out.order = kEulerOrders[which];
    out.root_only_positions = in.flag();
}

void read(Reader& in, PositionGoal& out) {
    out.joint = in.joint();
    out.target = in.vec3();
    out.point = in.vec3();
}

void read(Reader& in, PinRequest& out) {
    out.joint = in.joint();
    if (in.flag()) out.target = in.vec3();
    out.point = in.vec3();
}

void read(Reader& in, OrientationRequest& out) {
    out.joint = in.joint();
    if (in.flag()) out.target = in.quat();
}

void read(Reader& in, AimGoal& out) {
    out.joint = in.joint();
    out.target = in.vec3();
    out.axis = in.vec3();
    out.eye = in.vec3();
}

void read(Reader& in, PoleGoal& out) {
    out.start = in.joint();
    out.mid = in.joint();
    out.end = in.joint();
    out.pole = in.vec3();
}

void read(Reader& in, PlaneGoal& out) {
    out.joint = in.joint();
    out.normal = in.vec3();
    out.offset = in.number();
    out.side = kPlaneSides[in.size()];
    out.point = in.vec3();
}

void read(Reader& in, DistanceGoal& out) {
    out.joint_a = in.joint();
    out.joint_b = in.joint();
    out.distance = in.number();
    out.bound = kDistanceBounds[in.size()];
    out.point_a = in.vec3();
    out.point_b = in.vec3();
}

void read(Reader& in, RelativePositionGoal& out) {
    out.joint = in.joint();
    out.base = in.joint();
    out.target = in.vec3();
    out.point = in.vec3();
}

void read(Reader& in, RelativeOrientationGoal& out) {
    out.joint = in.joint();
    out.base = in.joint();
    out.target = in.quat();
}

void read(Reader& in, KeepApartGoal& out) {
    out.a.joint = in.joint();
    out.b.joint = in.joint();
    out.a.start = in.vec3();
    out.a.end = in.vec3();
    out.a.radius = in.number();
    out.b.start = in.vec3();
    out.b.end = in.vec3();
    out.b.radius = in.number();
    out.margin = in.number();
}

void read(Reader& in, ContactPoint& out) {
    out.joint = in.joint();
    out.point = in.vec3();
}

void read(Reader& in, JointMass& out) {
    out.joint = in.joint();
    out.mass = in.number();
    out.centre = in.vec3();
}

void read(Reader& in, BalanceGoal& out) {
    out.contacts.resize(in.size());
    for (auto& each : out.contacts) read(in, each);
    out.masses.resize(in.size());
    for (auto& each : out.masses) read(in, each);
    out.up = in.vec3();
    out.margin = in.number();
}

void read(Reader& in, PostureRequest& out) {
    out.pose = in.pose();
    out.joints.resize(in.size());
    for (auto& each : out.joints) each = in.joint();
}

void read(Reader& in, IkOptions& out) {
    out.method = kMethods[in.size()];
    out.continuity = in.flag();
    out.position_tolerance = in.number();
    out.angle_tolerance = in.number();
    out.max_iterations = static_cast<decltype(out.max_iterations)>(in.number());
    out.restarts = static_cast<decltype(out.restarts)>(in.number());
    out.seed = static_cast<decltype(out.seed)>(in.number());
    out.record_history = in.flag();
    out.fabrik_first = in.flag();
    out.chain = in.joint();
    out.step = in.number();
    out.damping = in.number();
    out.joint_damping = in.number();
    out.line_search = in.flag();
    out.ccd_direction = kCcdDirections[in.size()];
    out.locked.resize(in.size());
    for (auto& each : out.locked) each = in.joint();
    out.stiffness.resize(in.size());
    for (auto& each : out.stiffness) read(in, each);
}

void read(Reader& in, SolverRequest& out) {
    read(in, out.options);
    if (in.flag()) out.free_root = in.flag();
}

void read(Reader& in, JointStiffness& out) {
    out.joint = in.joint();
    out.stiffness = in.number();
}

void read(Reader& in, DragGrab& out) {
    out.joint = in.joint();
    out.start = in.vec3();
    out.point = in.vec3();
}

void read(Reader& in, DragPin& out) {
    out.joint = in.joint();
    out.target = in.vec3();
    if (in.flag()) out.orientation = in.quat();
    out.reached = in.flag();
}

void read(Reader& in, DragPole& out) {
    out.start = in.joint();
    out.mid = in.joint();
    out.end = in.joint();
    out.target = in.vec3();
}

void read(Reader& in, NaturalRules& out) {
    out.balance = in.flag();
    out.floor = in.flag();
    out.bulk = in.flag();
    out.pairs = in.flag();
}

void read(Reader& in, DragOptions& out) {
    out.method = kMethods[in.size()];
    out.max_iterations = static_cast<decltype(out.max_iterations)>(in.number());
    out.continuity = in.flag();
    out.natural = in.flag();
    read(in, out.rules);
    out.locked.resize(in.size());
    for (auto& each : out.locked) each = in.joint();
    out.size = in.number();
}

void read(Reader& in, DragRequest& out) {
    read(in, out.grab);
    read(in, out.options);
    out.pins.resize(in.size());
    for (auto& each : out.pins) read(in, each);
    out.poles.resize(in.size());
    for (auto& each : out.poles) read(in, each);
}

void read(Reader& in, LayerPin& out) {
    out.joint = in.joint();
    out.orientation = in.flag();
}

void read(Reader& in, LayerKeyRequest& out) {
    out.time = in.number();
    out.rotations.resize(in.size());
    for (double& each : out.rotations) each = in.number();
    out.translations.resize(in.size());
    for (double& each : out.translations) each = in.number();
}

void read(Reader& in, LayerRequest& out) {
    out.weight = in.number();
    out.muted = in.flag();
    out.in = in.number();
    out.out = in.number();
    out.pins.resize(in.size());
    for (auto& each : out.pins) read(in, each);
    out.keys.resize(in.size());
    for (auto& each : out.keys) read(in, each);
}

void read(Reader& in, LayersRequest& out) {
    out.layers.resize(in.size());
    for (auto& each : out.layers) read(in, each);
}

void read(Reader& in, ReduceRequest& out) {
    if (in.flag()) out.tolerance = in.number();
    out.interpolation = kInterpolations[in.size()];
}

void read(Reader& in, WeightOptions& out) {
    out.method = kWeightMethods[in.size()];
    out.stiffness = in.number();
    out.most = static_cast<decltype(out.most)>(in.number());
}

void read(Reader& in, TieRequest& out) {
    read(in, out.weights);
    out.pose = in.pose();
    out.z_up = in.flag();
}

void read(Reader& in, PaintRequest& out) {
    out.centre = in.vec3();
    out.radius = in.number();
    out.mode = kPaintModes[in.size()];
    out.strength = in.number();
    out.value = in.number();
    out.locked.resize(in.size());
    for (auto& each : out.locked) each = in.joint();
}

void read(Reader& in, FitRequest& out) {
    out.loss = kFitLosses[in.size()];
    out.loss_scale = in.number();
    out.tolerance = in.number();
    out.max_iterations = static_cast<decltype(out.max_iterations)>(in.number());
    out.smoothness = in.number();
    out.locked.resize(in.size());
    for (auto& each : out.locked) each = in.joint();
    out.pinned.resize(in.size());
    for (auto& each : out.pinned) each = in.joint();
    out.masses.resize(in.size());
    for (double& each : out.masses) each = in.number();
    out.missing_nan = in.flag();
}

void read(Reader& in, ContactOptions& out) {
    if (in.flag()) out.floor = in.number();
    out.begin_height = in.number();
    out.begin_speed = in.number();
    out.end_height = in.number();
    out.end_speed = in.number();
    out.shortest = in.number();
}

void read(Reader& in, RetargetKeep& out) {
    out.floor = in.flag();
    out.pair = in.flag();
    out.body = in.flag();
}

void read(Reader& in, Contact& out) {
    out.side = kSoleSides[in.size()];
    out.part = kSoleParts[in.size()];
    out.first = static_cast<decltype(out.first)>(in.number());
    out.last = static_cast<decltype(out.last)>(in.number());
}

void read(Reader& in, RetargetRequest& out) {
    out.feet = kRetargetFeet[in.size()];
    read(in, out.keep);
    out.limits = kLimits[in.size()];
    out.floor = in.number();
    out.speed = in.number();
    read(in, out.contact);
    out.has_contacts = in.flag();
    out.contact_floor = in.number();
    out.spans.resize(in.size());
    for (auto& each : out.spans) read(in, each);
}

void read(Reader& in, BodyRequest& out) {
    out.rest = in.pose();
    out.has_soles = in.flag();
    out.left.resize(in.size());
    for (double& each : out.left) each = in.number();
    out.right.resize(in.size());
    for (double& each : out.right) each = in.number();
}

void read(Reader& in, GoalRequest& out) {
    if (in.flag()) out.weight = in.number();
    out.level = static_cast<decltype(out.level)>(in.number());
    out.enabled = in.flag();
    switch (in.integer()) {
        case 0:
            read(in, out.kind.emplace<PositionGoal>());
            break;
        case 1:
            read(in, out.kind.emplace<PinRequest>());
            break;
        case 2:
            read(in, out.kind.emplace<OrientationRequest>());
            break;
        case 3:
            read(in, out.kind.emplace<AimGoal>());
            break;
        case 4:
            read(in, out.kind.emplace<PoleGoal>());
            break;
        case 5:
            read(in, out.kind.emplace<PlaneGoal>());
            break;
        case 6:
            read(in, out.kind.emplace<DistanceGoal>());
            break;
        case 7:
            read(in, out.kind.emplace<RelativePositionGoal>());
            break;
        case 8:
            read(in, out.kind.emplace<RelativeOrientationGoal>());
            break;
        case 9:
            read(in, out.kind.emplace<KeepApartGoal>());
            break;
        case 10:
            read(in, out.kind.emplace<BalanceGoal>());
            break;
        case 11:
            read(in, out.kind.emplace<PostureRequest>());
            break;
        default:
            break;
    }
}


void put(const Diagnostic& value) {
    put(std::string_view(value.what));
    put(std::string_view(value.location.file));
    put(static_cast<double>(value.location.line));
    put(static_cast<double>(value.location.column));
    put(std::string_view(value.location.json_path));
    put(std::string_view(value.text));
    put(std::string_view(value.advice));
    put(std::string_view(describe(value)));
}

void put(const DocumentReply& value) {
    put(indexIn(kDocumentFormats, value.format));
    putAddress(value.skeleton);
    put(static_cast<double>(value.clips.size()));
    for (const auto& each : value.clips) putAddress(each);
    put(static_cast<double>(value.meshes.size()));
    for (const auto& each : value.meshes) putAddress(each);
    put(static_cast<double>(value.size));
    put(static_cast<double>(value.usual_clip));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
}

void put(const io::MaterialSet& value) {
    put(static_cast<double>(value.images.size()));
    for (const auto& each : value.images) put(each);
    put(static_cast<double>(value.materials.size()));
    for (const auto& each : value.materials) put(each);
}

void put(const MeshFileReply& value) {
    put(static_cast<double>(value.position_count));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
}

void put(const WrittenReply& value) {
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
    put(std::string_view(value.bytes));
}

void put(const ConeLimit& value) {
    put(value.axis);
    put(static_cast<double>(value.swing_max));
    put(static_cast<double>(value.twist_min));
    put(static_cast<double>(value.twist_max));
}

void put(const Trs& value) {
    put(value.translation);
    put(value.rotation);
    put(value.scale);
}

void put(const JointReply& value) {
    put(std::string_view(value.name));
    put(static_cast<double>(value.parent));
    put(indexIn(kJointKinds, value.kind));
    put(value.rest);
    put(static_cast<double>(value.axes.size()));
    for (const auto& each : value.axes) put(each);
    put(std::string_view(value.order));
    put(value.tip);
    put(static_cast<double>(value.radius));
    put(value.end_site ? 1.0 : 0.0);
    put(value.locked ? 1.0 : 0.0);
    put(static_cast<double>(value.stiffness));
    put(static_cast<double>(value.first_dof));
    put(static_cast<double>(value.dof_count));
    put(value.cone ? 1.0 : 0.0);
    if (value.cone) put(*value.cone);
    put(indexIn(kHandleRanks, value.rank));
}

void put(const DofReply& value) {
    put(std::string_view(value.name));
    put(static_cast<double>(value.joint));
    put(value.is_angle ? 1.0 : 0.0);
    put(indexIn(kMovements, value.movement));
    put(static_cast<double>(value.min));
    put(static_cast<double>(value.max));
}

void put(const SkeletonReply& value) {
    put(value.planar ? 1.0 : 0.0);
    put(value.z_up ? 1.0 : 0.0);
    put(static_cast<double>(value.height));
    put(value.facing);
    put(static_cast<double>(value.joints.size()));
    for (const auto& each : value.joints) put(each);
    put(static_cast<double>(value.dofs.size()));
    for (const auto& each : value.dofs) put(each);
}

void put(const HandState& value) {
    put(value.shape ? indexIn(kHandShapes, *value.shape) : -1.0);
    put(static_cast<double>(value.curl));
    put(static_cast<double>(value.spread));
    put(static_cast<double>(value.oppose));
    put(static_cast<double>(value.joints.size()));
    for (const auto& each : value.joints) put(static_cast<double>(each));
}

void put(const RecognisedJoint& value) {
    put(static_cast<double>(value.joint));
    put(std::string_view(value.part));
}

void put(const StageReply& value) {
    put(indexIn(kLimits, value.limits));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
    put(static_cast<double>(value.recognised.size()));
    for (const auto& each : value.recognised) put(each);
    put(static_cast<double>(value.feet.size()));
    for (const auto& each : value.feet) put(static_cast<double>(each));
}

void put(const ClampReply& value) {
    put(static_cast<double>(value.joints.size()));
    for (const auto& each : value.joints) put(static_cast<double>(each));
}

void put(const ArcHandle& value) {
    put(static_cast<double>(value.dof));
    put(value.is_angle ? 1.0 : 0.0);
    put(value.axis);
    put(value.zero);
    put(static_cast<double>(value.value));
    put(static_cast<double>(value.limit.min));
    put(static_cast<double>(value.limit.max));
}

void put(const ConeHandle& value) {
    put(value.axis);
    put(value.pointer);
    put(static_cast<double>(value.swing));
    put(static_cast<double>(value.limit.swing_max));
    put(value.zero);
    put(static_cast<double>(value.twist));
    put(static_cast<double>(value.limit.twist_min));
    put(static_cast<double>(value.limit.twist_max));
}

void put(const JointHandles& value) {
    put(value.origin);
    put(static_cast<double>(value.arcs.size()));
    for (const auto& each : value.arcs) put(each);
    put(value.cone ? 1.0 : 0.0);
    if (value.cone) put(*value.cone);
}

void put(const SolverReply& value) {
    put(static_cast<double>(value.position_tolerance));
    put(static_cast<double>(value.reach));
    put(static_cast<double>(value.target_sizes.size()));
    for (const auto each : value.target_sizes) put(static_cast<double>(each));
}

void put(const IkReport& value) {
    put(indexIn(kSolverStatuses, value.status));
    put(static_cast<double>(value.iterations));
    put(static_cast<double>(value.attempts));
    put(static_cast<double>(value.cost));
    put(static_cast<double>(value.gradient));
    putNumbers(value.goal_errors);
    putNumbers(value.history);
}

void put(const DragTrace& value) {
    put(static_cast<double>(value.poses.size()));
    for (const auto& each : value.poses) putPose(each);
    putNumbers(value.costs);
    putNumbers(value.errors);
    put(indexIn(kSolverStatuses, value.status));
}

void put(const JointsReply& value) {
    put(static_cast<double>(value.joints.size()));
    for (const auto& each : value.joints) put(static_cast<double>(each));
}

void put(const DragReply& value) {
    put(std::string_view(value.note));
}

void put(const DragStep& value) {
    put(value.report);
    put(value.more ? 1.0 : 0.0);
    put(indexIn(kSolverStatuses, value.status));
}

void put(const DragPin& value) {
    put(value.target);
    put(value.reached ? 1.0 : 0.0);
}

void put(const DragPole& value) {
    put(static_cast<double>(value.start));
    put(static_cast<double>(value.mid));
    put(static_cast<double>(value.end));
    put(value.target);
}

void put(const PoleReply& value) {
    put(value.pole ? 1.0 : 0.0);
    if (value.pole) put(*value.pole);
}

void put(const PointReply& value) {
    put(value.point);
}

void put(const ClipReply& value) {
    put(value.is_frames ? 1.0 : 0.0);
    put(static_cast<double>(value.duration));
    put(static_cast<double>(value.frame_time));
    put(static_cast<double>(value.frame_count));
    put(static_cast<double>(value.key_count));
    put(value.dense ? 1.0 : 0.0);
    put(std::string_view(value.name));
}

void put(const LayerKeyReply& value) {
    put(static_cast<double>(value.time));
    putNumbers(value.rotations);
    putNumbers(value.translations);
}

void put(const LayerKeysReply& value) {
    put(static_cast<double>(value.keys.size()));
    for (const auto& each : value.keys) put(each);
}

void put(const ReduceReport& value) {
    put(static_cast<double>(value.keys));
    put(static_cast<double>(value.ratio()));
    put(static_cast<double>(value.worst_error));
    put(static_cast<double>(value.worst_joint));
    put(static_cast<double>(value.worst_time));
}

void put(const KeyReply& value) {
    put(static_cast<double>(value.time));
    put(static_cast<double>(value.value.size()));
    for (const auto each : value.value) put(static_cast<double>(each));
    put(static_cast<double>(value.in.size()));
    for (const auto each : value.in) put(static_cast<double>(each));
    put(static_cast<double>(value.out.size()));
    for (const auto each : value.out) put(static_cast<double>(each));
}

void put(const TrackReply& value) {
    put(static_cast<double>(value.joint));
    put(indexIn(kParts, value.part));
    put(indexIn(kInterpolations, value.interpolation));
    put(static_cast<double>(value.keys.size()));
    for (const auto& each : value.keys) put(each);
}

void put(const TracksReply& value) {
    put(static_cast<double>(value.tracks.size()));
    for (const auto& each : value.tracks) put(each);
}

void put(const io::Image& value) {
    put(std::string_view(value.name));
    put(std::string_view(value.mime_type));
    putAddress(value.bytes.data());
    put(static_cast<double>(value.bytes.size()));
}

void put(const io::Texture& value) {
    put(static_cast<double>(value.image));
    put(indexIn(kWraps, value.wrap_s));
    put(indexIn(kWraps, value.wrap_t));
    put(static_cast<double>(value.mag_filter));
    put(static_cast<double>(value.min_filter));
    for (const double each : value.offset) put(each);
    put(static_cast<double>(value.rotation));
    for (const double each : value.scale) put(each);
}

void put(const io::Material& value) {
    put(std::string_view(value.name));
    put(static_cast<double>(value.base_color.size()));
    for (const auto each : value.base_color) put(static_cast<double>(each));
    put(value.texture ? 1.0 : 0.0);
    if (value.texture) put(*value.texture);
    put(static_cast<double>(value.metallic));
    put(static_cast<double>(value.roughness));
    put(indexIn(kAlphaModes, value.alpha_mode));
    put(static_cast<double>(value.alpha_cutoff));
    put(value.double_sided ? 1.0 : 0.0);
    put(value.unlit ? 1.0 : 0.0);
}

void put(const MeshPart& value) {
    put(static_cast<double>(value.triangles));
    put(static_cast<double>(value.material == kNoMaterial ? -1.0 : static_cast<double>(value.material)));
}

void put(const MeshReply& value) {
    put(static_cast<double>(value.vertex_count));
    put(static_cast<double>(value.triangle_count));
    put(value.has_texcoords ? 1.0 : 0.0);
    put(value.has_colors ? 1.0 : 0.0);
    put(std::string_view(value.name));
    put(static_cast<double>(value.parts.size()));
    for (const auto& each : value.parts) put(each);
}

void put(const MadeWeights& value) {
    put(static_cast<double>(value.heat.hidden.size()));
    put(static_cast<double>(value.heat.loose.size()));
    put(static_cast<double>(value.heat.idle.size()));
    for (const auto& each : value.heat.idle) put(static_cast<double>(each));
}

void put(const TiedSurface& value) {
    put(indexIn(kFittingPoses, value.fit.how));
    putPose(value.fit.pose);
    put(static_cast<double>(value.fit.rise));
    put(static_cast<double>(value.fit.outside));
    put(value.had_weights ? 1.0 : 0.0);
    put(static_cast<double>(value.heat.hidden.size()));
    put(static_cast<double>(value.heat.loose.size()));
    put(static_cast<double>(value.heat.idle.size()));
    for (const auto& each : value.heat.idle) put(static_cast<double>(each));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
}

void put(const MirrorReply& value) {
    put(static_cast<double>(value.unmatched));
}

void put(const FitterReply& value) {
    put(static_cast<double>(value.vertex_count));
    put(static_cast<double>(value.size));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
}

void put(const NotesReply& value) {
    put(static_cast<double>(value.notes.size()));
    for (const auto& each : value.notes) put(std::string_view(each));
}

void put(const FitReport& value) {
    put(indexIn(kFitStatuses, value.status));
    put(static_cast<double>(value.rms));
    put(static_cast<double>(value.worst_vertex));
    put(static_cast<double>(value.worst_distance));
    put(static_cast<double>(value.iterations));
    put(static_cast<double>(value.gradient));
    put(static_cast<double>(value.rank));
    put(static_cast<double>(value.freedoms));
    put(static_cast<double>(value.undetermined.size()));
    for (const auto each : value.undetermined) put(static_cast<double>(each));
}

void put(const PointCacheReply& value) {
    put(static_cast<double>(value.point_count));
    put(static_cast<double>(value.sample_count));
    put(static_cast<double>(value.start));
    put(static_cast<double>(value.step));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
}

void put(const Contact& value) {
    put(indexIn(kSoleSides, value.side));
    put(indexIn(kSoleParts, value.part));
    put(static_cast<double>(value.first));
    put(static_cast<double>(value.last));
}

void put(const Contacts& value) {
    put(static_cast<double>(value.floor));
    put(static_cast<double>(value.contacts.size()));
    for (const auto& each : value.contacts) put(each);
}

void put(const RetargetReport& value) {
    put(static_cast<double>(value.scale));
    put(static_cast<double>(value.floor));
    put(static_cast<double>(value.slide_mean));
    put(static_cast<double>(value.slide_most));
    put(static_cast<double>(value.penetration));
    put(static_cast<double>(value.direction_mean));
    put(static_cast<double>(value.direction_most));
    put(static_cast<double>(value.fastest_source));
    put(static_cast<double>(value.fastest));
    put(static_cast<double>(value.fastest_joint));
    put(static_cast<double>(value.lowered));
}

void put(const RetargetReply& value) {
    put(value.report);
    put(value.contacts);
    put(static_cast<double>(value.target_from_source.size()));
    for (const auto each : value.target_from_source) put(static_cast<double>(each));
    put(static_cast<double>(value.warnings.size()));
    for (const auto& each : value.warnings) put(each);
}

void put(const SolesReply& value) {
    putNumbers(value.left);
    putNumbers(value.right);
}


namespace {

// Requests as replies: what C++ takes for the defaults.
void putDefaultsOpenOptions(const OpenOptions& value) {
    put(value.strict ? 1.0 : 0.0);
    put(value.lenient ? 1.0 : 0.0);
    put(indexIn(kPositionChannels, value.position_channels));
}

void putDefaultsBvhOptions(const SaveOptions& value) {
    put(static_cast<double>(value.frame_rate));
    put(value.order ? indexIn(kEulerOrders, *value.order) : -1.0);
    put(value.root_only_positions ? 1.0 : 0.0);
}

void putDefaultsSolverOptions(const IkOptions& value) {
    put(indexIn(kMethods, value.method));
    put(value.continuity ? 1.0 : 0.0);
    put(static_cast<double>(value.position_tolerance));
    put(static_cast<double>(value.angle_tolerance));
    put(static_cast<double>(value.max_iterations));
    put(static_cast<double>(value.restarts));
    put(static_cast<double>(value.seed));
    put(value.record_history ? 1.0 : 0.0);
    put(value.fabrik_first ? 1.0 : 0.0);
    put(static_cast<double>(value.chain));
    put(static_cast<double>(value.step));
    put(static_cast<double>(value.damping));
    put(static_cast<double>(value.joint_damping));
    put(value.line_search ? 1.0 : 0.0);
    put(indexIn(kCcdDirections, value.ccd_direction));
    put(static_cast<double>(value.locked.size()));
    put(static_cast<double>(value.stiffness.size()));
}

void putDefaultsNaturalRules(const NaturalRules& value) {
    put(value.balance ? 1.0 : 0.0);
    put(value.floor ? 1.0 : 0.0);
    put(value.bulk ? 1.0 : 0.0);
    put(value.pairs ? 1.0 : 0.0);
}

void putDefaultsDragOptions(const DragOptions& value) {
    put(indexIn(kMethods, value.method));
    put(static_cast<double>(value.max_iterations));
    put(value.continuity ? 1.0 : 0.0);
    put(value.natural ? 1.0 : 0.0);
    putDefaultsNaturalRules(value.rules);
    put(static_cast<double>(value.locked.size()));
    put(static_cast<double>(value.size));
}

void putDefaultsLayerOptions(const LayerRequest& value) {
    put(static_cast<double>(value.weight));
    put(value.muted ? 1.0 : 0.0);
    put(static_cast<double>(value.in));
    put(static_cast<double>(value.out));
    put(static_cast<double>(value.pins.size()));
    put(static_cast<double>(value.keys.size()));
}

void putDefaultsReduceOptions(const ReduceRequest& value) {
    put(value.tolerance ? 1.0 : 0.0);
    if (value.tolerance) put(static_cast<double>(*value.tolerance));
    put(indexIn(kInterpolations, value.interpolation));
}

void putDefaultsHeatOptions(const WeightOptions& value) {
    put(indexIn(kWeightMethods, value.method));
    put(static_cast<double>(value.stiffness));
    put(static_cast<double>(value.most));
}

void putDefaultsFitOptions(const FitRequest& value) {
    put(indexIn(kFitLosses, value.loss));
    put(static_cast<double>(value.loss_scale));
    put(static_cast<double>(value.tolerance));
    put(static_cast<double>(value.max_iterations));
    put(static_cast<double>(value.smoothness));
    put(static_cast<double>(value.locked.size()));
    put(static_cast<double>(value.pinned.size()));
    put(static_cast<double>(value.masses.size()));
    for (const auto each : value.masses) put(static_cast<double>(each));
    put(value.missing_nan ? 1.0 : 0.0);
}

void putDefaultsContactOptions(const ContactOptions& value) {
    put(value.floor ? 1.0 : 0.0);
    if (value.floor) put(static_cast<double>(*value.floor));
    put(static_cast<double>(value.begin_height));
    put(static_cast<double>(value.begin_speed));
    put(static_cast<double>(value.end_height));
    put(static_cast<double>(value.end_speed));
    put(static_cast<double>(value.shortest));
}

void putDefaultsRetargetKeep(const RetargetKeep& value) {
    put(value.floor ? 1.0 : 0.0);
    put(value.pair ? 1.0 : 0.0);
    put(value.body ? 1.0 : 0.0);
}

void putDefaultsRetargetOptions(const RetargetRequest& value) {
    put(indexIn(kRetargetFeet, value.feet));
    putDefaultsRetargetKeep(value.keep);
    put(indexIn(kLimits, value.limits));
    put(static_cast<double>(value.floor));
    put(static_cast<double>(value.speed));
    putDefaultsContactOptions(value.contact);
    put(value.has_contacts ? 1.0 : 0.0);
    put(static_cast<double>(value.contact_floor));
    put(static_cast<double>(value.spans.size()));
}

void putDefaultsBodyRequest(const BodyRequest& value) {
    value.rest ? putPose(*value.rest) : put(0.0);
    put(value.has_soles ? 1.0 : 0.0);
    put(static_cast<double>(value.left.size()));
    for (const auto each : value.left) put(static_cast<double>(each));
    put(static_cast<double>(value.right.size()));
    for (const auto each : value.right) put(static_cast<double>(each));
}


}  // namespace

extern "C" {

__attribute__((export_name("skeletonFree"))) void ulna_skeletonFree(const SkeletonObject* object) {
    delete object;
}

__attribute__((export_name("clipFree"))) void ulna_clipFree(const ClipObject* object) {
    delete object;
}

__attribute__((export_name("meshFree"))) void ulna_meshFree(const MeshObject* object) {
    delete object;
}

__attribute__((export_name("stageFree"))) void ulna_stageFree(const StageObject* object) {
    delete object;
}

__attribute__((export_name("solverFree"))) void ulna_solverFree(const SolverObject* object) {
    delete object;
}

__attribute__((export_name("dragFree"))) void ulna_dragFree(const DragObject* object) {
    delete object;
}

__attribute__((export_name("fitterFree"))) void ulna_fitterFree(const FitterObject* object) {
    delete object;
}

__attribute__((export_name("pointCacheFree"))) void ulna_pointCacheFree(const PointCacheObject* object) {
    delete object;
}


/// The defaults of a request as C++ has them: engine.js's are to be the same.
__attribute__((export_name("protocolDefaults"))) void ulna_protocolDefaults(int request) {
    clearReply();
    if (request == 0) putDefaultsOpenOptions({});
    if (request == 1) putDefaultsBvhOptions({});
    if (request == 2) putDefaultsSolverOptions({});
    if (request == 3) putDefaultsNaturalRules({});
    if (request == 4) putDefaultsDragOptions({});
    if (request == 5) putDefaultsLayerOptions({});
    if (request == 6) putDefaultsReduceOptions({});
    if (request == 7) putDefaultsHeatOptions({});
    if (request == 8) putDefaultsFitOptions({});
    if (request == 9) putDefaultsContactOptions({});
    if (request == 10) putDefaultsRetargetKeep({});
    if (request == 11) putDefaultsRetargetOptions({});
    if (request == 12) putDefaultsBodyRequest({});
}


__attribute__((export_name("engineOpen"))) bool ulna_engineOpen(std::size_t size, std::size_t name_size) {
    return engineOpen(size, name_size);
}

__attribute__((export_name("engineReadMesh"))) MeshObject* ulna_engineReadMesh(SkeletonObject* skeleton, std::size_t size, std::size_t name_size) {
    return engineReadMesh(*skeleton, size, name_size);
}

__attribute__((export_name("skeletonDescribe"))) void ulna_skeletonDescribe(SkeletonObject* skeleton) {
    const auto reply = skeletonDescribe(*skeleton);
    clearReply();
    put(reply);
}

__attribute__((export_name("skeletonRest"))) void ulna_skeletonRest(SkeletonObject* skeleton) {
    skeletonRest(*skeleton);
}

__attribute__((export_name("skeletonMatrices"))) const void* ulna_skeletonMatrices(SkeletonObject* skeleton) {
    return skeletonMatrices(*skeleton);
}

__attribute__((export_name("skeletonOrientations"))) void ulna_skeletonOrientations(SkeletonObject* skeleton) {
    skeletonOrientations(*skeleton);
}

__attribute__((export_name("skeletonTurn"))) void ulna_skeletonTurn(SkeletonObject* skeleton, JointId joint) {
    skeletonTurn(*skeleton, joint);
}

__attribute__((export_name("skeletonEuler"))) void ulna_skeletonEuler(SkeletonObject* skeleton, JointId joint, int order) {
    skeletonEuler(*skeleton, joint, kEulerOrders[order]);
}

__attribute__((export_name("skeletonSetEuler"))) void ulna_skeletonSetEuler(SkeletonObject* skeleton, JointId joint, int order) {
    skeletonSetEuler(*skeleton, joint, kEulerOrders[order]);
}

__attribute__((export_name("skeletonMirror"))) bool ulna_skeletonMirror(SkeletonObject* skeleton) {
    return skeletonMirror(*skeleton);
}

__attribute__((export_name("skeletonMirrorPart"))) bool ulna_skeletonMirrorPart(SkeletonObject* skeleton, JointId joint) {
    return skeletonMirrorPart(*skeleton, joint);
}

__attribute__((export_name("skeletonPart"))) void ulna_skeletonPart(SkeletonObject* skeleton, JointId joint) {
    const auto reply = skeletonPart(*skeleton, joint);
    clearReply();
    put(reply);
}

__attribute__((export_name("skeletonPole"))) void ulna_skeletonPole(SkeletonObject* skeleton, JointId joint) {
    const auto reply = skeletonPole(*skeleton, joint);
    clearReply();
    put(reply);
}

__attribute__((export_name("skeletonBlend"))) void ulna_skeletonBlend(SkeletonObject* skeleton) {
    skeletonBlend(*skeleton);
}

__attribute__((export_name("skeletonHand"))) bool ulna_skeletonHand(SkeletonObject* skeleton, int side) {
    const auto result = skeletonHand(*skeleton, kBodySides[side]);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("skeletonPoseHand"))) bool ulna_skeletonPoseHand(SkeletonObject* skeleton, int side, int shape, double curl, double spread, double oppose) {
    const auto result = skeletonPoseHand(*skeleton, kBodySides[side], shape < 0 ? std::nullopt : std::optional(kHandShapes[shape]), curl, spread, oppose);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("skeletonSoles"))) void ulna_skeletonSoles(SkeletonObject* skeleton) {
    const auto reply = skeletonSoles(*skeleton);
    clearReply();
    put(reply);
}

__attribute__((export_name("skeletonReplacesRest"))) bool ulna_skeletonReplacesRest(SkeletonObject* skeleton) {
    return skeletonReplacesRest(*skeleton);
}

__attribute__((export_name("stageMake"))) StageObject* ulna_stageMake(SkeletonObject* skeleton, int limits, SkeletonObject* other, std::size_t meshes) {
    return stageMake(*skeleton, kLimits[limits], other, meshes);
}

__attribute__((export_name("stageMakeUsual"))) StageObject* ulna_stageMakeUsual(SkeletonObject* skeleton, std::size_t meshes) {
    return stageMakeUsual(*skeleton, meshes);
}

__attribute__((export_name("stageSkeleton"))) SkeletonObject* ulna_stageSkeleton(StageObject* stage) {
    return stageSkeleton(*stage);
}

__attribute__((export_name("stageDofs"))) void ulna_stageDofs(StageObject* stage) {
    stageDofs(*stage);
}

__attribute__((export_name("stageApply"))) void ulna_stageApply(StageObject* stage) {
    stageApply(*stage);
}

__attribute__((export_name("stageSetDof"))) double ulna_stageSetDof(StageObject* stage, std::size_t dof) {
    return stageSetDof(*stage, dof);
}

__attribute__((export_name("stageClamp"))) void ulna_stageClamp(StageObject* stage) {
    const auto reply = stageClamp(*stage);
    clearReply();
    put(reply);
}

__attribute__((export_name("stageExcess"))) double ulna_stageExcess(StageObject* stage) {
    return stageExcess(*stage);
}

__attribute__((export_name("stageHandles"))) void ulna_stageHandles(StageObject* stage, JointId joint) {
    const auto reply = stageHandles(*stage, joint);
    clearReply();
    put(reply);
}

__attribute__((export_name("solverMake"))) SolverObject* ulna_solverMake(StageObject* stage, std::size_t goals) {
    return solverMake(*stage, goals);
}

__attribute__((export_name("solverTarget"))) void ulna_solverTarget(SolverObject* solver, std::size_t goal, double x, double y, double z, double w) {
    solverTarget(*solver, goal, x, y, z, w);
}

__attribute__((export_name("solverWeight"))) void ulna_solverWeight(SolverObject* solver, std::size_t goal, double weight) {
    solverWeight(*solver, goal, weight);
}

__attribute__((export_name("solverEnable"))) void ulna_solverEnable(SolverObject* solver, std::size_t goal, bool enabled) {
    solverEnable(*solver, goal, enabled);
}

__attribute__((export_name("solverSolve"))) void ulna_solverSolve(SolverObject* solver) {
    solverSolve(*solver);
}

__attribute__((export_name("solverTrace"))) void ulna_solverTrace(SolverObject* solver, std::size_t iterations) {
    const auto reply = solverTrace(*solver, iterations);
    clearReply();
    put(reply);
}

__attribute__((export_name("dragMake"))) DragObject* ulna_dragMake(StageObject* stage) {
    return dragMake(*stage);
}

__attribute__((export_name("dragHindrances"))) void ulna_dragHindrances(StageObject* stage, double x, double y, double z) {
    const auto reply = dragHindrances(*stage, x, y, z);
    clearReply();
    put(reply);
}

__attribute__((export_name("dragSolve"))) void ulna_dragSolve(DragObject* drag, double x, double y, double z) {
    dragSolve(*drag, x, y, z);
}

__attribute__((export_name("dragTrace"))) void ulna_dragTrace(DragObject* drag, double x, double y, double z, std::size_t iterations) {
    const auto reply = dragTrace(*drag, x, y, z, iterations);
    clearReply();
    put(reply);
}

__attribute__((export_name("dragHeldPoint"))) void ulna_dragHeldPoint(DragObject* drag) {
    const auto reply = dragHeldPoint(*drag);
    clearReply();
    put(reply);
}

__attribute__((export_name("dragMovedPin"))) void ulna_dragMovedPin(DragObject* drag, double x, double y, double z) {
    const auto reply = dragMovedPin(*drag, x, y, z);
    clearReply();
    put(reply);
}

__attribute__((export_name("clipMake"))) ClipObject* ulna_clipMake(SkeletonObject* skeleton) {
    return clipMake(*skeleton);
}

__attribute__((export_name("clipOfPoses"))) ClipObject* ulna_clipOfPoses(SkeletonObject* skeleton, std::size_t count, double frame_time) {
    return clipOfPoses(*skeleton, count, frame_time);
}

__attribute__((export_name("clipDescribe"))) void ulna_clipDescribe(ClipObject* clip) {
    const auto reply = clipDescribe(*clip);
    clearReply();
    put(reply);
}

__attribute__((export_name("clipRename"))) void ulna_clipRename(ClipObject* clip, std::size_t size) {
    clipRename(*clip, size);
}

__attribute__((export_name("clipSample"))) void ulna_clipSample(ClipObject* clip, double time) {
    clipSample(*clip, time);
}

__attribute__((export_name("clipTrail"))) void ulna_clipTrail(ClipObject* clip, JointId joint, double from, double to, std::size_t count) {
    clipTrail(*clip, joint, from, to, count);
}

__attribute__((export_name("clipDofCurves"))) void ulna_clipDofCurves(ClipObject* clip, StageObject* stage, JointId joint, double from, double to, std::size_t count) {
    clipDofCurves(*clip, stage, joint, from, to, count);
}

__attribute__((export_name("clipClone"))) ClipObject* ulna_clipClone(ClipObject* clip) {
    return clipClone(*clip);
}

__attribute__((export_name("clipKeyed"))) ClipObject* ulna_clipKeyed(ClipObject* clip) {
    return clipKeyed(*clip);
}

__attribute__((export_name("clipEditable"))) ClipObject* ulna_clipEditable(ClipObject* clip, SkeletonObject* skeleton) {
    return clipEditable(*clip, *skeleton);
}

__attribute__((export_name("clipSampled"))) ClipObject* ulna_clipSampled(ClipObject* clip, double fps) {
    return clipSampled(*clip, fps);
}

__attribute__((export_name("clipTrimmed"))) ClipObject* ulna_clipTrimmed(ClipObject* clip, double from, double to) {
    return clipTrimmed(*clip, from, to);
}

__attribute__((export_name("clipReduced"))) ClipObject* ulna_clipReduced(ClipObject* clip, SkeletonObject* skeleton) {
    return clipReduced(*clip, *skeleton);
}

__attribute__((export_name("clipSetRate"))) void ulna_clipSetRate(ClipObject* clip, double fps) {
    clipSetRate(*clip, fps);
}

__attribute__((export_name("clipBytes"))) void ulna_clipBytes(ClipObject* clip) {
    clipBytes(*clip);
}

__attribute__((export_name("clipOfBytes"))) ClipObject* ulna_clipOfBytes(SkeletonObject* skeleton, std::size_t size) {
    return clipOfBytes(*skeleton, size);
}

__attribute__((export_name("clipLayered"))) ClipObject* ulna_clipLayered(ClipObject* clip) {
    return clipLayered(*clip);
}

__attribute__((export_name("clipLayerKeys"))) void ulna_clipLayerKeys(ClipObject* clip, std::size_t layer, double time) {
    const auto reply = clipLayerKeys(*clip, layer, time);
    clearReply();
    put(reply);
}

__attribute__((export_name("clipCompose"))) std::size_t ulna_clipCompose(ClipObject* clip, std::size_t frames) {
    return clipCompose(*clip, frames);
}

__attribute__((export_name("clipMerged"))) ClipObject* ulna_clipMerged(ClipObject* clip) {
    return clipMerged(*clip);
}

__attribute__((export_name("clipTracks"))) void ulna_clipTracks(ClipObject* clip, JointId joint) {
    const auto reply = clipTracks(*clip, joint);
    clearReply();
    put(reply);
}

__attribute__((export_name("clipKeyTimes"))) void ulna_clipKeyTimes(ClipObject* clip, JointId joint) {
    clipKeyTimes(*clip, joint);
}

__attribute__((export_name("clipSampleTrack"))) void ulna_clipSampleTrack(ClipObject* clip, JointId joint, int part, double from, double to, std::size_t count) {
    clipSampleTrack(*clip, joint, kParts[part], from, to, count);
}

__attribute__((export_name("clipSetKey"))) int ulna_clipSetKey(ClipObject* clip, JointId joint, int part, double time) {
    return clipSetKey(*clip, joint, kParts[part], time);
}

__attribute__((export_name("clipKeyPose"))) void ulna_clipKeyPose(ClipObject* clip, double time) {
    clipKeyPose(*clip, time);
}

__attribute__((export_name("clipMoveKey"))) int ulna_clipMoveKey(ClipObject* clip, JointId joint, int part, std::size_t key, double time) {
    return clipMoveKey(*clip, joint, kParts[part], key, time);
}

__attribute__((export_name("clipEraseKey"))) bool ulna_clipEraseKey(ClipObject* clip, JointId joint, int part, std::size_t key) {
    return clipEraseKey(*clip, joint, kParts[part], key);
}

__attribute__((export_name("clipMoveKeysAt"))) int ulna_clipMoveKeysAt(ClipObject* clip, JointId joint, double time, double epsilon, double to) {
    return clipMoveKeysAt(*clip, joint, time, epsilon, to);
}

__attribute__((export_name("clipEraseKeysAt"))) int ulna_clipEraseKeysAt(ClipObject* clip, JointId joint, double time, double epsilon) {
    return clipEraseKeysAt(*clip, joint, time, epsilon);
}

__attribute__((export_name("clipInterpolate"))) void ulna_clipInterpolate(ClipObject* clip, JointId joint, int part, int interpolation) {
    clipInterpolate(*clip, joint, part < 0 ? std::nullopt : std::optional(kParts[part]), kInterpolations[interpolation]);
}

__attribute__((export_name("clipRetarget"))) ClipObject* ulna_clipRetarget(ClipObject* clip, SkeletonObject* source, SkeletonObject* target) {
    return clipRetarget(*clip, *source, *target);
}

__attribute__((export_name("clipContacts"))) bool ulna_clipContacts(ClipObject* clip, SkeletonObject* skeleton) {
    const auto result = clipContacts(*clip, *skeleton);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("meshDescribe"))) void ulna_meshDescribe(MeshObject* mesh) {
    const auto reply = meshDescribe(*mesh);
    clearReply();
    put(reply);
}

__attribute__((export_name("meshHasWeights"))) bool ulna_meshHasWeights(MeshObject* mesh) {
    return meshHasWeights(*mesh);
}

__attribute__((export_name("meshPositions"))) const void* ulna_meshPositions(MeshObject* mesh) {
    return meshPositions(*mesh);
}

__attribute__((export_name("meshNormals"))) const void* ulna_meshNormals(MeshObject* mesh) {
    return meshNormals(*mesh);
}

__attribute__((export_name("meshTexcoords"))) const void* ulna_meshTexcoords(MeshObject* mesh) {
    return meshTexcoords(*mesh);
}

__attribute__((export_name("meshColors"))) const void* ulna_meshColors(MeshObject* mesh) {
    return meshColors(*mesh);
}

__attribute__((export_name("meshIndices"))) const void* ulna_meshIndices(MeshObject* mesh) {
    return meshIndices(*mesh);
}

__attribute__((export_name("meshDeform"))) const void* ulna_meshDeform(MeshObject* mesh, int blend, int twist, bool normals) {
    return meshDeform(*mesh, kBlends[blend], kTwists[twist], normals);
}

__attribute__((export_name("meshBind"))) void ulna_meshBind(MeshObject* mesh) {
    meshBind(*mesh);
}

__attribute__((export_name("meshWeightsOf"))) const void* ulna_meshWeightsOf(MeshObject* mesh, JointId joint) {
    return meshWeightsOf(*mesh, joint);
}

__attribute__((export_name("meshWeights"))) void ulna_meshWeights(MeshObject* mesh) {
    meshWeights(*mesh);
}

__attribute__((export_name("meshSetWeights"))) void ulna_meshSetWeights(MeshObject* mesh, std::size_t rows, std::size_t count) {
    meshSetWeights(*mesh, rows, count);
}

__attribute__((export_name("meshMakeWeights"))) bool ulna_meshMakeWeights(MeshObject* mesh) {
    const auto result = meshMakeWeights(*mesh);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("meshTie"))) bool ulna_meshTie(MeshObject* mesh) {
    const auto result = meshTie(*mesh);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("meshPaint"))) std::size_t ulna_meshPaint(MeshObject* mesh, JointId joint) {
    return meshPaint(*mesh, joint);
}

__attribute__((export_name("meshSmooth"))) void ulna_meshSmooth(MeshObject* mesh, double amount, std::size_t rounds) {
    meshSmooth(*mesh, amount, rounds);
}

__attribute__((export_name("meshPrune"))) double ulna_meshPrune(MeshObject* mesh, std::size_t most, double least) {
    return meshPrune(*mesh, most, least);
}

__attribute__((export_name("meshMirror"))) bool ulna_meshMirror(MeshObject* mesh, int from, double tolerance) {
    const auto result = meshMirror(*mesh, kSides[from], tolerance);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("fitterMake"))) FitterObject* ulna_fitterMake(SkeletonObject* skeleton, StageObject* stage, std::size_t meshes) {
    return fitterMake(*skeleton, *stage, meshes);
}

__attribute__((export_name("fitterFit"))) void ulna_fitterFit(FitterObject* fitter, bool cold) {
    fitterFit(*fitter, cold);
}

__attribute__((export_name("fitterNotes"))) void ulna_fitterNotes(FitterObject* fitter) {
    const auto reply = fitterNotes(*fitter);
    clearReply();
    put(reply);
}

__attribute__((export_name("pointCacheRead"))) PointCacheObject* ulna_pointCacheRead(std::size_t size, std::size_t name_size) {
    return pointCacheRead(size, name_size);
}

__attribute__((export_name("pointCacheSample"))) const void* ulna_pointCacheSample(PointCacheObject* cache, std::size_t sample) {
    return pointCacheSample(*cache, sample);
}

__attribute__((export_name("writeBvhFile"))) bool ulna_writeBvhFile(SkeletonObject* skeleton, ClipObject* clip) {
    const auto result = writeBvhFile(*skeleton, clip);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("writeGltfFile"))) bool ulna_writeGltfFile(SkeletonObject* skeleton, int form) {
    const auto result = writeGltfFile(*skeleton, kGltfForms[form]);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("writeRigFile"))) bool ulna_writeRigFile(SkeletonObject* skeleton, double fps, std::size_t name_size) {
    const auto result = writeRigFile(*skeleton, fps, name_size);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}

__attribute__((export_name("writeMeshFile"))) bool ulna_writeMeshFile(MeshObject* mesh, int format, bool posed, int blend, int twist) {
    const auto result = writeMeshFile(*mesh, kMeshFormats[format], posed, kBlends[blend], kTwists[twist]);
    clearReply();
    result ? put(*result) : put(result.error());
    return result.ok();
}


}  // extern "C"

}  // namespace ulna::engine
