// SPDX-License-Identifier: Apache-2.0
#include "support/humanoid.h"

#include <array>

#include "support/skeletons.h"

namespace ulna::test {
namespace {

// A joint of the left side or the middle; `{}` in a name stands for the side.
struct Row {
    const char* name;
    const char* part;  // without the side
    const char* parent;
    Vec3 place;
};

std::string withSide(std::string text, const std::string& side) {
    const std::size_t at = text.find("{}");
    return at == std::string::npos ? text : text.replace(at, 2, side);
}

NameFamily family(std::string name, std::array<std::string, 2> sides,
                  const std::vector<Row>& rows) {
    NameFamily out{std::move(name), {}};
    for (const Row& row : rows) {
        if (std::string(row.name).find("{}") == std::string::npos)
            out.joints.push_back({row.name, row.part, row.parent, row.place});
    }
    for (std::size_t s = 0; s < 2; ++s) {
        for (const Row& row : rows) {
            if (std::string(row.name).find("{}") == std::string::npos) continue;
            const std::string part =
                *row.part == '\0' ? "" : (s == 0 ? "left " : "right ") + std::string(row.part);
            Vec3 place = row.place;
            if (s == 1) place.x = -place.x;
            out.joints.push_back(
                {withSide(row.name, sides[s]), part, withSide(row.parent, sides[s]), place});
        }
    }
    return out;
}

constexpr Vec3 kHips{0, 0.97, 0}, kSpine{0, 1.06, -0.01}, kSpine1{0, 1.18, -0.01},
    kSpine2{0, 1.31, -0.01}, kNeck{0, 1.48, -0.005}, kNeck1{0, 1.53, 0}, kHead{0, 1.57, 0.01},
    kCollar{0.03, 1.43, 0}, kShoulder{0.175, 1.43, -0.01}, kElbow{0.46, 1.43, -0.015},
    kWrist{0.715, 1.43, -0.01}, kThumb{0.74, 1.42, 0.02}, kThumb2{0.77, 1.41, 0.05},
    kIndex{0.8, 1.43, 0.02}, kIndex2{0.84, 1.43, 0.02}, kHip{0.09, 0.935, 0},
    kKnee{0.095, 0.505, 0.005}, kAnkle{0.1, 0.085, -0.005}, kToes{0.11, 0.02, 0.125};

}  // namespace

std::vector<NameFamily> nameFamilies() {
    std::vector<NameFamily> out;
    out.push_back(family("Mixamo", {"Left", "Right"},
                         {{"mixamorig:Hips", "hips", "", kHips},
                          {"mixamorig:Spine", "spine", "mixamorig:Hips", kSpine},
                          {"mixamorig:Spine1", "spine", "mixamorig:Spine", kSpine1},
                          {"mixamorig:Spine2", "spine", "mixamorig:Spine1", kSpine2},
                          {"mixamorig:Neck", "neck", "mixamorig:Spine2", kNeck},
                          {"mixamorig:Head", "head", "mixamorig:Neck", kHead},
                          {"mixamorig:HeadTop_End", "", "mixamorig:Head", {0, 1.76, 0.01}},
                          {"mixamorig:{}Shoulder", "collarbone", "mixamorig:Spine2", kCollar},
                          {"mixamorig:{}Arm", "shoulder", "mixamorig:{}Shoulder", kShoulder},
                          {"mixamorig:{}ForeArm", "elbow", "mixamorig:{}Arm", kElbow},
                          {"mixamorig:{}Hand", "wrist", "mixamorig:{}ForeArm", kWrist},
                          {"mixamorig:{}HandThumb1", "thumb", "mixamorig:{}Hand", kThumb},
                          {"mixamorig:{}HandThumb2", "thumb", "mixamorig:{}HandThumb1", kThumb2},
                          {"mixamorig:{}HandIndex1", "index finger", "mixamorig:{}Hand", kIndex},
                          {"mixamorig:{}UpLeg", "hip", "mixamorig:Hips", kHip},
                          {"mixamorig:{}Leg", "knee", "mixamorig:{}UpLeg", kKnee},
                          {"mixamorig:{}Foot", "ankle", "mixamorig:{}Leg", kAnkle},
                          {"mixamorig:{}ToeBase", "toes", "mixamorig:{}Foot", kToes},
                          {"mixamorig:{}Toe_End", "", "mixamorig:{}ToeBase", {0.12, 0.01, 0.19}}}));
    out.push_back(family("Biovision", {"Left", "Right"},
                         {{"Hips", "hips", "", kHips},
                          {"Chest", "spine", "Hips", kSpine},
                          {"Neck", "neck", "Chest", kNeck},
                          {"Head", "head", "Neck", kHead},
                          {"{}Collar", "collarbone", "Chest", kCollar},
                          {"{}Shoulder", "shoulder", "{}Collar", kShoulder},
                          {"{}Elbow", "elbow", "{}Shoulder", kElbow},
                          {"{}Wrist", "wrist", "{}Elbow", kWrist},
                          {"{}Hip", "hip", "Hips", kHip},
                          {"{}Knee", "knee", "{}Hip", kKnee},
                          {"{}Ankle", "ankle", "{}Knee", kAnkle},
                          {"{}Toe", "toes", "{}Ankle", kToes}}));
    out.push_back(family("Biovision, by bones", {"Left", "Right"},
                         {{"Hips", "hips", "", kHips},
                          {"Chest", "spine", "Hips", kSpine},
                          {"Chest2", "spine", "Chest", kSpine1},
                          {"Neck", "neck", "Chest2", kNeck},
                          {"Head", "head", "Neck", kHead},
                          {"{}Collar", "collarbone", "Chest2", kCollar},
                          {"{}UpArm", "shoulder", "{}Collar", kShoulder},
                          {"{}LowArm", "elbow", "{}UpArm", kElbow},
                          {"{}Hand", "wrist", "{}LowArm", kWrist},
                          {"{}UpLeg", "hip", "Hips", kHip},
                          {"{}LowLeg", "knee", "{}UpLeg", kKnee},
                          {"{}Foot", "ankle", "{}LowLeg", kAnkle}}));
    out.push_back(family("CMU text files", {"l", "r"},
                         {{"root", "hips", "", kHips},
                          {"lowerback", "spine", "root", kSpine},
                          {"upperback", "spine", "lowerback", kSpine1},
                          {"thorax", "spine", "upperback", kSpine2},
                          {"lowerneck", "neck", "thorax", kNeck},
                          {"upperneck", "neck", "lowerneck", kNeck1},
                          {"head", "head", "upperneck", kHead},
                          {"{}clavicle", "collarbone", "thorax", kCollar},
                          {"{}humerus", "shoulder", "{}clavicle", kShoulder},
                          {"{}radius", "elbow", "{}humerus", kElbow},
                          {"{}wrist", "wrist", "{}radius", kWrist},
                          {"{}hand", "wrist", "{}wrist", {0.72, 1.43, -0.01}},
                          {"{}fingers", "fingers", "{}hand", kIndex},
                          {"{}thumb", "thumb", "{}wrist", kThumb},
                          {"{}hipjoint", "side of the pelvis", "root", kHips},
                          {"{}femur", "hip", "{}hipjoint", kHip},
                          {"{}tibia", "knee", "{}femur", kKnee},
                          {"{}foot", "ankle", "{}tibia", kAnkle},
                          {"{}toes", "toes", "{}foot", kToes}}));
    out.push_back(family("CMU BVH", {"Left", "Right"},
                         {{"Hips", "hips", "", kHips},
                          {"LHipJoint", "left side of the pelvis", "Hips", kHips},
                          {"RHipJoint", "right side of the pelvis", "Hips", kHips},
                          {"LowerBack", "spine", "Hips", kSpine},
                          {"Spine", "spine", "LowerBack", kSpine1},
                          {"Spine1", "spine", "Spine", kSpine2},
                          {"Neck", "neck", "Spine1", kNeck},
                          {"Neck1", "neck", "Neck", kNeck1},
                          {"Head", "head", "Neck1", kHead},
                          {"{}Shoulder", "collarbone", "Spine1", kCollar},
                          {"{}Arm", "shoulder", "{}Shoulder", kShoulder},
                          {"{}ForeArm", "elbow", "{}Arm", kElbow},
                          {"{}Hand", "wrist", "{}ForeArm", kWrist},
                          {"{}FingerBase", "fingers", "{}Hand", {0.73, 1.43, -0.01}},
                          {"{}HandIndex1", "index finger", "{}FingerBase", kIndex},
                          {"{}UpLeg", "hip", "Hips", kHip},
                          {"{}Leg", "knee", "{}UpLeg", kKnee},
                          {"{}Foot", "ankle", "{}Leg", kAnkle},
                          {"{}ToeBase", "toes", "{}Foot", kToes}}));
    out.push_back(family("VRM bones", {"L", "R"},
                         {{"Root", "", "", {0, 0, 0}},
                          {"J_Bip_C_Hips", "hips", "Root", kHips},
                          {"J_Bip_C_Spine", "spine", "J_Bip_C_Hips", kSpine},
                          {"J_Bip_C_Chest", "spine", "J_Bip_C_Spine", kSpine1},
                          {"J_Bip_C_UpperChest", "spine", "J_Bip_C_Chest", kSpine2},
                          {"J_Bip_C_Neck", "neck", "J_Bip_C_UpperChest", kNeck},
                          {"J_Bip_C_Head", "head", "J_Bip_C_Neck", kHead},
                          {"J_Adj_{}_FaceEye", "", "J_Bip_C_Head", {0.03, 1.64, 0.08}},
                          {"J_Sec_{}_Bust1", "", "J_Bip_C_UpperChest", {0.06, 1.3, 0.1}},
                          {"J_Bip_{}_Shoulder", "collarbone", "J_Bip_C_UpperChest", kCollar},
                          {"J_Bip_{}_UpperArm", "shoulder", "J_Bip_{}_Shoulder", kShoulder},
                          {"J_Bip_{}_LowerArm", "elbow", "J_Bip_{}_UpperArm", kElbow},
                          {"J_Bip_{}_Hand", "wrist", "J_Bip_{}_LowerArm", kWrist},
                          {"J_Bip_{}_Index1", "index finger", "J_Bip_{}_Hand", kIndex},
                          {"J_Bip_{}_UpperLeg", "hip", "J_Bip_C_Hips", kHip},
                          {"J_Bip_{}_LowerLeg", "knee", "J_Bip_{}_UpperLeg", kKnee},
                          {"J_Bip_{}_Foot", "ankle", "J_Bip_{}_LowerLeg", kAnkle},
                          {"J_Bip_{}_ToeBase", "toes", "J_Bip_{}_Foot", kToes}}));
    out.push_back(family("VRM roles", {"left", "right"},
                         {{"hips", "hips", "", kHips},
                          {"spine", "spine", "hips", kSpine},
                          {"chest", "spine", "spine", kSpine1},
                          {"upperChest", "spine", "chest", kSpine2},
                          {"neck", "neck", "upperChest", kNeck},
                          {"head", "head", "neck", kHead},
                          {"jaw", "", "head", {0, 1.58, 0.02}},
                          {"{}Eye", "", "head", {0.03, 1.64, 0.08}},
                          {"{}Shoulder", "collarbone", "upperChest", kCollar},
                          {"{}UpperArm", "shoulder", "{}Shoulder", kShoulder},
                          {"{}LowerArm", "elbow", "{}UpperArm", kElbow},
                          {"{}Hand", "wrist", "{}LowerArm", kWrist},
                          {"{}ThumbMetacarpal", "thumb", "{}Hand", kThumb},
                          {"{}IndexProximal", "index finger", "{}Hand", kIndex},
                          {"{}IndexDistal", "index finger", "{}IndexProximal", kIndex2},
                          {"{}LittleProximal", "little finger", "{}Hand", {0.78, 1.43, -0.03}},
                          {"{}UpperLeg", "hip", "hips", kHip},
                          {"{}LowerLeg", "knee", "{}UpperLeg", kKnee},
                          {"{}Foot", "ankle", "{}LowerLeg", kAnkle},
                          {"{}Toes", "toes", "{}Foot", kToes}}));
    out.push_back(family("Unreal", {"l", "r"},
                         {{"root", "", "", {0, 0, 0}},
                          {"pelvis", "hips", "root", kHips},
                          {"spine_01", "spine", "pelvis", kSpine},
                          {"spine_02", "spine", "spine_01", kSpine1},
                          {"spine_03", "spine", "spine_02", kSpine2},
                          {"neck_01", "neck", "spine_03", kNeck},
                          {"head", "head", "neck_01", kHead},
                          {"clavicle_{}", "collarbone", "spine_03", kCollar},
                          {"upperarm_{}", "shoulder", "clavicle_{}", kShoulder},
                          {"upperarm_twist_01_{}", "", "upperarm_{}", {0.25, 1.43, -0.01}},
                          {"lowerarm_{}", "elbow", "upperarm_{}", kElbow},
                          {"hand_{}", "wrist", "lowerarm_{}", kWrist},
                          {"thumb_01_{}", "thumb", "hand_{}", kThumb},
                          {"index_01_{}", "index finger", "hand_{}", kIndex},
                          {"thigh_{}", "hip", "pelvis", kHip},
                          {"thigh_twist_01_{}", "", "thigh_{}", {0.095, 0.7, 0}},
                          {"calf_{}", "knee", "thigh_{}", kKnee},
                          {"foot_{}", "ankle", "calf_{}", kAnkle},
                          {"ball_{}", "toes", "foot_{}", kToes},
                          {"ik_foot_{}", "", "root", kAnkle},
                          {"ik_hand_{}", "", "root", kWrist}}));
    out.push_back(family("3ds Max", {"L", "R"},
                         {{"Bip01", "", "", kHips},
                          {"Bip01 Pelvis", "hips", "Bip01", kHips},
                          {"Bip01 Spine", "spine", "Bip01 Pelvis", kSpine},
                          {"Bip01 Spine1", "spine", "Bip01 Spine", kSpine1},
                          {"Bip01 Neck", "neck", "Bip01 Spine1", kNeck},
                          {"Bip01 Head", "head", "Bip01 Neck", kHead},
                          {"Bip01 HeadNub", "", "Bip01 Head", {0, 1.76, 0.01}},
                          {"Bip01 {} Clavicle", "collarbone", "Bip01 Neck", kCollar},
                          {"Bip01 {} UpperArm", "shoulder", "Bip01 {} Clavicle", kShoulder},
                          {"Bip01 {} Forearm", "elbow", "Bip01 {} UpperArm", kElbow},
                          {"Bip01 {} Hand", "wrist", "Bip01 {} Forearm", kWrist},
                          {"Bip01 {} Finger0", "thumb", "Bip01 {} Hand", kThumb},
                          {"Bip01 {} Finger1", "fingers", "Bip01 {} Hand", kIndex},
                          {"Bip01 {} Thigh", "hip", "Bip01 Pelvis", kHip},
                          {"Bip01 {} Calf", "knee", "Bip01 {} Thigh", kKnee},
                          {"Bip01 {} Foot", "ankle", "Bip01 {} Calf", kAnkle},
                          {"Bip01 {} Toe0", "toes", "Bip01 {} Foot", kToes},
                          {"Bip01 {} Toe0Nub", "", "Bip01 {} Toe0", {0.12, 0.01, 0.19}}}));
    out.push_back(family("Poser", {"l", "r"},
                         {{"hip", "hips", "", kHips},
                          {"abdomen", "spine", "hip", kSpine},
                          {"chest", "spine", "abdomen", kSpine2},
                          {"neck", "neck", "chest", kNeck},
                          {"head", "head", "neck", kHead},
                          {"{}Collar", "collarbone", "chest", kCollar},
                          {"{}Shldr", "shoulder", "{}Collar", kShoulder},
                          {"{}ForeArm", "elbow", "{}Shldr", kElbow},
                          {"{}Hand", "wrist", "{}ForeArm", kWrist},
                          {"{}Mid1", "middle finger", "{}Hand", kIndex},
                          {"{}Buttock", "side of the pelvis", "hip", kHips},
                          {"{}Thigh", "hip", "{}Buttock", kHip},
                          {"{}Shin", "knee", "{}Thigh", kKnee},
                          {"{}Foot", "ankle", "{}Shin", kAnkle}}));
    out.push_back(family("Blender", {"L", "R"},
                         {{"Armature|hips", "hips", "", kHips},
                          {"DEF-spine.001", "spine", "Armature|hips", kSpine},
                          {"DEF-spine.002", "spine", "DEF-spine.001", kSpine2},
                          {"neck", "neck", "DEF-spine.002", kNeck},
                          {"head", "head", "neck", kHead},
                          {"shoulder.{}", "collarbone", "DEF-spine.002", kCollar},
                          {"upper_arm.{}", "shoulder", "shoulder.{}", kShoulder},
                          {"forearm.{}", "elbow", "upper_arm.{}", kElbow},
                          {"hand.{}", "wrist", "forearm.{}", kWrist},
                          {"f_index.01.{}", "index finger", "hand.{}", kIndex},
                          {"thigh.{}", "hip", "Armature|hips", kHip},
                          {"shin.{}", "knee", "thigh.{}", kKnee},
                          {"foot.{}", "ankle", "shin.{}", kAnkle},
                          {"toe.{}", "toes", "foot.{}", kToes}}));
    out.push_back(family("Xsens MVN", {"Left", "Right"},
                         {{"Pelvis", "hips", "", kHips},
                          {"L5", "spine", "Pelvis", kSpine},
                          {"L3", "spine", "L5", kSpine1},
                          {"T12", "spine", "L3", {0, 1.25, -0.01}},
                          {"T8", "spine", "T12", kSpine2},
                          {"Neck", "neck", "T8", kNeck},
                          {"Head", "head", "Neck", kHead},
                          {"{}Shoulder", "collarbone", "T8", kCollar},
                          {"{}UpperArm", "shoulder", "{}Shoulder", kShoulder},
                          {"{}ForeArm", "elbow", "{}UpperArm", kElbow},
                          {"{}Hand", "wrist", "{}ForeArm", kWrist},
                          {"{}UpperLeg", "hip", "Pelvis", kHip},
                          {"{}LowerLeg", "knee", "{}UpperLeg", kKnee},
                          {"{}Foot", "ankle", "{}LowerLeg", kAnkle},
                          {"{}Toe", "toes", "{}Foot", kToes}}));
    out.push_back(family("OptiTrack", {"L", "R"},
                         {{"Bob_Hip", "hips", "", kHips},
                          {"Bob_Ab", "spine", "Bob_Hip", kSpine},
                          {"Bob_Chest", "spine", "Bob_Ab", kSpine1},
                          {"Bob_Neck", "neck", "Bob_Chest", kNeck},
                          {"Bob_Head", "head", "Bob_Neck", kHead},
                          {"Bob_{}Shoulder", "collarbone", "Bob_Chest", kCollar},
                          {"Bob_{}UArm", "shoulder", "Bob_{}Shoulder", kShoulder},
                          {"Bob_{}FArm", "elbow", "Bob_{}UArm", kElbow},
                          {"Bob_{}Hand", "wrist", "Bob_{}FArm", kWrist},
                          {"Bob_{}Index1", "index finger", "Bob_{}Hand", kIndex},
                          {"Bob_{}Thigh", "hip", "Bob_Hip", kHip},
                          {"Bob_{}Shin", "knee", "Bob_{}Thigh", kKnee},
                          {"Bob_{}Foot", "ankle", "Bob_{}Shin", kAnkle},
                          {"Bob_{}Toe", "toes", "Bob_{}Foot", kToes}}));
    out.push_back(family("SMPL", {"L", "R"},
                         {{"f_avg_root", "", "", {0, 0, 0}},
                          {"f_avg_Pelvis", "hips", "f_avg_root", kHips},
                          {"f_avg_Spine1", "spine", "f_avg_Pelvis", kSpine},
                          {"f_avg_Spine2", "spine", "f_avg_Spine1", kSpine1},
                          {"f_avg_Spine3", "spine", "f_avg_Spine2", kSpine2},
                          {"f_avg_Neck", "neck", "f_avg_Spine3", kNeck},
                          {"f_avg_Head", "head", "f_avg_Neck", kHead},
                          {"f_avg_{}_Collar", "collarbone", "f_avg_Spine3", kCollar},
                          {"f_avg_{}_Shoulder", "shoulder", "f_avg_{}_Collar", kShoulder},
                          {"f_avg_{}_Elbow", "elbow", "f_avg_{}_Shoulder", kElbow},
                          {"f_avg_{}_Wrist", "wrist", "f_avg_{}_Elbow", kWrist},
                          {"f_avg_{}_Hand", "fingers", "f_avg_{}_Wrist", kIndex},
                          {"f_avg_{}_Hip", "hip", "f_avg_Pelvis", kHip},
                          {"f_avg_{}_Knee", "knee", "f_avg_{}_Hip", kKnee},
                          {"f_avg_{}_Ankle", "ankle", "f_avg_{}_Knee", kAnkle},
                          {"f_avg_{}_Foot", "toes", "f_avg_{}_Ankle", kToes}}));
    out.push_back(family("LAFAN1 and Rokoko", {"Left", "Right"},
                         {{"Hips", "hips", "", kHips},
                          {"Spine", "spine", "Hips", kSpine},
                          {"Spine1", "spine", "Spine", kSpine1},
                          {"Spine2", "spine", "Spine1", kSpine2},
                          {"Neck", "neck", "Spine2", kNeck},
                          {"Head", "head", "Neck", kHead},
                          {"{}Shoulder", "collarbone", "Spine2", kCollar},
                          {"{}Arm", "shoulder", "{}Shoulder", kShoulder},
                          {"{}ForeArm", "elbow", "{}Arm", kElbow},
                          {"{}Hand", "wrist", "{}ForeArm", kWrist},
                          {"{}Thigh", "hip", "Hips", kHip},
                          {"{}Shin", "knee", "{}Thigh", kKnee},
                          {"{}Foot", "ankle", "{}Shin", kAnkle},
                          {"{}Toe", "toes", "{}Foot", kToes}}));
    out.push_back(family("Rigify, for games", {"L", "R"},
                         {{"root", "", "", {0, 0, 0}},
                          {"DEF-spine", "hips", "root", kHips},
                          {"DEF-pelvis.{}", "", "DEF-spine", {0.06, 1.0, 0.05}},
                          {"DEF-spine.001", "spine", "DEF-spine", kSpine},
                          {"DEF-spine.002", "spine", "DEF-spine.001", kSpine1},
                          {"DEF-spine.003", "spine", "DEF-spine.002", kSpine2},
                          {"DEF-spine.004", "neck", "DEF-spine.003", kNeck},
                          {"DEF-spine.005", "neck", "DEF-spine.004", kNeck1},
                          {"DEF-spine.006", "head", "DEF-spine.005", kHead},
                          {"DEF-breast.{}", "", "DEF-spine.003", {0.06, 1.3, 0.1}},
                          {"DEF-shoulder.{}", "collarbone", "DEF-spine.003", kCollar},
                          {"DEF-upper_arm.{}", "shoulder", "DEF-shoulder.{}", kShoulder},
                          {"DEF-upper_arm.{}.001", "", "DEF-upper_arm.{}", {0.3, 1.43, -0.01}},
                          {"DEF-forearm.{}", "elbow", "DEF-upper_arm.{}", kElbow},
                          {"DEF-hand.{}", "wrist", "DEF-forearm.{}", kWrist},
                          {"DEF-thumb.01.{}", "thumb", "DEF-hand.{}", kThumb},
                          {"DEF-f_index.01.{}", "index finger", "DEF-hand.{}", kIndex},
                          {"DEF-thigh.{}", "hip", "DEF-spine", kHip},
                          {"DEF-thigh.{}.001", "", "DEF-thigh.{}", {0.095, 0.7, 0}},
                          {"DEF-shin.{}", "knee", "DEF-thigh.{}", kKnee},
                          {"DEF-foot.{}", "ankle", "DEF-shin.{}", kAnkle},
                          {"DEF-toe.{}", "toes", "DEF-foot.{}", kToes}}));
    return out;
}

Skeleton makeHumanoid(const NameFamily& family) {
    std::vector<JointDef> joints;
    const auto placeOf = [&](const std::string& name) {
        for (const FamilyName& f : family.joints) {
            if (f.name == name) return f.place;
        }
        return Vec3{};
    };
    for (const FamilyName& f : family.joints) {
        joints.push_back(joint(f.name, f.parent,
                               f.parent.empty() ? JointKind::Free : JointKind::Ball,
                               f.place - placeOf(f.parent)));
        joints.back().order = EulerOrder::Zxy;
    }
    // The ends of hands and feet, which have no joint of their own.
    for (const FamilyName& f : family.joints) {
        const double side = f.place.x < 0.0 ? -1.0 : 1.0;
        if (f.part.find("wrist") == std::string::npos && f.part.find("toes") == std::string::npos)
            continue;
        joints.push_back(joint(f.name + "_end", f.name, JointKind::Fixed,
                               f.part.find("wrist") != std::string::npos
                                   ? Vec3{side * 0.09, 0, 0}
                                   : Vec3{side * 0.01, -0.01, 0.06}));
        joints.back().end_site = true;
    }
    return build(std::move(joints));
}

OtherConvention::OtherConvention(const Skeleton& plain, const Pose& rest,
                                 const std::vector<std::string>& names, const Quat& turn,
                                 double scale, Random& random)
    : turn_(turn), scale_(scale), parents_(plain.parents().begin(), plain.parents().end()) {
    for (std::size_t i = 0; i < plain.jointCount(); ++i)
        plain_from_other_.push_back(random.rotation());
    const Pose other_rest = pose(rest);
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        JointDef& def = joints[i];
        def.name = names[i];
        def.parent = parents_[i] == JointId::None ? "" : names[index(parents_[i])];
        def.rest = other_rest.parent_from_joint[i];
        def.order = kAllEulerOrders[i % kAllEulerOrders.size()];
        def.tip = rotate(conjugate(plain_from_other_[i]), *def.tip * scale);
    }
    skeleton_ = build(std::move(joints));
}

Pose OtherConvention::pose(const Pose& plain) const {
    Pose out = plain;
    for (std::size_t i = 0; i < parents_.size(); ++i) {
        const Quat outer =
            parents_[i] == JointId::None ? turn_ : conjugate(plain_from_other_[index(parents_[i])]);
        Trs& t = out.parent_from_joint[i];
        t.translation = rotate(outer, t.translation * scale_);
        t.rotation = outer * t.rotation * plain_from_other_[i];
    }
    return out;
}

}  // namespace ulna::test
