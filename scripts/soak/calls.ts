import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";
import { PAIRS, type World } from "./world.ts";

/** A call, and what is known of it. */
export interface SoakCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Undefined until it is answered. */
  ok?: boolean;
  /** What the answer says is wrong. */
  fault?: string | undefined;
  /** The answer says that the call failed and may have had effects: the worker that ran it was killed. */
  mayHaveRun?: boolean;
  /** The answer came while the disk was full, or soon after. */
  isNearFull?: boolean;
}

/** What a program is asked to do besides files and commands. */
export type More = "browser" | "code";

type Make = (id: string, world: World, random: Random) => Omit<SoakCall, "id">;

const shell = (input: SoakCall["input"]): Omit<SoakCall, "id"> => ({ name: "shell", input });

const MAKERS: readonly Make[] = [
  (id) => ({ name: "edit_file", input: { path: "shared", old_string: "END", new_string: `${id}\nEND` } }),
  (id) => ({ name: "edit_file", input: { path: "shared", old_string: "END", new_string: `${id}\nEND` } }),
  (id) => ({ name: "write_file", input: { path: `files/${id}`, content: `${id}\n` } }),
  patchPair,
  patchPair,
  deleteFile,
  () => ({ name: "read_file", input: { path: "shared" } }),
  () => ({ name: "grep", input: { pattern: "version", path: "pairs" } }),
  (id) => shell({ command: `echo ${id}` }),
  (id) => shell({ command: `sleep 0.2; echo ${id}` }),
  (id) => shell({ command: `sleep 600 & echo ${id}` }),
  (id) => shell({ command: `setsid -f sleep 600; echo ${id}` }),
  () => shell({ command: "sleep 600", background: true }),
  (id) => shell({ command: `echo ${id}`, terminal_id: "one" }),
  (id) => ({ name: "soak__echo", input: { text: id } }),
];

const python = (code: string): Omit<SoakCall, "id"> => ({
  name: "python_action",
  input: { action: "execute", code },
});
const browser = (input: SoakCall["input"]): Omit<SoakCall, "id"> => ({ name: "browser_action", input });

const MORE: Readonly<Record<More, readonly Make[]>> = {
  code: [
    (id) => python(`print("${id}")`),
    (id) => python(`import subprocess; subprocess.Popen(["sleep", "600"]); print("${id}")`),
    (id) => ({ name: "run_code", input: { code: `return "${id}"` } }),
    (id) => ({ name: "write_file", input: { path: `files/${id}`, content: `${id}\n` } }),
  ],
  browser: [
    () => browser({ action: "launch" }),
    (id) => browser({ action: "execute_js", js_code: `"${id}"` }),
    (id) => ({ name: "write_file", input: { path: `files/${id}`, content: `${id}\n` } }),
  ],
};

/** Creates a random call with this id. */
export function createCall(id: string, world: World, random: Random, more?: More): SoakCall {
  return { id, ...random.pick(more === undefined ? MAKERS : MORE[more])(id, world, random) };
}

/** Deletes a file that was created for it. */
function deleteFile(id: string, { root }: World): Omit<SoakCall, "id"> {
  try {
    writeFileSync(join(root, "files", `${id}-deleted`), id);
  } catch {
    // The disk is full.
  }
  return { name: "delete_file", input: { path: `files/${id}-deleted` } };
}

/** Changes two files of the same version to a new one. */
function patchPair(id: string, { root }: World, random: Random): Omit<SoakCall, "id"> {
  const pair = random.between(0, PAIRS - 1);
  const update = (side: string): string =>
    `*** Update File: pairs/${pair}-${side}\n@@\n-${versionOf(root, pair, side)}\n+version ${id}\n`;
  return {
    name: "apply_patch",
    input: { patch: `*** Begin Patch\n${update("a")}${update("b")}*** End Patch` },
  };
}

/** Returns the first line of a file of a pair. */
export function versionOf(root: string, pair: number, side: string): string {
  return readFileSync(join(root, "pairs", `${pair}-${side}`), "utf8").trim();
}
