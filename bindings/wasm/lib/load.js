// SPDX-License-Identifier: Apache-2.0

// engine.wasm from wherever it is to a running instance.

const NO_SUCH_CALL = 52; // ENOSYS of WASI

/**
 * The bytes, module, response or address given, by default the file beside, as a module and an instance of it. `own`
 * are the functions that it imports from here.
 */
export async function instantiate(wasm = new URL("../engine.wasm", import.meta.url), own = {}) {
  const module = await compile(await wasm);
  const imports = importsFor(module);
  const instance = await WebAssembly.instantiate(module, { ...imports, ulna: { ...imports.ulna, ...own } });
  return { module, instance };
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (typeof Response !== "undefined" && wasm instanceof Response) return compileResponse(wasm);
  if (typeof wasm !== "string" && !(wasm instanceof URL)) return WebAssembly.compile(wasm);
  if (wasm instanceof URL && wasm.protocol === "file:") {
    // The name is put together so that packers for browsers do not look for it.
    const { readFile } = await import(/* @vite-ignore */ ["node", "fs/promises"].join(":"));
    return WebAssembly.compile(await readFile(wasm));
  }
  return compileResponse(await fetch(wasm));
}

async function compileResponse(response) {
  if (!response.ok) throw new Error(`engine.wasm could not be fetched from ${response.url}: ${response.status}`);
  // Servers that do not know .wasm send another type, which streaming refuses.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm");
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The engine opens no files and prints nothing: what it imports of a system says that there is no such thing. */
function importsFor(module) {
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function") continue;
    imports[from] ??= {};
    if (name === "emscripten_notify_memory_growth") {
      imports[from][name] = () => {};
    } else if (name === "proc_exit") {
      imports[from][name] = () => {
        throw new WebAssembly.RuntimeError("the engine stopped");
      };
    } else {
      imports[from][name] = () => (from === "env" ? -NO_SUCH_CALL : NO_SUCH_CALL);
    }
  }
  return imports;
}
