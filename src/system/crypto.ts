import type * as Crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { attempt } from "../util/async/attempt.ts";

/** Loads `node:crypto` on first use, because it is slow to load. */
export function loadCrypto(): typeof Crypto {
  return process.getBuiltinModule("node:crypto");
}

const KERNEL = "/proc/sys/kernel/random/uuid";
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** A process that needs more of them loads `node:crypto`, which makes them faster. */
const MOST_FROM_KERNEL = 4;
let count = 0;

/** Returns a random UUID. The first ones of a process come from the kernel, if it has a file for that: a command that runs one call needs no `node:crypto`. */
export function randomId(): string {
  count += 1;
  const id = count > MOST_FROM_KERNEL ? undefined : attempt(() => readFileSync(KERNEL, "latin1").trim());
  return id !== undefined && UUID.test(id) ? id : loadCrypto().randomUUID();
}
