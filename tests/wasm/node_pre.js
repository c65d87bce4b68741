// SPDX-License-Identifier: Apache-2.0
// Hands the module its bytes: this emscripten would fetch() a file path, which newer nodes refuse.
Module["wasmBinary"] = require("fs").readFileSync(__filename.replace(/\.js$/, ".wasm"));
