// SPDX-License-Identifier: Apache-2.0

// Surfaces alone, OBJ and PLY: tied to the skeleton that is open, or a message says why not.
import { perform } from "./commands/command.js";
import { tieSurface } from "./commands/skin.js";
import { errorOf, messageOf, type Message } from "./messages.js";
import type { Studio } from "./studio.js";
import { t } from "./language.js";

export function openSurface(studio: Studio, name: string, bytes: ArrayBuffer): boolean {
  const { active } = studio;
  const title = t("{name} could not be opened", { name });
  const refuse = (message: Message) => {
    studio.tell({ ...message, location: message.location || name });
    return false;
  };
  if (!active) {
    return refuse(
      errorOf(title, t("a surface needs a skeleton to be tied to"), { advice: t("open a skeleton first") }),
    );
  }
  const read = active.engine.readMesh(active.skeleton, bytes, name);
  if (!read.ok) return refuse(messageOf(read.error, title));
  const { mesh } = read.value;
  const tied = mesh.tie({ pose: active.pose });
  if (!tied.ok) {
    mesh.free();
    return refuse(messageOf(tied.error, title));
  }
  perform(studio, tieSurface(mesh, { file: { name, bytes }, pose: tied.value.pose }));
  const { outside, loose } = tied.value;
  const notes = [
    outside > 0 &&
      t("{outside} of {jointCount} joints lie outside of it", { outside, jointCount: active.skeleton.jointCount }),
    loose > 0 &&
      t("{loose} of {vertexCount} vertices see no bone and go with the nearest", {
        loose,
        vertexCount: mesh.vertexCount,
      }),
  ];
  studio.note(t("{name} is tied to {name2}", { name, name2: active.name }), notes.filter(Boolean).join("; "));
  return true;
}
