import type { FileHandle } from "node:fs/promises";
import { createFileOperations, type FileOperations } from "../../../src/system/files/operations.ts";

type Name = keyof FileOperations;
/** This operation is synchronous; the others return a promise. */
const SYNCHRONOUS: ReadonlySet<Name> = new Set(["lstat"]);

/** These do not change the disk. */
export const READING: ReadonlySet<Name> = new Set([
  "openTarget",
  "holdFolder",
  "lstat",
  "close",
  "closeFolder",
]);

export interface FailingOperations {
  readonly operations: FileOperations;
  /** The operations in order; the last one failed, if any did. */
  readonly done: readonly Name[];
}

/** The real operations, but those for which `failsAt` says so call `fail` instead; half of a write is written then. */
export function failingOperations(
  failsAt: (number: number, name: Name) => boolean,
  fail: (name: Name) => Error,
  changesFolder?: string,
): FailingOperations {
  const done: Name[] = [];
  const real = createFileOperations(changesFolder);
  const wrap = (name: Name) => {
    const step = real[name] as (...args: readonly unknown[]) => unknown;
    if (name === "exclusively") return step;
    return (...args: readonly unknown[]): unknown => {
      done.push(name);
      if (!failsAt(done.length, name)) return step(...args);
      if (SYNCHRONOUS.has(name)) throw fail(name);
      return failLater(name, args, () => step(...args), fail);
    };
  };
  const wrapped = Object.keys(real).map((name) => [name, wrap(name as Name)] as const);
  return { operations: Object.fromEntries(wrapped) as unknown as FileOperations, done };
}

async function failLater(
  name: Name,
  args: readonly unknown[],
  step: () => unknown,
  fail: (name: Name) => Error,
): Promise<never> {
  if (name === "write") {
    const [handle, content] = args as [FileHandle, string | Uint8Array];
    await handle.writeFile(content.slice(0, content.length / 2));
  }
  // What is closed with an error is closed all the same.
  if (name === "close" || name === "closeFolder") await step();
  throw fail(name);
}

/** The error that the operating system would give. */
export function systemError(code: "ENOSPC" | "EIO"): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}
