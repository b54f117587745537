import { ToolError } from "../../core/errors.ts";
import { quoteName } from "../../util/text/file-name.ts";
import { defined } from "../../util/json/defined.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  ELOOP: "it is a link that leads to itself or was replaced by a link",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than allowed",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  ENXIO: "it is a socket or a device",
  ETXTBSY: "it is a running program",
  EBUSY: "it is in use",
};

/** What to do about faults that are not about the path. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "free space on the disk",
  EDQUOT: "free space, or ask for a larger quota",
  EROFS: "use a folder that can be written, or mount it so",
};

/** Returns the error code of the operating system, if there is one. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Converts a failed file operation to a `ToolError` with the action and the path. Returns a `ToolError` unchanged. */
export function fileFault(error: unknown, action: string, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = systemCode(error) ?? "unknown";
  const meaning = MEANINGS[code] ?? errorMessage(error);
  return new ToolError("TOOL_FAILED", `cannot ${action} ${quoteName(path)}: ${meaning}`, {
    details: { path, errno: code },
    cause: error,
    ...defined({ hint: HINTS[code] }),
  });
}

/** Returns the error for a file that was replaced after it was judged. */
export function swapped(path: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} changed between check and use: it was replaced`, {
    hint: "call again to check the new file",
    details: { path },
  });
}
