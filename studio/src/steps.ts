// SPDX-License-Identifier: Apache-2.0

// Long work on the page's own thread, in steps between which the page draws and listens.

const PIECE = 1 << 22; // bytes: copied in about a millisecond

/** Until the page had time for what else there is. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A copy that can be handed to another thread while the bytes stay here. */
export async function copyInSteps(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const out = new Uint8Array(bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    if (at > 0) await pause();
    out.set(new Uint8Array(bytes, at, Math.min(PIECE, bytes.byteLength - at)), at);
  }
  return out.buffer;
}
