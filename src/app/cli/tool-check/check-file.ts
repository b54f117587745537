import { accessSync, constants, statSync } from "node:fs";
import { systemCode } from "../../../system/paths/file-fault.ts";
import type { Finding } from "./finding.ts";
import { fail, pass } from "./finding.ts";

const WRITABLE_BY_OTHERS = 0o002;

/** Checks that it is a file that this user can run and that other users cannot write. */
export function checkFile(path: string): Finding {
  const check = "executable";
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return fail(check, "it is not a regular file", "pass the path of the program");
    accessSync(path, constants.X_OK);
    if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) {
      return fail(check, "every user can write it", `chmod o-w ${JSON.stringify(path)}`);
    }
    return pass(check, "it is an executable file");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return fail(check, "it does not exist", "check the path");
    if (code === "EACCES") return fail(check, "it is not executable", `chmod +x ${JSON.stringify(path)}`);
    return fail(check, `cannot read it: ${code ?? String(error)}`, "check the path");
  }
}
