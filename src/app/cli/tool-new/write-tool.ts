import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageFile } from "../../../system/package-files.ts";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The languages that have a template: file extension, test command and requirement. */
const LANGUAGES = {
  sh: { extension: "sh", runs: "sh", needs: "it needs jq" },
  python: { extension: "py", runs: "python3", needs: "it needs Python 3" },
  node: { extension: "mjs", runs: "node --test", needs: "it needs Node" },
  typescript: { extension: "mts", runs: "node --test", needs: "it needs Node 22.19 or newer" },
} as const;

export type Language = keyof typeof LANGUAGES;

export const TOOL_LANGUAGES = Object.keys(LANGUAGES) as readonly Language[];

/** A name that every provider accepts and that is safe in every template and command line. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** The placeholder for the name in the templates. */
const PLACEHOLDER = "my_tool";

export interface NewTool {
  readonly name: string;
  readonly language: Language;
  readonly folder: string;
  /** Existing files may be overwritten. */
  readonly mayReplace: boolean;
}

/**
 * Writes a working tool and, in a folder that is never searched for tools, its test. Writes neither if one of them exists
 * and may not be overwritten. Throws if the name is not valid for a tool. Returns the files, and the command that runs the test.
 */
export function writeNewTool({ name, language, folder, mayReplace }: NewTool) {
  if (!NAME.test(name))
    throw new ToolError("INVALID_INPUT", `invalid tool name ${JSON.stringify(name)}`, {
      hint: "expected a letter, then letters, digits, _ or -, up to 64 characters",
    });
  const { extension, runs, needs } = LANGUAGES[language];
  const files = [
    { path: join(folder, `${name}.${extension}`), template: `${PLACEHOLDER}.${extension}`, mode: 0o755 },
    {
      path: join(folder, "test", `${name}.test.${extension}`),
      template: `test/${PLACEHOLDER}.test.${extension}`,
      mode: 0o644,
    },
  ] as const;
  const existing = files.find(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (existing !== undefined && !mayReplace)
    throw new ToolError("TOOL_FAILED", `${existing.path} already exists`, {
      hint: "use --force to overwrite it",
    });
  for (const { path, template, mode } of files) write(path, textOf(template, name), mode);
  const [{ path: tool }, { path: test }] = files;
  return { tool, test, runsTest: `${runs} ${test}`, needs };
}

function textOf(template: string, name: string): string {
  return readFileSync(packageFile(`templates/${template}`), "utf8").replaceAll(PLACEHOLDER, name);
}

function write(path: string, text: string, mode: number): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Never through a link, which a project could place there to have another file written.
    rmSync(path, { force: true });
    writeFileSync(path, text, { flag: "wx" });
    chmodSync(path, mode);
  } catch (error) {
    const reason = errorMessage(error);
    throw new ToolError("TOOL_FAILED", `cannot write ${path}: ${reason}`, { cause: error });
  }
}
