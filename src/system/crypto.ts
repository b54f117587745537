import type * as Crypto from "node:crypto";

/** Loads `node:crypto` on first use, because it is slow to load. */
export function loadCrypto(): typeof Crypto {
  return process.getBuiltinModule("node:crypto");
}
