import { randomBytes, randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.ts";

/** Kept, so that what was written into the settings of clients stays true. */
export function tokenFileOf(home: string): string {
  return join(home, "http-token");
}

/** The token of our own HTTP servers, made when first asked for. Throws where others could have read or written it. */
export function loadHttpToken(home: string): string {
  const file = tokenFileOf(home);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) makeToken(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unusable(file, String(error), error);
  }
  const found = lstatSync(file);
  if (!found.isFile()) throw unusable(file, "it is no plain file");
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    throw unusable(file, "others can read or write it");
  const token = readFileSync(file, "utf8").trim();
  if (!/^[\w-]{32,}$/.test(token)) throw unusable(file, "there is no token in it");
  return token;
}

/** Puts a token in place as a whole, so that nobody finds half of one; the first of several who do that at once is the one. */
function makeToken(file: string): void {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
    chmodSync(draft, 0o600);
    placeDraft(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function placeDraft(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // Not every file system has links.
    renameSync(draft, file);
  }
}

function unusable(file: string, why: string, cause?: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `the token in ${file} cannot be used: ${why}`, {
    hint: "remove the file: another token is made, and clients that have the old one are told the new one",
    cause,
  });
}
