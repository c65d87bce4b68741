// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/native/common.h"

#include <cmath>

#include "ulna/core/text.h"
#include "ulna/skeleton/match.h"

namespace ulna::python {

PoseObject makePose(std::shared_ptr<const Skeleton> skeleton, Pose pose) {
    return {std::move(skeleton), std::make_shared<const Pose>(std::move(pose))};
}

ClipObject makeClip(std::shared_ptr<const Skeleton> skeleton, Clip clip) {
    return {std::move(skeleton), std::make_shared<const Clip>(std::move(clip))};
}

MeshObject makeMesh(std::shared_ptr<const Skeleton> skeleton, Mesh mesh) {
    return {std::move(skeleton), std::make_shared<const Mesh>(std::move(mesh))};
}

void raise(const Diagnostic& diagnostic) {
    const py::object type = py::module_::import("ulna._errors").attr("InputError");
    const py::object error = type(py::cast(diagnostic));
    PyErr_SetObject(type.ptr(), error.ptr());
    throw py::error_already_set();
}

void raiseValue(const std::string& sentence) {
    throw py::value_error(sentence);
}

void raiseType(const std::string& sentence) {
    throw py::type_error(sentence);
}

void raiseIndex(const std::string& sentence) {
    throw py::index_error(sentence);
}

LongCall::LongCall(const py::object& progress) : callback_(progress) {
    if (progress.is_none() || (py::isinstance<py::bool_>(progress) && !progress.cast<bool>())) {
        callback_ = py::none();
    } else if (py::isinstance<py::bool_>(progress)) {
        callback_ = py::module_::import("ulna._progress").attr("bar")();
    } else if (PyCallable_Check(progress.ptr()) == 0) {
        raiseType("progress is a function of the fraction that is done, True or None");
    }
}

Progress LongCall::progress() {
    return [this](double fraction) { return tell(fraction); };
}

bool LongCall::tell(double fraction) {
    if (failure_) return false;
    const auto now = std::chrono::steady_clock::now();
    // What is whole is told in any case, so that a bar ends full.
    if (now - told_ < std::chrono::milliseconds(50) && fraction < 1.0) return true;
    told_ = now;
    const py::gil_scoped_acquire gil;
    try {
        handleSignals();
        if (callback_.is_none()) return true;
        const py::object answer = callback_(fraction);
        return !(py::isinstance<py::bool_>(answer) && !answer.cast<bool>());
    } catch (...) {
        failure_ = std::current_exception();
        return false;
    }
}

void LongCall::handleSignals() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void LongCall::finish() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    handleSignals();
}

void raiseWord(std::string_view word, const char* what, const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& each : words) all += (all.empty() ? "'" : ", '") + each + "'";
    raiseValue(std::string(what) + " is one of " + all + ", not '" +
               visibleText(std::string(word)) + "'");
}

UpAxis upAxisFromWord(const std::string& word) {
    constexpr Word<UpAxis> kWords[] = {{"y", UpAxis::Y}, {"z", UpAxis::Z}};
    return valueOf(word, "up", kWords);
}

std::string pathOf(const Path& path) {
    const py::object text = py::module_::import("os").attr("fsencode")(path);
    const std::string out = text.cast<std::string>();
    if (out.find('\0') != std::string::npos) raiseValue("a path has no NUL character");
    return out;
}

JointId jointOf(const Skeleton& skeleton, const py::object& joint) {
    if (py::isinstance<py::str>(joint)) {
        const auto name = joint.cast<std::string>();
        const JointId id = skeleton.find(name);
        if (id != JointId::None) return id;
        const std::string advice = suggestNames(name, skeleton.names());
        throw py::key_error("there is no joint '" + visibleText(name) + "'" +
                            (advice.empty() ? "" : "; " + advice));
    }
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(joint.ptr()));
    if (!number) {
        PyErr_Clear();
        raiseType("a joint is an index or a name, not " +
                  std::string(py::str(py::type::of(joint).attr("__name__"))));
    }
    const py::ssize_t i = PyNumber_AsSsize_t(number.ptr(), nullptr);
    const py::ssize_t count = asSsize(skeleton.jointCount());
    if (i < -count || i >= count)
        raiseIndex("there is no joint " + std::to_string(i) + "; there are " +
                   std::to_string(count));
    return jointId(asSize(i < 0 ? i + count : i));
}

std::vector<JointId> jointsOf(const Skeleton& skeleton, const py::object& joints) {
    std::vector<JointId> out;
    if (joints.is_none()) return out;
    if (py::isinstance<py::str>(joints)) raiseType("joints are a sequence of indices or names");
    for (const py::handle joint : py::iter(joints))
        out.push_back(jointOf(skeleton, py::reinterpret_borrow<py::object>(joint)));
    return out;
}

std::vector<std::string> namesOf(const Skeleton& skeleton, std::span<const JointId> joints) {
    std::vector<std::string> out;
    for (const JointId joint : joints) out.push_back(skeleton.name(joint));
    return out;
}

void checkSameJoints(const Skeleton& skeleton, const Skeleton& other, const char* what) {
    if (&skeleton == &other) return;
    if (const std::optional<Diagnostic> mismatch = findJointMismatch(skeleton, other))
        raiseValue(std::string(what) + " is of another skeleton: " + describe(*mismatch));
}

std::string jsonOf(const py::object& value) {
    return py::module_::import("ulna._json").attr("dumps")(value).cast<std::string>();
}

namespace {

constexpr int kPlain = static_cast<int>(py::array::c_style) |
                       static_cast<int>(py::detail::npy_api::NPY_ARRAY_ALIGNED_);

std::string shapeText(const py::array& array) {
    return py::str(array.attr("shape")).cast<std::string>();
}

std::string shapeText(std::span<const py::ssize_t> shape) {
    std::string out = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        out += (i > 0 ? ", " : "") + (shape[i] == kAny ? "any" : std::to_string(shape[i]));
    return out + (shape.size() == 1 ? ",)" : ")");
}

py::array anyArray(const py::object& value, const char* what) {
    py::array out = py::array::ensure(value);
    if (!out) {
        PyErr_Clear();
        raiseType(std::string(what) + " cannot be made an array");
    }
    if (std::string_view("fiu").find(out.dtype().kind()) == std::string_view::npos)
        raiseType(std::string(what) + " must be real numbers, not " +
                  py::str(out.dtype()).cast<std::string>());
    return out;
}

bool fits(const py::array& array, std::span<const py::ssize_t> shape) {
    if (array.ndim() != asSsize(shape.size())) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != kAny && shape[i] != array.shape(asSsize(i))) return false;
    return true;
}

DoubleArray asDoubles(const py::array& array, const char* what, bool finite) {
    DoubleArray out{
        py::array_t<double, kPlain | static_cast<int>(py::array::forcecast)>::ensure(array)};
    if (!out.array) throw py::error_already_set();
    if (finite) {
        for (const double value : out.values())
            if (!std::isfinite(value)) raiseValue(std::string(what) + " must be finite numbers");
    }
    return out;
}

}  // namespace

DoubleArray doublesOf(const py::object& value, const char* what,
                      std::initializer_list<py::ssize_t> shape, bool finite) {
    const py::array array = anyArray(value, what);
    if (!fits(array, {shape.begin(), shape.size()}))
        raiseValue(std::string(what) + " has the shape " + shapeText(array) + ", and " +
                   shapeText({shape.begin(), shape.size()}) + " is needed");
    return asDoubles(array, what, finite);
}

DoubleArray doublesOfMany(const py::object& value, const char* what,
                          std::initializer_list<py::ssize_t> shape, bool finite) {
    const py::array array = anyArray(value, what);
    std::vector<py::ssize_t> many = {kAny};
    many.insert(many.end(), shape.begin(), shape.end());
    if (!fits(array, {shape.begin(), shape.size()}) && !fits(array, many))
        raiseValue(std::string(what) + " has the shape " + shapeText(array) + ", and " +
                   shapeText({shape.begin(), shape.size()}) + " or " + shapeText(many) +
                   " is needed");
    return asDoubles(array, what, finite);
}

std::vector<std::uint32_t> indicesOf(const py::object& value, const char* what, std::size_t end) {
    const py::array array = anyArray(value, what);
    if (array.dtype().kind() == 'f' && array.size() > 0)
        raiseType(std::string(what) + " must be whole numbers");
    const auto wide =
        py::array_t<std::int64_t, kPlain | static_cast<int>(py::array::forcecast)>::ensure(array);
    if (!wide) throw py::error_already_set();
    std::vector<std::uint32_t> out;
    out.reserve(asSize(wide.size()));
    for (py::ssize_t i = 0; i < wide.size(); ++i) {
        const std::int64_t index = wide.data()[i];
        if (index < 0 || static_cast<std::size_t>(index) >= end)
            raiseIndex(std::string(what) + " has the index " + std::to_string(index) +
                       "; they are from 0 to " +
                       std::to_string(static_cast<std::int64_t>(end) - 1));
        out.push_back(static_cast<std::uint32_t>(index));
    }
    return out;
}

Vec3 vec3Of(const py::object& value, const char* what) {
    const DoubleArray array = doublesOf(value, what, {3});
    return {array.values()[0], array.values()[1], array.values()[2]};
}

double positive(double value, const char* what) {
    if (!(std::isfinite(value) && value > 0.0))
        raiseValue(std::string(what) + " must be a finite number above 0");
    return value;
}

unsigned threadsOf(int threads) {
    constexpr int kMost = 1024;
    if (threads < 0 || threads > kMost) raiseValue("threads are 0, one per core, to 1024");
    return static_cast<unsigned>(threads);
}

double fpsOf(double fps) {
    if (positive(fps, "fps") > 1e6) raiseValue("fps is at most 1000000");
    return fps;
}

Motion framesAt(const ClipObject& c, double fps) {
    Motion out = take(withoutGil([&] { return makeFrames(*c.clip, fps); }));
    if (out.frameCount() == 0) raiseValue("the clip has no frames");
    return out;
}

std::size_t asSize(py::ssize_t value) {
    return static_cast<std::size_t>(value);
}

py::ssize_t asSsize(std::size_t value) {
    return static_cast<py::ssize_t>(value);
}

py::array_t<double> newDoubles(std::vector<py::ssize_t> shape) {
    return py::array_t<double>(std::move(shape));
}

OutArray outArray(const py::object& out, std::vector<py::ssize_t> shape) {
    if (out.is_none()) return {newDoubles(std::move(shape)), false};
    if (!py::isinstance<py::array>(out)) raiseType("out is an array of NumPy");
    OutArray result{py::reinterpret_borrow<py::array>(out), false};
    const bool is_float = result.array.dtype().equal(py::dtype::of<float>());
    if (!is_float && !result.array.dtype().equal(py::dtype::of<double>()))
        raiseType("out is an array of float64 or float32");
    if (!fits(result.array, shape))
        raiseValue("out has the shape " + shapeText(result.array) + ", and " + shapeText(shape) +
                   " is needed");
    if ((result.array.flags() & kPlain) != kPlain) raiseValue("out must be in C order and aligned");
    if (!result.array.writeable()) raiseValue("out cannot be written");
    result.is_float = is_float;
    return result;
}

std::span<double> OutArray::doubles() {
    return {static_cast<double*>(array.mutable_data()), asSize(array.size())};
}

std::span<float> OutArray::floats() {
    return {static_cast<float*>(array.mutable_data()), asSize(array.size())};
}

}  // namespace ulna::python
