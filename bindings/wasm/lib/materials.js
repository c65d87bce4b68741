// SPDX-License-Identifier: Apache-2.0

// Materials and their images, as plain values.
import { readMaterialSet } from "./protocol.js";

/** The materials of a document; those that share an image share the object. */
export function readMaterials(reply) {
  const { images, materials } = readMaterialSet(reply);
  for (const { texture } of materials) if (texture !== null) texture.image = images[texture.image];
  return materials;
}
