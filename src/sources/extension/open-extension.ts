import { ToolError } from "../../core/errors.ts";
import type { Extension } from "../../core/extension.ts";
import type { HashedTree } from "../../system/files/content-hash.ts";
import { isWord } from "./check-parts.ts";
import { openInstance, within, type Instance, type Log } from "./instance.ts";
import type { ExtensionFile } from "./list-extensions.ts";
import type { Modules } from "./modules.ts";

export interface OpenOptions {
  readonly modules: Modules;
  readonly log: Log;
  /** Time limit for import and setup together. */
  readonly limitMs: number;
  /** If set, only files with these hashes may be imported. */
  readonly sealed: HashedTree | undefined;
}

/** Imports a new instance of an extension and sets it up. Rejects on failure and after the time limit. */
export async function openExtension(file: ExtensionFile, options: OpenOptions): Promise<Instance> {
  const { modules, log, limitMs, sealed } = options;
  const until = performance.now() + limitMs;
  const loaded = await within(limitMs, modules.load(file.main, file.root, sealed?.files));
  const extension = toExtension("default" in loaded ? loaded.default : undefined, file.entry);
  return openInstance(extension, { log, limitMs, leftMs: Math.max(1, until - performance.now()) });
}

/** Accepts an extension, or a setup function of an extension that is named after its file. */
function toExtension(exported: unknown, entry: string): Extension {
  if (typeof exported === "function") {
    return checked({ name: entry.replace(/\.[^.]*$/, ""), setup: exported as Extension["setup"] });
  }
  const { name, setup } = (exported ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name === "string" && typeof setup === "function") return checked(exported as Extension);
  throw new ToolError("INVALID_INPUT", "its default export is not an extension", {
    hint: "export default defineExtension({ name, setup(api) { … } })",
    details: { reason: "bad_schema" },
  });
}

function checked(extension: Extension): Extension {
  if (isWord(extension.name)) return extension;
  throw new ToolError("INVALID_INPUT", `${JSON.stringify(extension.name)} is not a valid extension name`, {
    hint: "use up to 64 letters, digits, dashes and underscores",
    details: { reason: "bad_name" },
  });
}
