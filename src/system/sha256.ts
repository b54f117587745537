import { sha256 as sha256Bytes } from "./edge/sha256.ts";

/** Returns the SHA-256 of a short text in hexadecimal, for names: `node:crypto`, which is faster for long ones, takes longer to load than a command needs else. */
export function sha256(text: string): string {
  return Buffer.from(sha256Bytes(new TextEncoder().encode(text))).toString("hex");
}
