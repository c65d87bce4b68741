// SPDX-License-Identifier: Apache-2.0

// Commands that change skins.
import type { Mesh } from "@ulna/engine";
import type { TiedFile } from "../character.js";
import type { Command } from "./command.js";
import { t } from "../language.js";

export const smoothWeights: Command = {
  name: t("Smooth weights"),
  apply: (character) => character.smoothWeights(),
};

/** A surface, with weights for the character's skeleton, becomes a skin of it. */
export function tieSurface(mesh: Mesh, tied: TiedFile): Command {
  return { name: t("Tie surface"), apply: (character) => character.addMesh(mesh, tied) };
}
