import { loadCrypto } from "./crypto.ts";

/** Compares two secrets in a time that does not say where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const { hash, timingSafeEqual } = loadCrypto();
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(one), digest(other));
}
