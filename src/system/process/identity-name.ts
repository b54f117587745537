import { defined } from "../../util/json/defined.ts";
import type { ProcessIdentity } from "./identity.ts";

/** Returns the identity of a process as a part of a file name, so that what the process leaves behind can be found. */
export function identityName(owner: ProcessIdentity): string {
  return Buffer.from(JSON.stringify(owner)).toString("base64url");
}

/** Returns undefined for a text that is not a name of `identityName`. */
export function parseIdentityName(text: string): ProcessIdentity | undefined {
  try {
    const parsed = JSON.parse(Buffer.from(text, "base64url").toString()) as ProcessIdentity;
    const { pid, start, boot, namespace } = parsed;
    return Number.isInteger(pid) ? { pid, start, boot, ...defined({ namespace }) } : undefined;
  } catch {
    return undefined;
  }
}
