// SPDX-License-Identifier: Apache-2.0

// One file opened as a whole engine's memory, for another thread to receive.
import { createEngine, type MovedDocument, type Result } from "@ulna/engine";
import type { SourceFile } from "./retarget_job.js";

export interface OpenJob {
  readonly module: WebAssembly.Module; // the one of the engine that receives it
  readonly file: SourceFile;
}

export async function runOpenJob({ module, file }: OpenJob): Promise<Result<MovedDocument>> {
  const { name, bytes, parts = {} } = file;
  const engine = await createEngine({ wasm: module });
  // As the view shows it at first: a first deformation takes longer than the next ones.
  const show = { blend: "dual-quaternion", twist: "limb" } as const;
  return engine.openToMove(bytes, name, { files: parts }, ({ skeleton, meshes }) => {
    for (const mesh of meshes)
      mesh.deform(skeleton.restPose(), { positions: mesh.positions, normals: mesh.normals }, show);
  });
}
