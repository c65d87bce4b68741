// SPDX-License-Identifier: Apache-2.0

// GPUs and arrays on them. DLPack: the structs of https://dmlc.github.io/dlpack, version 0.8.
#include "bindings/python/native/gpu.h"

#include <cstring>

namespace ulna::python {
namespace {

// ---- DLPack's structs: libraries hand them to one another, so that their layout is fixed

constexpr std::int32_t kHost = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13;

struct DlDevice {
    std::int32_t type;
    std::int32_t id;
};
struct DlType {
    std::uint8_t code;  // 0 signed, 1 unsigned, 2 float, 6 truth
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct DlTensor {
    void* data;
    DlDevice device;
    std::int32_t ndim;
    DlType type;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements; null: C order
    std::uint64_t byte_offset;
};
struct DlManagedTensor {
    DlTensor tensor;
    void* context;
    void (*deleter)(DlManagedTensor*);
};

DlType dlTypeOf(const std::string& type) {
    const auto bits = static_cast<std::uint8_t>(8 * (type[2] - '0'));
    return {static_cast<std::uint8_t>(type[1] == 'f' ? 2 : type[1] == 'b' ? 6 : 0), bits, 1};
}

// Ours for others, until they let go of it.
struct Lent {
    DlManagedTensor managed = {};
    GpuArrayObject array;
    std::vector<std::int64_t> shape;
};

py::capsule toDlpack(const GpuArrayObject& array) {
    auto* lent = new Lent{{}, array, {array.shape.begin(), array.shape.end()}};
    lent->managed.tensor = {reinterpret_cast<void*>(array.memory->address()),
                            {kCuda, array.memory->device()},
                            static_cast<std::int32_t>(lent->shape.size()),
                            dlTypeOf(array.type),
                            lent->shape.data(),
                            nullptr,
                            0};
    lent->managed.context = lent;
    lent->managed.deleter = [](DlManagedTensor* self) { delete static_cast<Lent*>(self->context); };
    // Whoever takes it renames it; one that nobody took is ours to free.
    PyObject* capsule = PyCapsule_New(&lent->managed, "dltensor", [](PyObject* object) {
        if (PyCapsule_IsValid(object, "dltensor") == 0) return;
        auto* own = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(object, "dltensor"));
        own->deleter(own);
    });
    if (capsule == nullptr) {
        delete lent;
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::capsule>(capsule);
}

// What an array of somebody's is, whichever way it says so.
struct Foreign {
    const void* data = nullptr;
    std::string type;
    std::vector<py::ssize_t> shape;
    bool c_order = true;
    std::shared_ptr<void> owner;
};

bool isCOrder(const std::vector<py::ssize_t>& shape, const std::vector<py::ssize_t>& strides,
              py::ssize_t step) {
    for (const py::ssize_t n : shape)
        if (n == 0) return true;
    for (std::size_t k = shape.size(); k-- > 0;) {
        if (shape[k] != 1 && strides[k] != step) return false;
        step *= shape[k];
    }
    return true;
}

// A reference that may be let go of by any thread.
std::shared_ptr<void> kept(const py::object& value) {
    return {value.inc_ref().ptr(), [](void* object) {
                const py::gil_scoped_acquire acquired;
                py::handle(static_cast<PyObject*>(object)).dec_ref();
            }};
}

Foreign fromDlpack(const py::object& value) {
    // 1 is the default stream, on which everything here is done: what is asked of it after this
    // comes after what the array's library still has to do.
    const py::object capsule = value.attr("__dlpack__")(py::arg("stream") = 1);
    auto* managed = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    if (managed == nullptr) throw py::error_already_set();
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");
    Foreign out;
    out.owner = {managed, [](void* own) {
                     auto* tensor = static_cast<DlManagedTensor*>(own);
                     if (tensor->deleter == nullptr) return;
                     const py::gil_scoped_acquire acquired;
                     tensor->deleter(tensor);
                 }};
    const DlTensor& tensor = managed->tensor;
    out.data = static_cast<const std::byte*>(tensor.data) + tensor.byte_offset;
    const DlType type = tensor.type;
    out.type = std::string("<") +
               (type.code == 2   ? 'f'
                : type.code == 0 ? 'i'
                                 : 'u') +
               std::to_string(type.bits / 8);
    if (type.code > 2 || type.lanes != 1) out.type = "another type";
    std::vector<py::ssize_t> strides;
    for (std::int32_t k = 0; k < tensor.ndim; ++k) {
        out.shape.push_back(static_cast<py::ssize_t>(tensor.shape[k]));
        if (tensor.strides != nullptr)
            strides.push_back(static_cast<py::ssize_t>(tensor.strides[k]));
    }
    out.c_order = tensor.strides == nullptr || isCOrder(out.shape, strides, 1);
    return out;
}

Foreign fromCudaArray(const py::object& value, int device) {
    const py::dict said = value.attr("__cuda_array_interface__");
    Foreign out;
    out.owner = kept(value);
    const auto data = py::cast<py::tuple>(said["data"]);
    out.data = reinterpret_cast<const void*>(py::cast<std::uintptr_t>(data[0]));
    out.type = py::cast<std::string>(said["typestr"]);
    out.shape = py::cast<std::vector<py::ssize_t>>(said["shape"]);
    if (said.contains("strides") && !said["strides"].is_none())
        out.c_order = isCOrder(out.shape, py::cast<std::vector<py::ssize_t>>(said["strides"]),
                               out.type.back() - '0');
    if (said.contains("stream") && !said["stream"].is_none()) {
        const auto stream = py::cast<std::uintptr_t>(said["stream"]);
        check(
            withoutGil([&] { return waitForStream(device, reinterpret_cast<GpuStream>(stream)); }));
    }
    return out;
}

std::string textOf(const std::vector<py::ssize_t>& shape) {
    std::string out = "(";
    for (const py::ssize_t n : shape) {
        if (out.size() > 1) out += ", ";
        out += n == kAny ? "any" : std::to_string(n);
    }
    return out + (shape.size() == 1 ? ",)" : ")");
}

bool fits(const std::vector<py::ssize_t>& shape, const std::vector<py::ssize_t>& wanted) {
    if (shape.size() != wanted.size()) return false;
    for (std::size_t k = 0; k < shape.size(); ++k)
        if (wanted[k] != kAny && shape[k] != wanted[k]) return false;
    return true;
}

// ---- what Python sees

py::array toNumpy(const GpuArrayObject& array) {
    py::array out(py::dtype(array.type), array.shape);
    check(withoutGil([&] { return array.memory->read(out.mutable_data()); }));
    return out;
}

GpuArrayObject copiedTo(int device, const py::object& values) {
    const auto array =
        py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(values);
    if (!array) throw py::error_already_set();
    GpuArrayObject out;
    out.shape.assign(array.shape(), array.shape() + array.ndim());
    auto memory = newOnDevice<double>(device, static_cast<std::size_t>(array.size()));
    check(withoutGil([&] { return memory->write(array.data()); }));
    out.type = typeName<double>();
    out.memory = std::move(memory);
    return out;
}

GpuArrayObject toGpu(const Numbers& values, const std::string& device) {
    const std::optional<int> on = deviceOf(device);
    if (!on) raiseValue("an array on a GPU is on 'cuda' or 'cuda:1'");
    return copiedTo(*on, values);
}

py::dict cudaArrayInterface(const GpuArrayObject& array) {
    py::dict out;
    out["shape"] = py::tuple(py::cast(array.shape));
    out["typestr"] = array.type;
    out["data"] = py::make_tuple(array.memory->address(), false);
    out["strides"] = py::none();
    out["version"] = 3;
    return out;
}

}  // namespace

std::optional<int> deviceOf(const std::string& word) {
    if (word == "cpu") return std::nullopt;
    if (word == "cuda") return 0;
    const std::string start = "cuda:";
    const bool digits = word.size() > start.size() && word.size() <= start.size() + 4 &&
                        word.starts_with(start) &&
                        word.find_first_not_of("0123456789", start.size()) == std::string::npos;
    if (!digits) raiseValue("device is 'cpu', 'cuda' or 'cuda:1', not '" + word + "'");
    return std::stoi(word.substr(start.size()));
}

std::optional<int> deviceOf(const py::object& value) {
    if (value.is_none() || py::isinstance<py::array>(value)) return std::nullopt;
    if (py::hasattr(value, "__dlpack_device__")) {
        const auto [type, id] =
            py::cast<std::pair<std::int32_t, int>>(value.attr("__dlpack_device__")());
        if (type == kCuda || type == kCudaManaged) return id;
        if (type == kHost || type == kCudaHost) return std::nullopt;
        raiseValue("an array lies on a device that is neither the processor nor an NVIDIA GPU");
    }
    return py::hasattr(value, "__cuda_array_interface__") ? std::optional(0) : std::nullopt;
}

DeviceDoubles doublesOnDevice(const py::object& value, const char* what, int device,
                              const std::vector<std::vector<py::ssize_t>>& shapes) {
    const std::string name = what;
    const std::optional<int> at = deviceOf(value);
    Foreign array;
    if (!at) {
        const GpuArrayObject own = copiedTo(device, value);
        array.data = reinterpret_cast<const void*>(own.memory->address());
        array.type = own.type;
        array.shape = own.shape;
        array.owner = std::make_shared<GpuArrayObject>(own);
    } else {
        if (*at != device)
            raiseValue(name + " lies on cuda:" + std::to_string(*at) +
                       ", and others on cuda:" + std::to_string(device));
        array = py::hasattr(value, "__dlpack__") ? fromDlpack(value) : fromCudaArray(value, device);
    }
    if (array.type != typeName<double>())
        raiseType(name + " on a GPU are float64, not '" + array.type + "'");
    if (!array.c_order) raiseValue(name + " on a GPU are contiguous");
    for (const std::vector<py::ssize_t>& shape : shapes)
        if (fits(array.shape, shape))
            return {static_cast<const double*>(array.data), array.shape, array.owner};
    std::string wanted;
    for (const std::vector<py::ssize_t>& shape : shapes)
        wanted += (wanted.empty() ? "" : " or ") + textOf(shape);
    raiseValue(name + " has the shape " + textOf(array.shape) + ", not " + wanted);
}

void bindGpu(py::module_& m) {
    py::class_<GpuInfo>(m, "Gpu", R"(An NVIDIA GPU of this machine.

    >>> try:
    ...     real = all(gpu.memory > 0 for gpu in ulna.find_gpus())
    ... except ulna.InputError:
    ...     real = True  # there is none
    >>> real
    True
    )")
        .def_readonly("index", &GpuInfo::index,
                      "Which one it is: `device=\"cuda:0\"` is the first.")
        .def_readonly("name", &GpuInfo::name, "What it calls itself.")
        .def_readonly("memory", &GpuInfo::memory, "Its memory in bytes.")
        .def_readonly("multiprocessors", &GpuInfo::multiprocessors, "How many it has.")
        .def("__repr__", [](const GpuInfo& gpu) { return "<ulna.Gpu: " + gpu.name + ">"; });
    m.def(
        "find_gpus", [] { return take(findGpus()); },
        R"(The NVIDIA GPUs that the driver can use. InputError says why there are none.

    >>> try:
    ...     print(len(ulna.find_gpus()) > 0)
    ... except ulna.InputError as error:
    ...     print("NVIDIA" in str(error))
    True
    )");
    py::class_<GpuArrayObject>(m, "GpuArray",
                               R"(An array in the memory of a GPU.

    Other libraries take it as it is, without a copy: `torch.from_dlpack(array)`, `cupy.asarray(array)`,
    `jax.dlpack.from_dlpack(array)`.

    >>> try:
    ...     values = ulna.GpuArray([1.0, 2.0]).numpy()
    ... except ulna.InputError:
    ...     values = np.array([1.0, 2.0])  # there is no GPU
    >>> values
    array([1., 2.])
    )")
        .def(py::init(&toGpu), py::arg("values"), py::arg("device") = "cuda",
             "Copies numbers to a GPU, as float64.")
        .def_property_readonly(
            "shape", [](const GpuArrayObject& a) { return Shape(py::tuple(py::cast(a.shape))); },
            "The lengths of its axes.")
        .def_property_readonly(
            "dtype", [](const GpuArrayObject& a) { return Dtype(py::dtype(a.type)); },
            "The type of its numbers.")
        .def_property_readonly(
            "device",
            [](const GpuArrayObject& a) { return "cuda:" + std::to_string(a.memory->device()); },
            "Where it is, such as 'cuda:0'.")
        .def(
            "numpy", [](const GpuArrayObject& a) { return AnyArray(toNumpy(a)); },
            R"(A copy as an array of NumPy.

    >>> try:
    ...     shape = ulna.GpuArray(np.zeros((3, 2))).numpy().shape
    ... except ulna.InputError:
    ...     shape = (3, 2)  # there is no GPU
    >>> shape
    (3, 2)
    )")
        .def(
            "__array__",
            [](const GpuArrayObject& a, const py::object& type, const py::object&) {
                const py::array out = toNumpy(a);
                return type.is_none() ? py::object(out) : out.attr("astype")(type);
            },
            py::arg("dtype") = py::none(), py::arg("copy") = py::none(), "A copy for NumPy.")
        .def_property_readonly("__cuda_array_interface__", &cudaArrayInterface,
                               "For CuPy, Numba and others.")
        .def(
            "__dlpack__",
            [](const GpuArrayObject& a, const py::object&, const py::object&, const py::object& to,
               const py::object& copy) {
                if (!copy.is_none() && py::cast<bool>(copy))
                    raiseValue("a GpuArray is lent, not copied");
                if (!to.is_none() && !to.equal(py::make_tuple(kCuda, a.memory->device())))
                    raiseValue("a GpuArray stays on its device");
                return toDlpack(a);
            },
            py::kw_only(), py::arg("stream") = py::none(), py::arg("max_version") = py::none(),
            py::arg("dl_device") = py::none(), py::arg("copy") = py::none(),
            "For PyTorch, JAX and others; its numbers are there already.")
        .def(
            "__dlpack_device__",
            [](const GpuArrayObject& a) { return py::make_tuple(kCuda, a.memory->device()); },
            "The kind of device, and which one.")
        .def("__len__",
             [](const GpuArrayObject& a) {
                 if (a.shape.empty()) raiseType("an array without axes has no length");
                 return a.shape[0];
             })
        .def("__repr__", [](const GpuArrayObject& a) {
            return "<ulna.GpuArray: " + textOf(a.shape) + " of '" + a.type +
                   "', cuda:" + std::to_string(a.memory->device()) + ">";
        });
}

}  // namespace ulna::python
