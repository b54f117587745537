import { accessSync, closeSync, constants, copyFileSync, chmodSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import type { BoxedProgram } from "./types.ts";

/**
 * Returns the program so that no other one without capabilities can trace it or read its memory: Linux grants that of no program whose file its user may
 * not read, and that file is a copy of the system's program loader here. The program as it is if that cannot be done.
 */
export function throughLoader(program: BoxedProgram, folder: string): BoxedProgram {
  const loader = copyLoader(program.file, folder);
  return loader === undefined ? program : { ...program, file: loader, args: [program.file, ...program.args] };
}

/** Copies the loader of a program into a folder, as a file that can be run but not read. Returns its path; undefined if the program has none, or it cannot run there. */
export function copyLoader(program: string, folder: string): string | undefined {
  const loader = attempt(() => loaderOf(program));
  if (loader === undefined) return undefined;
  const copy = join(folder, "loader");
  return attempt(() => {
    copyFileSync(loader, copy);
    chmodSync(copy, 0o111);
    accessSync(copy, constants.X_OK);
    return copy;
  });
}

const HEAD_BYTES = 4096;
const ELF_OF_64_BITS = "7f454c4602";
const INTERPRETER = 3;

/** Returns the loader that the file of a program names: `/lib64/ld-linux-x86-64.so.2`. Throws if it is no such file. */
function loaderOf(program: string): string | undefined {
  const head = headOf(program);
  if (!head.toString("hex").startsWith(ELF_OF_64_BITS)) return undefined;
  const [table, size, count] = [
    Number(head.readBigUInt64LE(32)),
    head.readUInt16LE(54),
    head.readUInt16LE(56),
  ];
  for (let at = table; at < table + size * count; at += size) {
    if (head.readUInt32LE(at) !== INTERPRETER) continue;
    const [start, length] = [Number(head.readBigUInt64LE(at + 8)), Number(head.readBigUInt64LE(at + 32))];
    return head.toString("utf8", start, start + length - 1);
  }
  return undefined;
}

function headOf(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}
