// SPDX-License-Identifier: Apache-2.0

// The numbers of glTF accessors: strided, sparse, normalised, all within their buffers.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ulna/io/detail/gltf_reader.h"

namespace ulna::io::detail {
namespace {

// Elements as they lie in a buffer. All of them are inside.
struct Elements {
    const char* first = nullptr;  // null stands for zeros
    std::size_t stride = 0;

    [[nodiscard]] const char* operator[](std::size_t i) const { return first + i * stride; }
};

std::size_t componentSize(int type) {
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE:
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return 1;
        case TINYGLTF_COMPONENT_TYPE_SHORT:
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return 2;
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
        case TINYGLTF_COMPONENT_TYPE_FLOAT:
            return 4;
        default:
            return 0;
    }
}

bool isUnsignedInteger(int type) {
    return type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE ||
           type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ||
           type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
}

template <class T>
T load(const char* from) {
    T out;
    std::memcpy(&out, from, sizeof out);  // glTF is little-endian, as are all our machines
    return out;
}

// Integers stand for c / max, signed ones at least -1, where they are normalised.
template <class T>
float loadInteger(const char* from, bool normalized) {
    const auto value = static_cast<float>(load<T>(from));
    if (!normalized) return value;
    return std::max(value / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
}

float loadFloat(const char* from, int type, bool normalized) {
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE:
            return loadInteger<std::int8_t>(from, normalized);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return loadInteger<std::uint8_t>(from, normalized);
        case TINYGLTF_COMPONENT_TYPE_SHORT:
            return loadInteger<std::int16_t>(from, normalized);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return loadInteger<std::uint16_t>(from, normalized);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
            return loadInteger<std::uint32_t>(from, normalized);
        default:
            return load<float>(from);
    }
}

std::uint32_t loadUnsigned(const char* from, int type) {
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return load<std::uint8_t>(from);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return load<std::uint16_t>(from);
        default:
            return load<std::uint32_t>(from);
    }
}

// `count` elements of `size` bytes in a view, from `offset` on. Written without sums that overflow.
bool locate(GltfReader& reader, int view_index, std::size_t offset, std::size_t count,
            std::size_t size, const std::string& path, Elements& out) {
    const auto v = static_cast<std::size_t>(view_index);
    const tinygltf::BufferView& view = reader.model.bufferViews[v];
    const std::string_view buffer = reader.buffers[static_cast<std::size_t>(view.buffer)];
    if (view.byteOffset > buffer.size() || view.byteLength > buffer.size() - view.byteOffset) {
        return reader.fail(at("bufferViews", v), "the view reaches beyond its buffer",
                           "the buffer has " + std::to_string(buffer.size()) + " bytes");
    }
    const std::size_t stride = view.byteStride == 0 ? size : view.byteStride;
    if (stride < size) {
        return reader.fail(at("bufferViews", v) + ".byteStride",
                           "elements of " + std::to_string(size) + " bytes lie " +
                               std::to_string(stride) + " bytes apart");
    }
    const bool inside = offset <= view.byteLength && size <= view.byteLength - offset &&
                        count - 1 <= (view.byteLength - offset - size) / stride;
    if (!inside) {
        return reader.fail(
            path,
            std::to_string(count) + " elements reach beyond bufferViews[" + std::to_string(v) + "]",
            "the view has " + std::to_string(view.byteLength) + " bytes");
    }
    out = {buffer.data() + view.byteOffset + offset, stride};
    return true;
}

// What both kinds of numbers need to know of an accessor.
struct Layout {
    std::size_t count = 0;
    std::size_t component = 0;  // bytes
    int type = 0;
    bool normalized = false;
    Elements elements;
    Elements sparse_indices, sparse_values;
    std::size_t sparse_count = 0;
    int sparse_type = 0;
};

int typeOfWidth(std::size_t width) {
    return width == 1   ? TINYGLTF_TYPE_SCALAR
           : width == 2 ? TINYGLTF_TYPE_VEC2
           : width == 3 ? TINYGLTF_TYPE_VEC3
           : width == 4 ? TINYGLTF_TYPE_VEC4
                        : TINYGLTF_TYPE_MAT4;
}

const char* typeName(std::size_t width) {
    return width == 1   ? "SCALAR"
           : width == 2 ? "VEC2"
           : width == 3 ? "VEC3"
           : width == 4 ? "VEC4"
                        : "MAT4";
}

bool locateSparse(GltfReader& reader, const tinygltf::Accessor& accessor, std::size_t size,
                  const std::string& path, Layout& out) {
    const auto& sparse = accessor.sparse;
    if (sparse.count < 0 || static_cast<std::size_t>(sparse.count) > accessor.count)
        return reader.fail(path + ".sparse.count", "more elements are replaced than there are");
    out.sparse_count = static_cast<std::size_t>(sparse.count);
    out.sparse_type = sparse.indices.componentType;
    if (!isUnsignedInteger(out.sparse_type))
        return reader.fail(path + ".sparse.indices.componentType",
                           "indices are 5121, 5123 or 5125: unsigned integers");
    if (sparse.indices.byteOffset < 0 || sparse.values.byteOffset < 0)
        return reader.fail(path + ".sparse", "an offset is too large");
    return locate(reader, sparse.indices.bufferView,
                  static_cast<std::size_t>(sparse.indices.byteOffset), out.sparse_count,
                  componentSize(out.sparse_type), path + ".sparse.indices", out.sparse_indices) &&
           locate(reader, sparse.values.bufferView,
                  static_cast<std::size_t>(sparse.values.byteOffset), out.sparse_count, size,
                  path + ".sparse.values", out.sparse_values);
}

bool layOut(GltfReader& reader, std::size_t index, std::size_t width, Layout& out) {
    const tinygltf::Accessor& accessor = reader.model.accessors[index];
    const std::string path = at("accessors", index);
    out.count = accessor.count;
    out.type = accessor.componentType;
    out.component = componentSize(out.type);
    out.normalized = accessor.normalized;
    if (out.component == 0) {
        return reader.fail(path + ".componentType",
                           std::to_string(out.type) + " is not a component type",
                           "one of 5120 5121 5122 5123 5125 5126");
    }
    if (accessor.type != typeOfWidth(width))
        return reader.fail(path + ".type", std::string(typeName(width)) + " was expected");
    const std::size_t size = width * out.component;
    // What has no bytes in a buffer costs the file nothing and us memory.
    if (!reader.spend(out.count, path)) return false;
    if (accessor.bufferView >= 0 && !locate(reader, accessor.bufferView, accessor.byteOffset,
                                            out.count, size, path, out.elements)) {
        return false;
    }
    return !accessor.sparse.isSparse || locateSparse(reader, accessor, size, path, out);
}

// Every component through `load`, the sparse ones in their places.
template <class T, class Load>
bool readAll(GltfReader& reader, const std::string& path, const Layout& layout, std::size_t width,
             Load load_component, std::vector<T>& out) {
    out.assign(layout.count * width, T{});
    const auto copy = [&](const char* from, std::size_t element) {
        for (std::size_t k = 0; k < width; ++k)
            out[element * width + k] = load_component(from + k * layout.component);
    };
    if (layout.elements.first != nullptr) {
        for (std::size_t i = 0; i < layout.count; ++i) copy(layout.elements[i], i);
    }
    for (std::size_t i = 0; i < layout.sparse_count; ++i) {
        const std::size_t element = loadUnsigned(layout.sparse_indices[i], layout.sparse_type);
        if (element >= layout.count) {
            return reader.fail(path + ".sparse.indices", "element " + std::to_string(element) +
                                                             " is replaced, but there are " +
                                                             std::to_string(layout.count));
        }
        copy(layout.sparse_values[i], element);
    }
    return true;
}

}  // namespace

bool readNumbers(GltfReader& reader, int accessor, std::size_t width, std::vector<float>& out) {
    const auto index = static_cast<std::size_t>(accessor);
    Layout layout;
    if (!layOut(reader, index, width, layout)) return false;
    const std::string path = at("accessors", index);
    const auto load_component = [&](const char* from) {
        return loadFloat(from, layout.type, layout.normalized);
    };
    if (!readAll(reader, path, layout, width, load_component, out)) return false;
    const auto bad =
        std::find_if(out.begin(), out.end(), [](float value) { return !std::isfinite(value); });
    if (bad == out.end()) return true;
    return reader.fail(
        path, "element " + std::to_string(static_cast<std::size_t>(bad - out.begin()) / width) +
                  " is not finite");
}

bool readIntegers(GltfReader& reader, int accessor, std::size_t width,
                  std::vector<std::uint32_t>& out) {
    const auto index = static_cast<std::size_t>(accessor);
    Layout layout;
    if (!layOut(reader, index, width, layout)) return false;
    if (!isUnsignedInteger(layout.type)) {
        return reader.fail(at("accessors", index) + ".componentType",
                           "unsigned integers were expected", "one of 5121 5123 5125");
    }
    return readAll(
        reader, at("accessors", index), layout, width,
        [&](const char* from) { return loadUnsigned(from, layout.type); }, out);
}

}  // namespace ulna::io::detail
