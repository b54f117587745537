import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path/posix";
import type { Program } from "../src/app/libexec/program.ts";
import { schemaOf } from "../src/app/libexec/pages.ts";

const FOLDER = "dist/libexec";
const PARTS = `${FOLDER}/parts`;
const require = createRequire(import.meta.url);
/** Every program needs it beside its own file. */
const RUN = "app/libexec/run-program.js";

/**
 * Links each program of libexec/ with all it needs of ours into one file: reading fifty small ones would take longer than
 * everything else that a program does. Nothing is left out or rewritten but the requires between the parts; packages and
 * what is loaded by its address stay where they are. What a program says to `--schema` is written beside it, so that
 * whoever looks for tools waits for no Node.
 */
export function linkPrograms(): void {
  for (const file of globSync("libexec/*").sort()) {
    const name = basename(file);
    const linked = resolve(FOLDER, `${name}.cjs`);
    writeFileSync(linked, link(`app/libexec/${name.replaceAll("_", "-")}.js`));
    const { program } = require(linked) as { readonly program: Program };
    writeFileSync(resolve(FOLDER, `${name}.json`), `${JSON.stringify(schemaOf(program))}\n`);
  }
  rmSync(PARTS, { recursive: true });
}

function link(entry: string): string {
  const parts = new Map<string, string>();
  const queue = [entry, RUN];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (parts.has(id)) continue;
    const { text, needs } = readPart(id);
    parts.set(id, text);
    queue.push(...needs);
  }
  const bodies = [...parts].map(([id, text]) => `${JSON.stringify(id)}(exports) {\n${text}\n}`);
  return `"use strict";
const loaded = new Map();
const urlOf = (id) => require("node:url").pathToFileURL(require("node:path").join(__dirname, "..", id)).href;
const builtin = process.getBuiltinModule;
function load(id) {
  const known = loaded.get(id);
  if (known !== undefined) return known;
  const exports = {};
  loaded.set(id, exports);
  parts[id](exports);
  return exports;
}
const parts = {
${bodies.join(",\n")}
};
exports.program = load(${JSON.stringify(entry)}).program;
exports.runProgram = load(${JSON.stringify(RUN)}).runProgram;
`;
}

interface Part {
  readonly text: string;
  readonly needs: readonly string[];
}

function readPart(id: string): Part {
  const needs: string[] = [];
  const text = readFileSync(join(PARTS, id), "utf8")
    .replaceAll(/\brequire\("(\.{1,2}\/[^"]+)"\)/g, (_, path: string) => {
      const needed = join(dirname(id), path);
      needs.push(needed);
      return `load(${JSON.stringify(needed)})`;
    })
    .replaceAll(/\brequire\("(node:[^"]+)"\)/g, 'builtin("$1")')
    .replaceAll("import.meta.url", `urlOf(${JSON.stringify(id)})`);
  if (text.includes("import.meta")) throw new Error(`${id}: only import.meta.url can be linked`);
  return { text, needs };
}
