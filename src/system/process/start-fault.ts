import { statSync } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import { systemCode } from "../paths/file-fault.ts";
import { errorMessage } from "../../util/text/error-message.ts";

interface Program {
  readonly file: string;
  readonly cwd: string;
}

/** Returns the error of a program that could not be started. */
export function startFault({ file, cwd }: Program, error: unknown): ToolError {
  const code = systemCode(error) ?? "unknown";
  const details = { file, cwd, errno: code };
  const fault = (reason: string): ToolError =>
    new ToolError("TOOL_FAILED", `cannot start ${file}: ${reason}`, { details, cause: error });
  // The system returns the same code for an unusable program and an unusable folder.
  const folder = statSync(cwd, { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) return fault(`the folder ${cwd} does not exist`);
  if (code === "ENOENT") return fault("no such program");
  if (code === "EACCES") return fault(`permission denied, for the program or for the folder ${cwd}`);
  if (code === "EMFILE" || code === "ENFILE") return fault("too many files are open");
  if (code === "EAGAIN") return fault("too many processes run");
  if (code === "E2BIG") return fault("the command and its environment are longer than the system allows");
  if (code === "ERR_INVALID_ARG_VALUE") return fault("the command contains a NUL character");
  return fault(errorMessage(error));
}

const SCARCITY = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** For `catch`: rethrows if a program could not be started only for want of files, processes or memory, which may pass. */
export function unlessScarce(error: unknown): { readonly exitCode: null } {
  if (isScarce(error)) throw error;
  return { exitCode: null };
}

/** Returns true if the system lacked files, processes or memory. */
export function isScarce(error: unknown): boolean {
  const errno = error instanceof ToolError ? error.details?.["errno"] : undefined;
  return typeof errno === "string" && SCARCITY.has(errno);
}
