import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { readConfigFile } from "./config-file.ts";

/** Changes a settings file at once; a new one can be read by its owner only, since it may hold tokens. Throws where the old one is not JSON. */
export async function editConfigFile(
  file: string,
  change: (values: JsonObject) => JsonObject,
): Promise<void> {
  const mode = existsSync(file) ? {} : { mode: 0o600 };
  const values = change(readConfigFile(file) ?? {});
  const fact = await resolveTarget(file, { cwd: dirname(file), access: "write" });
  await replaceFiles([{ fact, content: `${JSON.stringify(values, undefined, 2)}\n`, ...mode }]);
}
