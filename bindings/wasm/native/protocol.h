// SPDX-License-Identifier: Apache-2.0

// Made by generate.mjs of protocol.mjs, which is the file to change.
// clang-format off
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/character/drag.h"
#include "ulna/character/fitting.h"
#include "ulna/character/handles.h"
#include "ulna/character/hindrance.h"
#include "ulna/character/layered_clip.h"
#include "ulna/character/open.h"
#include "ulna/character/retarget.h"
#include "ulna/character/save.h"
#include "ulna/character/stage.h"
#include "ulna/character/tie.h"
#include "ulna/ik/solver.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/materials.h"
#include "ulna/io/mesh_files.h"
#include "ulna/motion/reduce.h"
#include "ulna/skeleton/handle_ranks.h"
#include "ulna/skeleton/hands.h"
#include "ulna/skeleton/movements.h"
#include "ulna/skin/edit_weights.h"
#include "ulna/skin/paint.h"

namespace ulna::engine {

/// What a track moves: the three coordinates of a translation or scale, the rotation as a
/// quaternion, or one angle of a joint whose rotation is keyed by angles ("angle0", "angle1",
/// "angle2").
enum class Part : int { Translation, Rotation, Scale, Angle0, Angle1, Angle2 };

// The values in the order of their words.
inline constexpr IkMethod kMethods[] = {IkMethod::Auto, IkMethod::TwoBone, IkMethod::Ccd, IkMethod::Fabrik, IkMethod::Transpose, IkMethod::Gradient, IkMethod::ProjectedGradient, IkMethod::Pinv, IkMethod::Dls};
inline constexpr IkStatus kSolverStatuses[] = {IkStatus::Reached, IkStatus::OutOfReach, IkStatus::Stalled, IkStatus::MaxIterations, IkStatus::BadGoal};
inline constexpr PlaneSide kPlaneSides[] = {PlaneSide::On, PlaneSide::Above};
inline constexpr DistanceBound kDistanceBounds[] = {DistanceBound::Exactly, DistanceBound::AtLeast, DistanceBound::AtMost};
inline constexpr CcdDirection kCcdDirections[] = {CcdDirection::EndToRoot, CcdDirection::RootToEnd};
inline constexpr LimitSource kLimits[] = {LimitSource::Own, LimitSource::None, LimitSource::Anatomical, LimitSource::Borrowed};
inline constexpr JointKind kJointKinds[] = {JointKind::Fixed, JointKind::Hinge, JointKind::Universal, JointKind::Ball, JointKind::Free, JointKind::Prismatic};
inline constexpr EulerOrder kEulerOrders[] = {EulerOrder::Xyz, EulerOrder::Xzy, EulerOrder::Yxz, EulerOrder::Yzx, EulerOrder::Zxy, EulerOrder::Zyx, EulerOrder::Xyx, EulerOrder::Xzx, EulerOrder::Yxy, EulerOrder::Yzy, EulerOrder::Zxz, EulerOrder::Zyz};
inline constexpr Interpolation kInterpolations[] = {Interpolation::Step, Interpolation::Linear, Interpolation::CatmullRom, Interpolation::UniformCatmullRom, Interpolation::Hermite};
inline constexpr Part kParts[] = {Part::Translation, Part::Rotation, Part::Scale, Part::Angle0, Part::Angle1, Part::Angle2};
inline constexpr SkinBlend kBlends[] = {SkinBlend::Linear, SkinBlend::DualQuaternion};
inline constexpr Twist kTwists[] = {Twist::Joint, Twist::Limb};
inline constexpr BodySide kBodySides[] = {BodySide::Left, BodySide::Right};
inline constexpr HandleRank kHandleRanks[] = {HandleRank::Hidden, HandleRank::Minor, HandleRank::Major, HandleRank::End};
inline constexpr Movement kMovements[] = {Movement::Bend, Movement::Side, Movement::Twist, Movement::Slide};
inline constexpr HandShape kHandShapes[] = {HandShape::Flat, HandShape::Relaxed, HandShape::Open, HandShape::Grip, HandShape::Fist, HandShape::Point, HandShape::Pinch};
inline constexpr WeightMethod kWeightMethods[] = {WeightMethod::Heat, WeightMethod::Distance};
inline constexpr FittingPose kFittingPoses[] = {FittingPose::Rest, FittingPose::Present, FittingPose::Raised};
inline constexpr PaintMode kPaintModes[] = {PaintMode::Add, PaintMode::Subtract, PaintMode::Replace, PaintMode::Smooth};
inline constexpr io::AlphaMode kAlphaModes[] = {io::AlphaMode::Opaque, io::AlphaMode::Mask, io::AlphaMode::Blend};
inline constexpr int kWraps[] = {io::kWrapRepeat, io::kWrapClamp, io::kWrapMirror};
inline constexpr FitLoss kFitLosses[] = {FitLoss::Squares, FitLoss::Huber, FitLoss::GemanMcClure};
inline constexpr FitStatus kFitStatuses[] = {FitStatus::Converged, FitStatus::Stalled, FitStatus::MaxIterations, FitStatus::BadTarget};
inline constexpr io::PositionChannels kPositionChannels[] = {io::PositionChannels::Replace, io::PositionChannels::Add};
inline constexpr FileFormat kMeshFormats[] = {FileFormat::Obj, FileFormat::Ply};
inline constexpr io::GltfForm kGltfForms[] = {io::GltfForm::Binary, io::GltfForm::Text};
inline constexpr MirrorSide kSides[] = {MirrorSide::LeftToRight, MirrorSide::RightToLeft};
inline constexpr RetargetFeet kRetargetFeet[] = {RetargetFeet::Auto, RetargetFeet::Lock, RetargetFeet::Keep};
inline constexpr BodySide kSoleSides[] = {BodySide::Left, BodySide::Right};
inline constexpr SolePart kSoleParts[] = {SolePart::Heel, SolePart::Ball};
inline constexpr FileFormat kDocumentFormats[] = {FileFormat::Bvh, FileFormat::Gltf, FileFormat::Rig};

struct PinRequest {
    JointId joint = JointId::None;
    std::optional<Vec3> target = {};
    Vec3 point = {};
};

struct OrientationRequest {
    JointId joint = JointId::None;
    std::optional<Quat> target = {};
};

struct PostureRequest {
    std::optional<Pose> pose = {};
    std::vector<JointId> joints = {};
};

struct SolverRequest {
    IkOptions options = {};
    std::optional<bool> free_root = {};
};

struct DragRequest {
    DragGrab grab = {};
    DragOptions options = {};
    std::vector<DragPin> pins = {};
    std::vector<DragPole> poles = {};
};

struct LayerKeyRequest {
    double time = {};
    std::vector<double> rotations = {};
    std::vector<double> translations = {};
};

struct LayerRequest {
    double weight = 1;
    bool muted = false;
    double in = 0.5;
    double out = 0.5;
    std::vector<LayerPin> pins = {};
    std::vector<LayerKeyRequest> keys = {};
};

struct LayersRequest {
    std::vector<LayerRequest> layers = {};
};

struct ReduceRequest {
    std::optional<double> tolerance = {};
    Interpolation interpolation = Interpolation::Linear;
};

struct TieRequest {
    WeightOptions weights = {};
    std::optional<Pose> pose = {};
    bool z_up = {};
};

struct PaintRequest {
    Vec3 centre = {};
    double radius = {};
    PaintMode mode = PaintMode::Add;
    double strength = 1;
    double value = 1;
    std::vector<JointId> locked = {};
};

struct FitRequest {
    FitLoss loss = FitLoss::Squares;
    double loss_scale = 0;
    double tolerance = 1e-9;
    std::size_t max_iterations = 100;
    double smoothness = 0;
    std::vector<JointId> locked = {};
    std::vector<JointId> pinned = {};
    std::vector<double> masses = {};
    bool missing_nan = false;
};

struct RetargetRequest {
    RetargetFeet feet = RetargetFeet::Auto;
    RetargetKeep keep = {};
    LimitSource limits = LimitSource::Own;
    double floor = 0;
    double speed = 1.5;
    ContactOptions contact = {};
    bool has_contacts = false;
    double contact_floor = 0;
    std::vector<Contact> spans = {};
};

struct BodyRequest {
    std::optional<Pose> rest = {};
    bool has_soles = false;
    std::vector<double> left = {};
    std::vector<double> right = {};
};

struct DocumentReply {
    FileFormat format = {};
    const void* skeleton = {};
    std::vector<const void*> clips = {};
    std::vector<const void*> meshes = {};
    double size = {};
    int usual_clip = {};
    std::vector<Diagnostic> warnings = {};
};

struct MeshFileReply {
    std::size_t position_count = {};
    std::vector<Diagnostic> warnings = {};
};

struct WrittenReply {
    std::vector<Diagnostic> warnings = {};
    std::string bytes = {};
};

struct JointReply {
    std::string name = {};
    JointId parent = JointId::None;
    JointKind kind = {};
    Trs rest = {};
    std::vector<Vec3> axes = {};
    std::string order = {};
    Vec3 tip = {};
    double radius = {};
    bool end_site = {};
    bool locked = {};
    double stiffness = {};
    std::size_t first_dof = {};
    std::size_t dof_count = {};
    std::optional<ConeLimit> cone = {};
    HandleRank rank = {};
};

struct DofReply {
    std::string name = {};
    JointId joint = JointId::None;
    bool is_angle = {};
    Movement movement = {};
    double min = {};
    double max = {};
};

struct SkeletonReply {
    bool planar = {};
    bool z_up = {};
    double height = {};
    Vec3 facing = {};
    std::vector<JointReply> joints = {};
    std::vector<DofReply> dofs = {};
};

struct HandState {
    std::optional<HandShape> shape = {};
    double curl = {};
    double spread = {};
    double oppose = {};
    std::vector<JointId> joints = {};
};

struct StageReply {
    LimitSource limits = {};
    std::vector<Diagnostic> warnings = {};
    std::vector<RecognisedJoint> recognised = {};
    std::vector<JointId> feet = {};
};

struct ClampReply {
    std::vector<JointId> joints = {};
};

struct SolverReply {
    double position_tolerance = {};
    double reach = {};
    std::vector<double> target_sizes = {};
};

struct JointsReply {
    std::vector<JointId> joints = {};
};

struct DragReply {
    std::string note = {};
};

struct PoleReply {
    std::optional<DragPole> pole = {};
};

struct PointReply {
    Vec3 point = {};
};

struct ClipReply {
    bool is_frames = {};
    double duration = {};
    double frame_time = {};
    std::size_t frame_count = {};
    std::size_t key_count = {};
    bool dense = {};
    std::string name = {};
};

struct LayerKeyReply {
    double time = {};
    std::vector<double> rotations = {};
    std::vector<double> translations = {};
};

struct LayerKeysReply {
    std::vector<LayerKeyReply> keys = {};
};

struct KeyReply {
    double time = {};
    std::vector<double> value = {};
    std::vector<double> in = {};
    std::vector<double> out = {};
};

struct TrackReply {
    JointId joint = JointId::None;
    Part part = {};
    Interpolation interpolation = {};
    std::vector<KeyReply> keys = {};
};

struct TracksReply {
    std::vector<TrackReply> tracks = {};
};

struct MeshReply {
    std::size_t vertex_count = {};
    std::size_t triangle_count = {};
    bool has_texcoords = {};
    bool has_colors = {};
    std::string name = {};
    std::vector<MeshPart> parts = {};
};

struct MirrorReply {
    std::size_t unmatched = {};
};

struct FitterReply {
    std::size_t vertex_count = {};
    double size = {};
    std::vector<Diagnostic> warnings = {};
};

struct NotesReply {
    std::vector<std::string> notes = {};
};

struct PointCacheReply {
    std::size_t point_count = {};
    std::size_t sample_count = {};
    double start = {};
    double step = {};
    std::vector<Diagnostic> warnings = {};
};

struct RetargetReply {
    RetargetReport report = {};
    Contacts contacts = {};
    std::vector<double> target_from_source = {};
    std::vector<Diagnostic> warnings = {};
};

struct SolesReply {
    std::vector<double> left = {};
    std::vector<double> right = {};
};

struct GoalRequest {
    std::optional<double> weight = {};
    int level = 1;
    bool enabled = true;
    std::variant<PositionGoal, PinRequest, OrientationRequest, AimGoal, PoleGoal, PlaneGoal, DistanceGoal, RelativePositionGoal, RelativeOrientationGoal, KeepApartGoal, BalanceGoal, PostureRequest> kind = {};
};

void read(Reader& in, OpenOptions& out);
void read(Reader& in, SaveOptions& out);
void read(Reader& in, PositionGoal& out);
void read(Reader& in, PinRequest& out);
void read(Reader& in, OrientationRequest& out);
void read(Reader& in, AimGoal& out);
void read(Reader& in, PoleGoal& out);
void read(Reader& in, PlaneGoal& out);
void read(Reader& in, DistanceGoal& out);
void read(Reader& in, RelativePositionGoal& out);
void read(Reader& in, RelativeOrientationGoal& out);
void read(Reader& in, KeepApartGoal& out);
void read(Reader& in, ContactPoint& out);
void read(Reader& in, JointMass& out);
void read(Reader& in, BalanceGoal& out);
void read(Reader& in, PostureRequest& out);
void read(Reader& in, IkOptions& out);
void read(Reader& in, SolverRequest& out);
void read(Reader& in, JointStiffness& out);
void read(Reader& in, DragGrab& out);
void read(Reader& in, DragPin& out);
void read(Reader& in, DragPole& out);
void read(Reader& in, NaturalRules& out);
void read(Reader& in, DragOptions& out);
void read(Reader& in, DragRequest& out);
void read(Reader& in, LayerPin& out);
void read(Reader& in, LayerKeyRequest& out);
void read(Reader& in, LayerRequest& out);
void read(Reader& in, LayersRequest& out);
void read(Reader& in, ReduceRequest& out);
void read(Reader& in, WeightOptions& out);
void read(Reader& in, TieRequest& out);
void read(Reader& in, PaintRequest& out);
void read(Reader& in, FitRequest& out);
void read(Reader& in, ContactOptions& out);
void read(Reader& in, RetargetKeep& out);
void read(Reader& in, Contact& out);
void read(Reader& in, RetargetRequest& out);
void read(Reader& in, BodyRequest& out);
void read(Reader& in, GoalRequest& out);

/// The request that stands in the input, from its n-th number on.
template <class Request>
[[nodiscard]] Request readRequest(std::size_t first = 0) {
    Reader in(first);
    Request out;
    read(in, out);
    return out;
}

void put(const Diagnostic& value);
void put(const DocumentReply& value);
void put(const io::MaterialSet& value);
void put(const MeshFileReply& value);
void put(const WrittenReply& value);
void put(const ConeLimit& value);
void put(const Trs& value);
void put(const JointReply& value);
void put(const DofReply& value);
void put(const SkeletonReply& value);
void put(const HandState& value);
void put(const RecognisedJoint& value);
void put(const StageReply& value);
void put(const ClampReply& value);
void put(const ArcHandle& value);
void put(const ConeHandle& value);
void put(const JointHandles& value);
void put(const SolverReply& value);
void put(const IkReport& value);
void put(const DragTrace& value);
void put(const JointsReply& value);
void put(const DragReply& value);
void put(const DragStep& value);
void put(const DragPin& value);
void put(const DragPole& value);
void put(const PoleReply& value);
void put(const PointReply& value);
void put(const ClipReply& value);
void put(const LayerKeyReply& value);
void put(const LayerKeysReply& value);
void put(const ReduceReport& value);
void put(const KeyReply& value);
void put(const TrackReply& value);
void put(const TracksReply& value);
void put(const io::Image& value);
void put(const io::Texture& value);
void put(const io::Material& value);
void put(const MeshPart& value);
void put(const MeshReply& value);
void put(const MadeWeights& value);
void put(const TiedSurface& value);
void put(const MirrorReply& value);
void put(const FitterReply& value);
void put(const NotesReply& value);
void put(const FitReport& value);
void put(const PointCacheReply& value);
void put(const Contact& value);
void put(const Contacts& value);
void put(const RetargetReport& value);
void put(const RetargetReply& value);
void put(const SolesReply& value);

// What the calls do: each is implemented in this folder.
[[nodiscard]] bool engineOpen(std::size_t size, std::size_t name_size);
[[nodiscard]] MeshObject* engineReadMesh(SkeletonObject& skeleton, std::size_t size, std::size_t name_size);
[[nodiscard]] SkeletonReply skeletonDescribe(SkeletonObject& skeleton);
void skeletonRest(SkeletonObject& skeleton);
[[nodiscard]] const void* skeletonMatrices(SkeletonObject& skeleton);
void skeletonOrientations(SkeletonObject& skeleton);
void skeletonTurn(SkeletonObject& skeleton, JointId joint);
void skeletonEuler(SkeletonObject& skeleton, JointId joint, EulerOrder order);
void skeletonSetEuler(SkeletonObject& skeleton, JointId joint, EulerOrder order);
[[nodiscard]] bool skeletonMirror(SkeletonObject& skeleton);
[[nodiscard]] bool skeletonMirrorPart(SkeletonObject& skeleton, JointId joint);
[[nodiscard]] JointsReply skeletonPart(SkeletonObject& skeleton, JointId joint);
[[nodiscard]] PoleReply skeletonPole(SkeletonObject& skeleton, JointId joint);
void skeletonBlend(SkeletonObject& skeleton);
[[nodiscard]] Result<HandState> skeletonHand(SkeletonObject& skeleton, BodySide side);
[[nodiscard]] Result<HandState> skeletonPoseHand(SkeletonObject& skeleton, BodySide side, std::optional<HandShape> shape, double curl, double spread, double oppose);
[[nodiscard]] SolesReply skeletonSoles(SkeletonObject& skeleton);
[[nodiscard]] bool skeletonReplacesRest(SkeletonObject& skeleton);
[[nodiscard]] StageObject* stageMake(SkeletonObject& skeleton, LimitSource limits, SkeletonObject* other, std::size_t meshes);
[[nodiscard]] StageObject* stageMakeUsual(SkeletonObject& skeleton, std::size_t meshes);
[[nodiscard]] SkeletonObject* stageSkeleton(StageObject& stage);
void stageDofs(StageObject& stage);
void stageApply(StageObject& stage);
[[nodiscard]] double stageSetDof(StageObject& stage, std::size_t dof);
[[nodiscard]] ClampReply stageClamp(StageObject& stage);
[[nodiscard]] double stageExcess(StageObject& stage);
[[nodiscard]] JointHandles stageHandles(StageObject& stage, JointId joint);
[[nodiscard]] SolverObject* solverMake(StageObject& stage, std::size_t goals);
void solverTarget(SolverObject& solver, std::size_t goal, double x, double y, double z, double w);
void solverWeight(SolverObject& solver, std::size_t goal, double weight);
void solverEnable(SolverObject& solver, std::size_t goal, bool enabled);
void solverSolve(SolverObject& solver);
[[nodiscard]] DragTrace solverTrace(SolverObject& solver, std::size_t iterations);
[[nodiscard]] DragObject* dragMake(StageObject& stage);
[[nodiscard]] JointsReply dragHindrances(StageObject& stage, double x, double y, double z);
void dragSolve(DragObject& drag, double x, double y, double z);
[[nodiscard]] DragTrace dragTrace(DragObject& drag, double x, double y, double z, std::size_t iterations);
[[nodiscard]] PointReply dragHeldPoint(DragObject& drag);
[[nodiscard]] DragPin dragMovedPin(DragObject& drag, double x, double y, double z);
[[nodiscard]] ClipObject* clipMake(SkeletonObject& skeleton);
[[nodiscard]] ClipObject* clipOfPoses(SkeletonObject& skeleton, std::size_t count, double frame_time);
[[nodiscard]] ClipReply clipDescribe(ClipObject& clip);
void clipRename(ClipObject& clip, std::size_t size);
void clipSample(ClipObject& clip, double time);
void clipTrail(ClipObject& clip, JointId joint, double from, double to, std::size_t count);
void clipDofCurves(ClipObject& clip, StageObject* stage, JointId joint, double from, double to, std::size_t count);
[[nodiscard]] ClipObject* clipClone(ClipObject& clip);
[[nodiscard]] ClipObject* clipKeyed(ClipObject& clip);
[[nodiscard]] ClipObject* clipEditable(ClipObject& clip, SkeletonObject& skeleton);
[[nodiscard]] ClipObject* clipSampled(ClipObject& clip, double fps);
[[nodiscard]] ClipObject* clipTrimmed(ClipObject& clip, double from, double to);
[[nodiscard]] ClipObject* clipReduced(ClipObject& clip, SkeletonObject& skeleton);
void clipSetRate(ClipObject& clip, double fps);
void clipBytes(ClipObject& clip);
[[nodiscard]] ClipObject* clipOfBytes(SkeletonObject& skeleton, std::size_t size);
[[nodiscard]] ClipObject* clipLayered(ClipObject& clip);
[[nodiscard]] LayerKeysReply clipLayerKeys(ClipObject& clip, std::size_t layer, double time);
[[nodiscard]] std::size_t clipCompose(ClipObject& clip, std::size_t frames);
[[nodiscard]] ClipObject* clipMerged(ClipObject& clip);
[[nodiscard]] TracksReply clipTracks(ClipObject& clip, JointId joint);
void clipKeyTimes(ClipObject& clip, JointId joint);
void clipSampleTrack(ClipObject& clip, JointId joint, Part part, double from, double to, std::size_t count);
[[nodiscard]] int clipSetKey(ClipObject& clip, JointId joint, Part part, double time);
void clipKeyPose(ClipObject& clip, double time);
[[nodiscard]] int clipMoveKey(ClipObject& clip, JointId joint, Part part, std::size_t key, double time);
[[nodiscard]] bool clipEraseKey(ClipObject& clip, JointId joint, Part part, std::size_t key);
[[nodiscard]] int clipMoveKeysAt(ClipObject& clip, JointId joint, double time, double epsilon, double to);
[[nodiscard]] int clipEraseKeysAt(ClipObject& clip, JointId joint, double time, double epsilon);
void clipInterpolate(ClipObject& clip, JointId joint, std::optional<Part> part, Interpolation interpolation);
[[nodiscard]] ClipObject* clipRetarget(ClipObject& clip, SkeletonObject& source, SkeletonObject& target);
[[nodiscard]] Result<Contacts> clipContacts(ClipObject& clip, SkeletonObject& skeleton);
[[nodiscard]] MeshReply meshDescribe(MeshObject& mesh);
[[nodiscard]] bool meshHasWeights(MeshObject& mesh);
[[nodiscard]] const void* meshPositions(MeshObject& mesh);
[[nodiscard]] const void* meshNormals(MeshObject& mesh);
[[nodiscard]] const void* meshTexcoords(MeshObject& mesh);
[[nodiscard]] const void* meshColors(MeshObject& mesh);
[[nodiscard]] const void* meshIndices(MeshObject& mesh);
[[nodiscard]] const void* meshDeform(MeshObject& mesh, SkinBlend blend, Twist twist, bool normals);
void meshBind(MeshObject& mesh);
[[nodiscard]] const void* meshWeightsOf(MeshObject& mesh, JointId joint);
void meshWeights(MeshObject& mesh);
void meshSetWeights(MeshObject& mesh, std::size_t rows, std::size_t count);
[[nodiscard]] Result<MadeWeights> meshMakeWeights(MeshObject& mesh);
[[nodiscard]] Result<TiedSurface> meshTie(MeshObject& mesh);
[[nodiscard]] std::size_t meshPaint(MeshObject& mesh, JointId joint);
void meshSmooth(MeshObject& mesh, double amount, std::size_t rounds);
[[nodiscard]] double meshPrune(MeshObject& mesh, std::size_t most, double least);
[[nodiscard]] Result<MirrorReply> meshMirror(MeshObject& mesh, MirrorSide from, double tolerance);
[[nodiscard]] FitterObject* fitterMake(SkeletonObject& skeleton, StageObject& stage, std::size_t meshes);
void fitterFit(FitterObject& fitter, bool cold);
[[nodiscard]] NotesReply fitterNotes(FitterObject& fitter);
[[nodiscard]] PointCacheObject* pointCacheRead(std::size_t size, std::size_t name_size);
[[nodiscard]] const void* pointCacheSample(PointCacheObject& cache, std::size_t sample);
[[nodiscard]] Result<WrittenReply> writeBvhFile(SkeletonObject& skeleton, ClipObject* clip);
[[nodiscard]] Result<WrittenReply> writeGltfFile(SkeletonObject& skeleton, io::GltfForm form);
[[nodiscard]] Result<WrittenReply> writeRigFile(SkeletonObject& skeleton, double fps, std::size_t name_size);
[[nodiscard]] Result<WrittenReply> writeMeshFile(MeshObject& mesh, FileFormat format, bool posed, SkinBlend blend, Twist twist);

}  // namespace ulna::engine
