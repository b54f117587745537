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
import { TOKEN_FILES, type TokenName } from "../../config/access/http-tokens.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The tokens of our HTTP servers. */
export type HttpTokens = Readonly<Record<TokenName, string>>;

/** Returns the file that stores a token, so that the settings of clients stay valid. */
export function tokenFileOf(home: string, name: TokenName): string {
  return join(home, TOKEN_FILES[name]);
}

/** Returns all tokens: see `loadHttpToken`. */
export function loadHttpTokens(home: string): HttpTokens {
  const load = (name: TokenName): string => loadHttpToken(home, name);
  return { read: load("read"), call: load("call"), approve: load("approve"), admin: load("admin") };
}

/** Returns a token of our HTTP servers, created on first use. Throws if other users could have read or written it. */
export function loadHttpToken(home: string, name: TokenName): string {
  const file = tokenFileOf(home, name);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) createToken(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new ToolError("UNAVAILABLE", `the token cannot be written to ${file}: ${errorMessage(error)}`, {
        hint: `make ${home} writable for this user, and see that there is space on its disk`,
        cause: error,
      });
  }
  const stats = lstatSync(file);
  if (!stats.isFile()) throw unusable(file, "it is not a regular file");
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
    throw unusable(file, "other users can read or write it");
  const token = readFileSync(file, "utf8").trim();
  if (!/^[\w-]{32,}$/.test(token)) throw unusable(file, "it contains no token");
  return token;
}

/** Writes the token atomically; if several processes create one at once, the first wins. */
function createToken(file: string): void {
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

function unusable(file: string, why: string): ToolError {
  return new ToolError("UNAVAILABLE", `the token in ${file} cannot be used: ${why}`, {
    hint: "remove the file: a new token is created, and clients need the new one",
  });
}
