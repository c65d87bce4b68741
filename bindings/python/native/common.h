// SPDX-License-Identifier: Apache-2.0

// What all sources of the Python module share: the objects that Python holds, arguments with the
// types that stubs show, arrays in and out, and exceptions. It is precompiled, since pybind11's
// headers take longer to compile than any of the sources.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/character/character.h"
#include "ulna/core/progress.h"

namespace ulna::python {

namespace py = pybind11;

// ---- objects

// Values that never change behind Python's back, and so can be shared by threads: each object
// keeps what it is a part of alive.
struct SkeletonObject {
    std::shared_ptr<const Skeleton> skeleton;
    [[nodiscard]] const Skeleton& operator*() const { return *skeleton; }
    [[nodiscard]] const Skeleton* operator->() const { return skeleton.get(); }
};
struct PoseObject {
    std::shared_ptr<const Skeleton> skeleton;
    std::shared_ptr<const Pose> pose;
};
struct ClipObject {
    std::shared_ptr<const Skeleton> skeleton;
    std::shared_ptr<const Clip> clip;
};
struct MeshObject {
    std::shared_ptr<const Skeleton> skeleton;  // of its weights; null where it has none
    std::shared_ptr<const Mesh> mesh;
};
struct CharacterObject {
    std::shared_ptr<const Character> character;
    [[nodiscard]] const Character& operator*() const { return *character; }
    [[nodiscard]] const Character* operator->() const { return character.get(); }
    [[nodiscard]] std::shared_ptr<const Skeleton> skeleton() const {
        return {character, &character->skeleton};
    }
};

[[nodiscard]] PoseObject makePose(std::shared_ptr<const Skeleton> skeleton, Pose pose);
[[nodiscard]] ClipObject makeClip(std::shared_ptr<const Skeleton> skeleton, Clip clip);
[[nodiscard]] MeshObject makeMesh(std::shared_ptr<const Skeleton> skeleton, Mesh mesh);

// ---- arguments and results, with the types that stubs show

// clang-format off
#define ULNA_PYTHON_TYPES(type)                                        \
    type(Floats, "npt.NDArray[np.float64]")                            \
    type(AnyFloats, "npt.NDArray[np.float32] | npt.NDArray[np.float64]")     \
    type(FloatsAnywhere, "npt.NDArray[np.float64] | Any")              \
    type(BoolsAnywhere, "npt.NDArray[np.bool_] | Any")                 \
    type(Int32sAnywhere, "npt.NDArray[np.int32] | Any")                \
    type(AnyArray, "npt.NDArray[Any]")                                 \
    type(Dtype, "np.dtype[Any]")                                       \
    type(Shape, "tuple[int, ...]")                                     \
    type(Float32s, "npt.NDArray[np.float32]")                          \
    type(Int32s, "npt.NDArray[np.int32]")                              \
    type(Bools, "npt.NDArray[np.bool_]")                               \
    type(Numbers, "npt.ArrayLike")                                     \
    type(MaybeNumbers, "npt.ArrayLike | None")                         \
    type(MaybeOut, "npt.NDArray[np.float32] | npt.NDArray[np.float64] | None") \
    type(Path, "str | os.PathLike[str]")                               \
    type(JointRef, "int | str")                                        \
    type(MaybeJointRef, "int | str | None")                            \
    type(JointRefs, "Sequence[int | str]")                             \
    type(MaybeJointRefs, "Sequence[int | str] | None")                 \
    type(ClipRef, "int | str")                                         \
    type(Content, "Character | Clip | Skeleton")                       \
    type(MaybeProgress, "Callable[[float], object] | bool | None")     \
    type(Words, "Mapping[str, Any]")                                   \
    type(WordsList, "Sequence[Mapping[str, Any]]")                     \
    type(Goals, "Sequence[Mapping[str, Any] | CustomGoal]")            \
    type(Stiffness, "Mapping[str, float] | None")                      \
    type(Residuals, "Callable[[list[Body]], npt.ArrayLike]")           \
    type(Roles, "dict[str, list[str]]")                                \
    type(PoseAndReport, "tuple[Pose, IkReport]")                       \
    type(PoseAndError, "tuple[Pose, bool, float]")                     \
    type(SparseRows, "tuple[npt.NDArray[np.float32], npt.NDArray[np.int32], npt.NDArray[np.int32]]") \
    type(MaybeRoles, "Mapping[str, Sequence[str]] | None")             \
    type(Limit, "str | Skeleton | Character")
// clang-format on

#define ULNA_PYTHON_TYPE(name, words)                            \
    struct name : py::object {                                   \
        using py::object::object;                                \
        name(py::object value) : py::object(std::move(value)) {} \
        static bool check_(py::handle) { return true; }          \
    };
ULNA_PYTHON_TYPES(ULNA_PYTHON_TYPE)
#undef ULNA_PYTHON_TYPE

// ---- exceptions

/// Raises ulna.InputError with the fields of a diagnostic.
[[noreturn]] void raise(const Diagnostic& diagnostic);
/// Raises ValueError, TypeError or IndexError: a mistake of the calling code.
[[noreturn]] void raiseValue(const std::string& sentence);
[[noreturn]] void raiseType(const std::string& sentence);
[[noreturn]] void raiseIndex(const std::string& sentence);

template <class T>
[[nodiscard]] T take(Result<T> result) {
    if (!result) raise(result.error());
    return *std::move(result);
}
inline void check(const Status& status) {
    if (!status) raise(status.error());
}

/// Calls a function while other threads of Python may run.
template <class Function>
auto withoutGil(const Function& function) {
    const py::gil_scoped_release released;
    return function();
}

/// A call that may take long: it tells how far it is, and Ctrl-C ends it. Signals and the callback
/// come at most twenty times a second.
class LongCall {
  public:
    /// @param progress None, a function of the fraction that is done, or True for a bar of tqdm
    explicit LongCall(const py::object& progress = py::none());

    /// What the library calls. It cancels where Python has an exception, or where the function
    /// returned False.
    [[nodiscard]] Progress progress();

    /// Runs the work without the GIL, then raises what happened meanwhile.
    template <class Function>
    auto run(const Function& function) {
        auto out = withoutGil(function);
        finish();
        return out;
    }
    /// Handles signals between parts of a work, with the GIL; raises what they raise.
    static void handleSignals();

  private:
    [[nodiscard]] bool tell(double fraction);
    void finish();

    py::object callback_;
    std::exception_ptr failure_;
    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

// ---- words

/// The value of a word; ValueError lists the words that there are.
[[noreturn]] void raiseWord(std::string_view word, const char* what,
                            const std::vector<std::string>& words);

template <class Value>
struct Word {
    std::string_view word;
    Value value;
};
template <class Value, std::size_t N>
[[nodiscard]] Value valueOf(const std::string& word, const char* what,
                            const Word<Value> (&words)[N]) {
    std::vector<std::string> all;
    for (const Word<Value>& each : words) {
        if (each.word == word) return each.value;
        all.emplace_back(each.word);
    }
    raiseWord(word, what, all);
}
template <class Value, std::size_t N>
[[nodiscard]] std::string wordOf(Value value, const Word<Value> (&words)[N]) {
    for (const Word<Value>& each : words)
        if (each.value == value) return std::string(each.word);
    return {};
}

[[nodiscard]] UpAxis upAxisFromWord(const std::string& word);

/// A path as the library takes it: str, bytes or what os.fspath takes.
[[nodiscard]] std::string pathOf(const Path& path);

/// The joint of an index or a name; IndexError and KeyError say what there is.
[[nodiscard]] JointId jointOf(const Skeleton& skeleton, const py::object& joint);
[[nodiscard]] std::vector<JointId> jointsOf(const Skeleton& skeleton, const py::object& joints);
[[nodiscard]] std::vector<std::string> namesOf(const Skeleton& skeleton,
                                               std::span<const JointId> joints);

/// Raises ValueError unless what belongs to one skeleton can be used with another.
void checkSameJoints(const Skeleton& skeleton, const Skeleton& other, const char* what);

/// JSON of Python's values, arrays of NumPy among them.
[[nodiscard]] std::string jsonOf(const py::object& value);

// ---- arrays

/// Any length of an axis.
inline constexpr py::ssize_t kAny = -1;

/// Numbers that came from Python, as doubles in C order.
struct DoubleArray {
    py::array_t<double> array;
    [[nodiscard]] std::span<const double> values() const {
        return {array.data(), static_cast<std::size_t>(array.size())};
    }
    [[nodiscard]] std::size_t size(int axis) const {
        return static_cast<std::size_t>(array.shape(axis));
    }
    [[nodiscard]] int axes() const { return static_cast<int>(array.ndim()); }
};

/// Numbers of a shape; `what` names them in messages. Real numbers only, and finite ones unless
/// `finite` is false. An array of doubles in C order is not copied.
[[nodiscard]] DoubleArray doublesOf(const py::object& value, const char* what,
                                    std::initializer_list<py::ssize_t> shape, bool finite = true);
/// The same for the shapes without and with a first axis of any length.
[[nodiscard]] DoubleArray doublesOfMany(const py::object& value, const char* what,
                                        std::initializer_list<py::ssize_t> shape,
                                        bool finite = true);
/// Indices from 0 up to, but not including, `end`.
[[nodiscard]] std::vector<std::uint32_t> indicesOf(const py::object& value, const char* what,
                                                   std::size_t end);
[[nodiscard]] Vec3 vec3Of(const py::object& value, const char* what);
/// A number that is finite and above zero.
[[nodiscard]] double positive(double value, const char* what);
[[nodiscard]] unsigned threadsOf(int threads);
/// Frames per second, above 0.
[[nodiscard]] double fpsOf(double fps);
/// The frames of a clip, of which it must have some: its own, or those at a rate; those of a clip
/// of keys are made.
[[nodiscard]] Motion framesAt(const ClipObject& c, double fps = 0.0);

[[nodiscard]] std::size_t asSize(py::ssize_t value);
/// A new array for doubles.
[[nodiscard]] py::array_t<double> newDoubles(std::vector<py::ssize_t> shape);
[[nodiscard]] py::ssize_t asSsize(std::size_t value);

/// An array that shows memory of the library's, which `owner` keeps; it cannot be written.
template <class T>
[[nodiscard]] py::array viewOf(const T* data, std::vector<py::ssize_t> shape,
                               std::vector<py::ssize_t> strides, const py::object& owner) {
    py::array_t<T> out(std::move(shape), std::move(strides), data, owner);
    py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return out;
}

/// Where results go: a new array of doubles, or `out` where it was given and fits.
struct OutArray {
    py::array array;
    bool is_float = false;
    [[nodiscard]] std::span<double> doubles();
    [[nodiscard]] std::span<float> floats();
};
[[nodiscard]] OutArray outArray(const py::object& out, std::vector<py::ssize_t> shape);

// ---- parts of the module, each in a source of its own

void bindErrors(py::module_& m);
void bindSkeleton(py::module_& m);
void bindPose(py::module_& m);
void bindClip(py::module_& m);
void bindEdit(py::module_& m);
void bindPack(py::module_& m);
void bindMesh(py::module_& m);
void bindCharacter(py::module_& m);
void bindIk(py::module_& m);
void bindGpu(py::module_& m);
void bindSolver(py::module_& m);
void bindSkin(py::module_& m);
void bindRetarget(py::module_& m);
void bindFit(py::module_& m);
void bindDraw(py::module_& m);

}  // namespace ulna::python

namespace pybind11::detail {
#define ULNA_PYTHON_TYPE(type, words)                   \
    template <>                                         \
    struct handle_type_name<ulna::python::type> {       \
        static constexpr auto name = const_name(words); \
    };
ULNA_PYTHON_TYPES(ULNA_PYTHON_TYPE)
#undef ULNA_PYTHON_TYPE
}  // namespace pybind11::detail
