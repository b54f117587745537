import { ToolError } from "../../core/errors.ts";

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  ELOOP: "it is a link that leads to itself, or was turned into a link",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than allowed",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  ENXIO: "it is a socket or a device",
  ETXTBSY: "it is a program that is running",
  EBUSY: "it is in use",
};

/** The error code that the operating system gave, where there is one. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** A failed file operation as a `ToolError` that says what was tried on which path; a `ToolError` stays itself. */
export function fileFault(error: unknown, action: string, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = systemCode(error) ?? "unknown";
  const meaning = MEANINGS[code] ?? (error instanceof Error ? error.message : String(error));
  return new ToolError("TOOL_FAILED", `cannot ${action} ${path}: ${meaning}`, {
    details: { path, errno: code },
    cause: error,
  });
}

/** The error for a target that is not what was judged any more. */
export function swapped(path: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} changed between check and use: it is something else now`, {
    hint: "call again to have the new one checked",
    details: { path },
  });
}
