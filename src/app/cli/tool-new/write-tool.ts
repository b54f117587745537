import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageFile } from "../../../system/package-files.ts";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The languages that there is a template for: how the file ends, and what runs its test. */
const LANGUAGES = {
  sh: { ending: "sh", runs: "sh", needs: "it needs jq" },
  python: { ending: "py", runs: "python3", needs: "it needs Python 3" },
  node: { ending: "mjs", runs: "node --test", needs: "it needs Node" },
  typescript: { ending: "mts", runs: "node --test", needs: "it needs Node 22.18 or newer" },
} as const;

export type Language = keyof typeof LANGUAGES;

export const TOOL_LANGUAGES = Object.keys(LANGUAGES) as readonly Language[];

/** A name that every provider takes, that no option is taken for, and that is nothing but a name in any template. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** What stands for the name in the templates. */
const PLACEHOLDER = "my_tool";

export interface NewTool {
  readonly name: string;
  readonly language: Language;
  readonly folder: string;
  /** Files that are there may be replaced. */
  readonly mayReplace: boolean;
}

/** What was written, and how its test is run. */
export interface WrittenTool {
  readonly tool: string;
  readonly test: string;
  readonly runsTest: string;
  readonly needs: string;
}

/**
 * Writes a working tool and, in a folder that is never searched for tools, its test. Writes neither where one of them is there
 * already and may not be replaced. Throws where the name cannot be a tool's.
 */
export function writeNewTool({ name, language, folder, mayReplace }: NewTool): WrittenTool {
  if (!NAME.test(name)) {
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} cannot be a tool's name`, {
      hint: "a letter, then letters, digits, _ and -, 64 at most",
    });
  }
  const { ending, runs, needs } = LANGUAGES[language];
  const files = [
    { path: join(folder, `${name}.${ending}`), template: `${PLACEHOLDER}.${ending}`, mode: 0o755 },
    {
      path: join(folder, "test", `${name}.test.${ending}`),
      template: `test/${PLACEHOLDER}.test.${ending}`,
      mode: 0o644,
    },
  ] as const;
  const there = files.find(({ path }) => existsSync(path));
  if (there !== undefined && !mayReplace) {
    throw new ToolError("TOOL_FAILED", `${there.path} is there already`, { hint: "--force replaces it" });
  }
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
    writeFileSync(path, text);
    chmodSync(path, mode);
  } catch (error) {
    const reason = errorMessage(error);
    throw new ToolError("TOOL_FAILED", `${path} cannot be written: ${reason}`, { cause: error });
  }
}
