// SPDX-License-Identifier: Apache-2.0

// Materials and their images, as plain values.

const WRAPS = new Map([
  [33071, "clamp"],
  [33648, "mirror"],
  [10497, "repeat"],
]);
const ALPHA_MODES = ["opaque", "mask", "blend"];

/** The materials of a document; those that share an image share the object. */
export function readMaterials(reply, memory) {
  const images = Array.from({ length: reply.number() }, () => readImage(reply, memory));
  return Array.from({ length: reply.number() }, () => readMaterial(reply, images));
}

function readImage(reply, memory) {
  const name = reply.text();
  const mime = reply.text();
  const [pointer, size] = reply.numbers(2);
  return { name, mime, bytes: memory.u8(pointer, size).slice() };
}

function readMaterial(reply, images) {
  return {
    name: reply.text(),
    baseColor: reply.numbers(4),
    metallic: reply.number(),
    roughness: reply.number(),
    alphaMode: ALPHA_MODES[reply.number()],
    alphaCutoff: reply.number(),
    doubleSided: reply.flag(),
    unlit: reply.flag(),
    texture: reply.flag() ? readTexture(reply, images) : null,
  };
}

function readTexture(reply, images) {
  return {
    image: images[reply.number()],
    wrapS: WRAPS.get(reply.number()),
    wrapT: WRAPS.get(reply.number()),
    magFilter: reply.number(),
    minFilter: reply.number(),
    offset: reply.numbers(2),
    rotation: reply.number(),
    scale: reply.numbers(2),
  };
}
