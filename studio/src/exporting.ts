// SPDX-License-Identifier: Apache-2.0

// Files out: BVH, GLB, rig JSON. Pictures and films are made by film/.
import type { Character } from "./character.js";
import { messageOf } from "./messages.js";
import type { ExportAnswer, ModelFormat } from "./model_export.js";
import { inPageWords } from "./page_words.js";
import type { ExportContent, Studio } from "./studio.js";
import { t } from "./language.js";

export type Format = "bvh" | "glb" | "rig";

export interface ExportAsker {
  /** What a file holds; null where nothing is chosen. */
  askExport(question: { clip: string }): Promise<ExportContent | null>;
  /** Writes the active character's files on another thread. */
  write(format: ModelFormat, content: ExportContent): Promise<ExportAnswer | null>;
}

export async function exportAs(studio: Studio, format: ModelFormat, asker: ExportAsker): Promise<void> {
  const character = studio.active;
  if (!character) return;
  const content = await contentOf(studio, character, asker);
  if (content === null) return;
  const about = {
    pose: t("the pose on screen"),
    motion: t("the motion"),
    both: t("the pose on screen and the motion"),
  };
  const answer = await asker.write(format, content);
  if (!answer) return;
  if (!answer.ok) return studio.tell(messageOf(answer.error, t("Nothing was exported")));
  for (const file of answer.value) {
    download(new Blob([file.bytes], { type: file.type }), file.name);
    studio.note(
      t("Exported {name}", { name: file.name }),
      [about[content], ...file.warnings.map(({ what }) => inPageWords(what))].join("; "),
    );
  }
}

/** Asked once, where there is a pose and a motion. */
async function contentOf(studio: Studio, character: Character, asker: ExportAsker): Promise<ExportContent | null> {
  if (!character.clip) return "pose";
  const known = studio.keeping.exports;
  if (known !== "ask") return known;
  const chosen = await asker.askExport({ clip: character.clip.name || t("that is shown") });
  if (chosen) studio.setKeeping({ exports: chosen });
  return chosen;
}

export function download(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
