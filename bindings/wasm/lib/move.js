// SPDX-License-Identifier: Apache-2.0

// What one thread's engine has opened, used in another thread: its whole memory goes there.
//
// All objects of an engine are in its memory, and their addresses hold in every instance of the same module. So
// nothing is written and read again, and the receiving thread only copies bytes, as few at a time as it likes.

const PAGE = 1 << 16; // bytes: by which memory grows
const PIECE = 1 << 22; // bytes: copied in about a millisecond

/** The memory as it is, in pieces that can be transferred. */
export function memoryPieces(memory) {
  memory.exports.inputRoom(8); // the bytes of a large file go
  const { buffer } = memory.exports.memory;
  const pieces = [];
  for (let at = 0; at < buffer.byteLength; at += PIECE) pieces.push(buffer.slice(at, at + PIECE));
  return pieces;
}

/** Makes a fresh instance's memory that of the pieces. `pause` is awaited after each, with the part that is done. */
export async function takePieces(memory, pieces, pause) {
  const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const missing = size - memory.bytes;
  if (missing > 0) memory.exports.memory.grow(Math.ceil(missing / PAGE));
  let at = 0;
  for (const piece of pieces) {
    memory.u8(at, piece.byteLength).set(new Uint8Array(piece));
    at += piece.byteLength;
    await pause?.(at / size);
  }
}
