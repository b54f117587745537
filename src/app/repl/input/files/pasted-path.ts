import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { attempt } from "../../../../util/async/attempt.ts";

const PASTE = /^\u{1b}\[200~([^]*)\u{1b}\[201~$/u;
const ATTACHED = /\.(?:png|jpe?g|gif|webp|pdf)$/i;

/** Returns the reference to an image or PDF whose path is pasted, as terminals do when a file is dropped on them; undefined for other keys. */
export function pastedReference(key: string): string | undefined {
  const text = PASTE.exec(key)?.[1]?.trim() ?? "";
  if (!ATTACHED.test(text.replace(/['"]$/, "")) || text.includes("\n")) return undefined;
  const path = text.startsWith("file://") ? attempt(() => fileURLToPath(text)) : unquoted(text);
  if (path === undefined || !path.startsWith("/") || !existsSync(path)) return undefined;
  return referenceTo(path);
}

/** Returns how a message names a file. */
export function referenceTo(path: string): string {
  return /\s/.test(path) ? `@"${path}" ` : `@${path} `;
}

function unquoted(text: string): string {
  const [, , inner] = /^(['"])(.*)\1$/.exec(text) ?? [];
  return inner ?? text.replaceAll(/\\(.)/g, "$1");
}
