import { accessSync, constants, statSync } from "node:fs";
import { systemCode } from "../../../system/paths/file-fault.ts";
import type { Finding } from "./finding.ts";
import { fail, pass } from "./finding.ts";

const OTHERS_MAY_WRITE = 0o002;

/** It is a file that this user may run, and that not everyone may change. */
export function checkFile(path: string): Finding {
  const check = "executable";
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return fail(check, "it is not a regular file", "name the program itself");
    accessSync(path, constants.X_OK);
    if ((stats.mode & OTHERS_MAY_WRITE) !== 0) {
      return fail(check, "every user may change it", `chmod o-w ${JSON.stringify(path)}`);
    }
    return pass(check, "it is a file that may be run");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return fail(check, "it does not exist", "check the path");
    if (code === "EACCES") return fail(check, "it may not be run", `chmod +x ${JSON.stringify(path)}`);
    return fail(check, `it cannot be looked at: ${code ?? String(error)}`, "check the path");
  }
}
