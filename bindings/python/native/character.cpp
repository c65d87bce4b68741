// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/character.h"

#include "bindings/python/native/common.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/character/warnings.h"
#include "ulna/core/text.h"
#include "ulna/motion/units.h"
#include "ulna/skeleton/match.h"

namespace ulna::python {
namespace {

constexpr Word<io::PositionChannels> kPositionChannels[] = {
    {"replace", io::PositionChannels::Replace}, {"add", io::PositionChannels::Add}};
constexpr Word<io::CsvContent> kCsvContents[] = {{"positions", io::CsvContent::Positions},
                                                 {"rotations", io::CsvContent::Rotations},
                                                 {"dofs", io::CsvContent::Dofs}};

OpenOptions openOptions(bool strict, bool lenient, const std::string& channels, bool points,
                        int threads) {
    if (strict && lenient) raiseValue("a file is read either strictly or leniently");
    return {.strict = strict,
            .lenient = lenient,
            .position_channels = valueOf(channels, "position_channels", kPositionChannels),
            .points = points,
            .threads = threadsOf(threads)};
}

CharacterObject makeObject(Result<Character> character) {
    if (!character) raise(character.error());
    return {std::make_shared<const Character>(*std::move(character))};
}

CharacterObject load(const Path& path, bool strict, bool lenient, const std::string& channels,
                     bool points, int threads) {
    const std::string name = pathOf(path);
    const OpenOptions options = openOptions(strict, lenient, channels, points, threads);
    return makeObject(withoutGil([&] { return openCharacter(name, options); }));
}

CharacterObject loadBytes(const py::bytes& bytes, const std::string& name, bool strict,
                          bool lenient, const std::string& channels, bool points, int threads) {
    const auto view = bytes.cast<std::string_view>();
    const OpenOptions options = openOptions(strict, lenient, channels, points, threads);
    return makeObject(withoutGil([&] { return openCharacter(view, name, options); }));
}

CharacterObject assemble(const SkeletonObject& s, const std::vector<ClipObject>& clips,
                         const std::vector<MeshObject>& meshes, const std::string& name) {
    Character out;
    out.path = name;
    out.skeleton = *s;
    for (const ClipObject& clip : clips) {
        checkSameJoints(*s, *clip.skeleton, "a clip");
        out.clips.push_back(*clip.clip);
    }
    for (const MeshObject& mesh : meshes) {
        if (mesh.skeleton != nullptr) checkSameJoints(*s, *mesh.skeleton, "a mesh");
        out.meshes.push_back(*mesh.mesh);
        for (MeshPart& part : out.meshes.back().parts) part.material = kNoMaterial;
    }
    return {std::make_shared<const Character>(std::move(out))};
}

CharacterObject withClips(const CharacterObject& c, const std::vector<ClipObject>& clips) {
    Character out = *c;
    out.clips.clear();
    for (const ClipObject& clip : clips) {
        checkSameJoints(out.skeleton, *clip.skeleton, "a clip");
        out.clips.push_back(*clip.clip);
    }
    // What the files said of their own clips is no longer so.
    out.bvh.reset();
    if (out.rig) out.rig->clips.clear();
    return {std::make_shared<const Character>(std::move(out))};
}

CharacterObject withMeshes(const CharacterObject& c, const std::vector<MeshObject>& meshes) {
    Character out = *c;
    out.meshes.clear();
    out.morphs.clear();
    for (const MeshObject& mesh : meshes) {
        if (mesh.skeleton != nullptr) checkSameJoints(out.skeleton, *mesh.skeleton, "a mesh");
        out.meshes.push_back(*mesh.mesh);
        for (MeshPart& part : out.meshes.back().parts)
            if (part.material >= out.material_set.materials.size()) part.material = kNoMaterial;
    }
    return {std::make_shared<const Character>(std::move(out))};
}

// The character with its model changed as a whole.
template <class OfMotion, class OfMesh>
Character changed(const Character& c, Skeleton skeleton, const OfMotion& ofMotion,
                  const OfMesh& ofMesh) {
    Character out;
    out.path = c.path;
    out.format = c.format;
    out.skeleton = std::move(skeleton);
    for (const Clip& clip : c.clips)
        std::visit([&](const auto& each) { out.clips.emplace_back(ofMotion(each)); }, clip);
    for (const Mesh& mesh : c.meshes) out.meshes.push_back(ofMesh(mesh));
    out.material_set = c.material_set;
    out.warnings = c.warnings;
    out.map = c.map;
    return out;
}

CharacterObject scaled(const CharacterObject& c, double factor) {
    if (!(positive(factor, "factor") < 1e12)) raiseValue("factor is below 1e12");
    Result<Skeleton> skeleton = scaledSkeleton(c->skeleton, factor);
    if (!skeleton) raise(skeleton.error());
    return {std::make_shared<const Character>(changed(
        *c, *std::move(skeleton), [&](const auto& motion) { return scaledMotion(motion, factor); },
        [&](const Mesh& mesh) { return scaledMesh(mesh, factor); }))};
}

CharacterObject rotatedTo(const CharacterObject& c, const std::string& up,
                          const std::optional<std::string>& from) {
    const UpAxis to = upAxisFromWord(up);
    const UpAxis old = from ? upAxisFromWord(*from) : upAxisOf(*c);
    if (old == to) return c;
    if (c->skeleton.planar()) raiseValue("a planar skeleton has no other up axis");
    const Quat rotation = quatAboutAxis(0, to == UpAxis::Z ? kPi / 2.0 : -kPi / 2.0);
    Character out = changed(
        *c, rotatedSkeleton(c->skeleton, rotation),
        [&](const auto& motion) { return rotatedMotion(c->skeleton, motion, rotation); },
        [&](const Mesh& mesh) { return rotatedMesh(mesh, rotation); });
    return {std::make_shared<const Character>(std::move(out))};
}

std::size_t clipIndex(const Character& c, const py::object& clip) {
    if (py::isinstance<py::str>(clip)) {
        const auto name = clip.cast<std::string>();
        const std::optional<std::size_t> found = findClip(c, name);
        if (found) return *found;
        std::vector<std::string> names;
        for (const Clip& each : c.clips) names.push_back(nameOf(each));
        const std::string advice = suggestNames(name, names);
        throw py::key_error("there is no clip '" + visibleText(name) + "'" +
                            (advice.empty() ? "" : "; " + advice));
    }
    if (!PyIndex_Check(clip.ptr())) raiseType("a clip is an index or a name");
    const py::ssize_t i = PyNumber_AsSsize_t(clip.ptr(), PyExc_IndexError);
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    const py::ssize_t count = asSsize(c.clips.size());
    if (i < -count || i >= count)
        raiseIndex("there is no clip " + std::to_string(i) + "; there are " +
                   std::to_string(count));
    return asSize(i < 0 ? i + count : i);
}

ClipObject clipOf(const CharacterObject& c, std::size_t i) {
    return {c.skeleton(), {c.character, &c->clips[i]}};
}

SaveOptions saveOptions(double fps, const std::optional<std::string>& order,
                        bool root_only_positions, const std::string& csv) {
    SaveOptions out{.frame_rate = fps,
                    .root_only_positions = root_only_positions,
                    .csv = valueOf(csv, "csv", kCsvContents)};
    if (!(fps >= 0.0 && fps <= 1e6)) raiseValue("fps is above 0 and at most 1000000");
    if (order) {
        out.order = eulerOrderFromName(*order);
        if (!out.order)
            raiseValue("order is one of the twelve orders such as 'zxy', not '" + *order + "'");
    }
    return out;
}

// A character, or a clip alone.
CharacterObject contentOfArgument(const py::object& what) {
    if (py::isinstance<CharacterObject>(what)) return what.cast<CharacterObject>();
    if (py::isinstance<ClipObject>(what)) {
        const auto clip = what.cast<ClipObject>();
        return assemble({clip.skeleton}, {clip}, {}, "");
    }
    if (py::isinstance<SkeletonObject>(what))
        return assemble(what.cast<SkeletonObject>(), {}, {}, "");
    raiseType("a character, a clip or a skeleton is saved, not " +
              py::str(py::type::of(what).attr("__name__")).cast<std::string>());
}

// A BVH file whose content nobody changed is written as it was read, value by value.
bool isAsRead(const Character& c, FileFormat format, const SaveOptions& options) {
    return c.bvh && format == FileFormat::Bvh && options.frame_rate == 0.0 && !options.order &&
           !options.root_only_positions;
}

Warnings save(const Content& what, const Path& path, double fps,
              const std::optional<std::string>& order, bool root_only_positions,
              const std::string& csv, const MaybeProgress& progress) {
    const CharacterObject c = contentOfArgument(what);
    const std::string name = pathOf(path);
    const SaveOptions options = saveOptions(fps, order, root_only_positions, csv);
    LongCall call(progress);
    const std::optional<FileFormat> format = formatOfName(name);
    return take(call.run([&]() -> Result<Warnings> {
        if (format && isAsRead(*c, *format, options)) {
            const Status status = io::saveBvh(*c->bvh, name, call.progress());
            if (!status) return status.error();
            return Warnings{};
        }
        return saveCharacter(contentOf(*c), name, options, call.progress());
    }));
}

py::bytes toBytes(const Content& what, const std::string& format, double fps,
                  const std::optional<std::string>& order, bool root_only_positions,
                  const std::string& csv) {
    const CharacterObject c = contentOfArgument(what);
    const std::optional<FileFormat> as = formatOfName("." + format);
    if (!as)
        raiseValue("format is the ending of a file's name such as 'glb', not '" +
                   visibleText(format) + "'");
    const SaveOptions options = saveOptions(fps, order, root_only_positions, csv);
    Result<CharacterBytes> bytes =
        withoutGil([&] { return writeCharacter(contentOf(*c), *as, options); });
    if (!bytes) raise(bytes.error());
    return py::bytes(bytes->bytes);
}

Roles rolesOf(const CharacterObject& c) {
    py::dict out;
    const Result<BodyRoles> body = findBodyRoles(c->skeleton, restPose(c->skeleton), c->bodyMap());
    if (!body) return Roles(out);
    for (const BodyRole& role : body->roles)
        out[py::str(role.name)] = namesOf(c->skeleton, role.joints);
    return Roles(out);
}

CharacterObject withRoles(const CharacterObject& c, const MaybeRoles& roles) {
    Character out = *c;
    BodyMap map;
    const std::vector<std::string>& known = bodyRoleNames();
    for (const auto& item : py::dict(roles)) {
        const auto name = item.first.cast<std::string>();
        if (std::find(known.begin(), known.end(), name) == known.end())
            raiseValue("there is no role '" + visibleText(name) + "'; " +
                       suggestNames(name, known));
        map.entries.push_back(
            {name, jointsOf(c->skeleton, py::reinterpret_borrow<py::object>(item.second))});
    }
    out.map = std::move(map);
    return {std::make_shared<const Character>(std::move(out))};
}

std::string repr(const CharacterObject& c) {
    return "<ulna.Character '" + c->path + "': " + std::to_string(c->skeleton.jointCount()) +
           " joints, " + std::to_string(c->clips.size()) + " clips, " +
           std::to_string(c->meshes.size()) + " meshes>";
}

}  // namespace

void bindCharacter(py::module_& m) {
    py::class_<CharacterObject>(
        m, "Character",
        R"(What a file holds: a skeleton, clips, meshes and warnings. It never changes.

    >>> c = ulna.load(ulna.example("ulna-wave.bvh"))
    >>> c.clips[0].name, c.meshes
    ('ulna-wave', [])
    )")
        .def(py::init(&assemble), py::arg("skeleton"), py::arg("clips") = std::vector<ClipObject>(),
             py::arg("meshes") = std::vector<MeshObject>(), py::kw_only(), py::arg("name") = "",
             "Puts a skeleton, its clips and its meshes together.")
        .def_property_readonly(
            "path", [](const CharacterObject& c) { return c->path; },
            "The file's name as it was given.")
        .def_property_readonly(
            "format",
            [](const CharacterObject& c) { return std::string(formatInfo(c->format).word); },
            "The format of the file: bvh, gltf, rig, obj, ply, urdf or mjcf.")
        .def_property_readonly(
            "skeleton", [](const CharacterObject& c) { return SkeletonObject{c.skeleton()}; },
            "Its skeleton; without joints where the file is a surface.")
        .def_property_readonly(
            "joints",
            [](const CharacterObject& c) {
                return std::vector<std::string>(c->skeleton.names().begin(),
                                                c->skeleton.names().end());
            },
            "The names of all joints.")
        .def_property_readonly(
            "clips",
            [](const CharacterObject& c) {
                std::vector<ClipObject> out;
                for (std::size_t i = 0; i < c->clips.size(); ++i) out.push_back(clipOf(c, i));
                return out;
            },
            "Its clips; possibly none.")
        .def_property_readonly(
            "meshes",
            [](const CharacterObject& c) {
                std::vector<MeshObject> out;
                for (const Mesh& mesh : c->meshes)
                    out.push_back({c.skeleton(), {c.character, &mesh}});
                return out;
            },
            "Its meshes; possibly none.")
        .def_property_readonly(
            "warnings", [](const CharacterObject& c) { return c->warnings; },
            "What had to be decided, and what could not be kept.")
        .def_property_readonly(
            "size", [](const CharacterObject& c) { return sizeOf(*c); },
            "How large it is, in its own unit: the largest extent of its bones.")
        .def_property_readonly(
            "up",
            [](const CharacterObject& c) {
                return std::string(upAxisOf(*c) == UpAxis::Z ? "z" : "y");
            },
            "Which axis is up, y or z: by the format's standard or a guess.")
        .def_property_readonly(
            "unit", [](const CharacterObject& c) { return unitSymbol(*c); },
            "The unit of length that makes the body as tall as a person; empty where none does.")
        .def(
            "clip",
            [](const CharacterObject& c, const ClipRef& clip) {
                return clipOf(c, clipIndex(*c, clip));
            },
            py::arg("clip") = 0, R"(A clip by its index or its name; KeyError has similar names.

    >>> c.clip("walk").name
    'walk'
    )")
        .def("with_clips", &withClips, py::arg("clips"), R"(The character with other clips.

    >>> c.with_clips([c.clip("run")]).clips
    [<ulna.Clip 'run' of 513 keys>]
    )")
        .def("with_meshes", &withMeshes, py::arg("meshes"), R"(The character with other meshes.

    >>> c.with_meshes([]).meshes
    []
    )")
        .def("scale", &scaled, py::arg("factor"), R"(Every length multiplied by a factor.

    >>> round(c.scale(100).size / c.size)
    100
    )")
        .def("rotate_up", &rotatedTo, py::arg("up"), py::kw_only(), py::arg("from_up") = py::none(),
             R"(The whole model rotated so that y or z is up.

    >>> c.rotate_up("z").rotate_up("y", from_up="z").up
    'y'
    )")
        .def(
            "roles", &rolesOf,
            R"(Which joints are which part of a body, by name and shape: {"left.knee": ["LeftLeg"], ...}.

    >>> c.roles()["hips"]
    ['Hips']
    )")
        .def("with_roles", &withRoles, py::arg("roles"),
             R"(The character with roles that overrule names and shape.

    >>> c.with_roles({"head": ["Neck"]}).roles()["head"]
    ['Neck']
    )")
        .def("__repr__", &repr);

    m.def(
        "load", &load, py::arg("path"), py::kw_only(), py::arg("strict") = false,
        py::arg("lenient") = false, py::arg("position_channels") = "replace",
        py::arg("points") = false, py::arg("threads") = 0,
        R"(Opens a file: BVH, glTF, rig JSON, URDF, MuJoCo XML, OBJ or PLY, as the ending of its name says.

    Nothing is rescaled and no axis is changed. InputError says what is wrong with a file, where, and what to do.
    `strict` refuses a file that needs a warning; `lenient` drops rows of BVH that are too short or too long.

    >>> ulna.load(ulna.example("ulna-wave.bvh")).clips[0]
    <ulna.Clip 'ulna-wave' of 91 frames>
    )");
    m.def("load_bytes", &loadBytes, py::arg("data"), py::arg("name"), py::kw_only(),
          py::arg("strict") = false, py::arg("lenient") = false,
          py::arg("position_channels") = "replace", py::arg("points") = false,
          py::arg("threads") = 0, R"(Opens the bytes of a file; its name says the format.

    >>> ulna.load_bytes(ulna.to_bytes(c, "glb"), "c.glb").joints == c.joints
    True
    )");
    m.def(
        "save", &save, py::arg("what"), py::arg("path"), py::kw_only(), py::arg("fps") = 0.0,
        py::arg("order") = py::none(), py::arg("root_only_positions") = false,
        py::arg("csv") = "positions", py::arg("progress") = py::none(),
        R"(Writes a character, a clip or a skeleton, whole or not at all; the name's ending says the format.

    Returns warnings about what the format cannot hold. `fps` is for clips of keys in formats that hold frames, `order`
    the rotation order of BVH channels.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     warnings = ulna.save(c.clips[0], os.path.join(folder, "walk.bvh"))
    )");
    m.def("to_bytes", &toBytes, py::arg("what"), py::arg("format"), py::kw_only(),
          py::arg("fps") = 0.0, py::arg("order") = py::none(),
          py::arg("root_only_positions") = false, py::arg("csv") = "positions",
          R"(The bytes of such a file; the format is the ending of its name, such as "glb".

    >>> ulna.to_bytes(c.clips[0], "bvh")[:9]
    b'HIERARCHY'
    )");
}

}  // namespace ulna::python
