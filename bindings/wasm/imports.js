// SPDX-License-Identifier: Apache-2.0

// What engine.wasm imports from lib/, told to emscripten, which refuses names that it does not know. It makes no
// JavaScript here: what is said here is the name alone.
/* global mergeInto, LibraryManager */
mergeInto(LibraryManager.library, { progress: function () {} });
