import type { Captured } from "../../system/process/capture.ts";
import type { CommandOutcome } from "./shell-answer.ts";

/**
 * What programs print when a read-only file system, a missing permission or a missing network stops them. Only the offer to run the
 * command again depends on it, never a permission: other failures name `outside_sandbox` in a note.
 */
const BLOCKED =
  /\b(?:EROFS|EACCES|EPERM|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETDOWN)\b|read-only file ?system|permission denied|operation not permitted|network is unreachable|could not resolve|name resolution|name or service not known|unable to access|failed to (?:connect|lookup|fetch)|connection refused|no such host|offline/i;

/** Returns true for a command that failed, and whose output says that the read-only sandbox may be why. */
export function isBlockedByBox({ exitCode }: CommandOutcome, { all }: Captured): boolean {
  return exitCode !== 0 && BLOCKED.test(all.text);
}
