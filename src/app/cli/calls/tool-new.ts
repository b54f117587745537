import { lstatSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { hashOfFile } from "../../../system/files/content-hash.ts";
import { packageFile } from "../../../system/package-files.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { loadTrust } from "../../config/files/trust.ts";
import { writeFiles } from "../../config/files/write-files.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { findTool, openTools } from "../../terminal/open-terminal-host.ts";

/** The languages that have a template: file extension, test command and requirement. */
const LANGUAGES = {
  sh: { extension: "sh", runs: "sh", needs: "it needs jq" },
  python: { extension: "py", runs: "python3", needs: "it needs Python 3" },
  node: { extension: "mjs", runs: "node --test", needs: "it needs Node" },
  typescript: { extension: "mts", runs: "node --test", needs: "it needs Node 22.19 or newer" },
} as const;

type Language = keyof typeof LANGUAGES;

export const TOOL_LANGUAGES = Object.keys(LANGUAGES) as readonly Language[];

/** A name that every provider accepts and that is safe in every template and command line. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** The placeholder for the name in the templates. */
const PLACEHOLDER = "my_tool";

/** Writes a tool from a template, and prints the next steps. */
export async function runToolNew({ positionals, flags }: Arguments, world: World): Promise<void> {
  const { output, program } = world;
  const name = onlyArgument(positionals, "tool name: toolwright tool new NAME --lang LANGUAGE");
  const language = TOOL_LANGUAGES.find((one) => one === flags["lang"]);
  if (language === undefined)
    throw new ToolError("INVALID_INPUT", `missing language: --lang ${TOOL_LANGUAGES.join("|")}`);
  const { dir, user } = flags;
  if (dir !== undefined && user === true)
    throw new ToolError("INVALID_INPUT", "--dir and --user cannot be used together");
  await using assembly = await openTools(flags, world);
  const { engine, config } = assembly;
  if (engine.get(name)?.source === "built-in")
    throw new ToolError("INVALID_INPUT", `"${name}" is a built-in tool`, { hint: "choose another name" });
  const [root] = config.paths.workspace;
  const standard = user === true ? join(config.paths.home, "tools") : join(root, ".toolwright", "tools");
  const folder = typeof dir === "string" ? resolve(root, dir) : standard;
  if (dir === undefined) {
    const taken = await findTool(engine, name, world);
    refuseTaken(name, taken?.source, join(folder, `${name}.${LANGUAGES[language].extension}`));
  }
  const { changes } = stateFoldersOf(config.paths);
  const files = await writeNewTool(name, language, { folder, changes, mayReplace: flags["force"] === true });
  const isTrusted = folder === standard && user !== true && (await trustTool(files.tool, config));
  const shortPath = (path: string): string => {
    const inside = relative(root, path);
    return inside.startsWith("..") ? path : inside;
  };
  const [tool, test] = [shortPath(files.tool), shortPath(files.test)];
  await output.print(`wrote ${tool} and ${test}; ${files.needs}

  ${files.runsTest.replace(files.test, quoted(test))}
      run its test
  ${program} tool check ${quoted(tool)}
      check it against the contract of external tools
${trustLine(program, user === true || isTrusted, dir)}  ${program} call ${name} name=World
      call it
`);
}

/** Throws if another file or server has a tool with this name: only one of them would be listed. */
function refuseTaken(name: string, source: string | undefined, file: string): void {
  if (source === undefined || source === `external:${file}`) return;
  throw new ToolError("INVALID_INPUT", `the name "${name}" is taken by ${source}`, {
    hint: "choose another name, or remove that tool first",
  });
}

/** Trusts the file that was just written: the user asked for it. Returns false without a store on disk. */
async function trustTool(
  file: string,
  config: ConfigGroups<"paths" | "storage" | "fleet">,
): Promise<boolean> {
  if (config.paths.store === ":memory:") return false;
  const [root] = config.paths.workspace;
  const hash = hashOfFile(file, root);
  if (hash === undefined) return false;
  await using store = await openConfiguredStore(config);
  const trust = await loadTrust(store.collections, root);
  const text = readFileSync(file, "utf8");
  await trust.trust({ kind: "tool", name: basename(file), hash, detail: file, text });
  return true;
}

/** Returns the step that makes the tools of the folder available. */
function trustLine(program: string, isUser: boolean, dir: string | boolean | undefined): string {
  if (isUser) return "";
  if (dir !== undefined)
    return "  tools are loaded from ~/.toolwright/tools, .toolwright/tools and the toolDirectories setting\n";
  return `  ${program} trust\n      trust the tools of this folder, which are off until you do\n`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

interface Place {
  readonly folder: string;
  /** The folder of unfinished changes. */
  readonly changes: string;
  readonly mayReplace: boolean;
}

/**
 * Writes a working tool and, in a folder that is never searched for tools, its test. Writes neither if one of them exists
 * and may not be overwritten. Throws if the name is not valid for a tool. Returns the files, and the command that runs the test.
 */
async function writeNewTool(name: string, language: Language, { folder, changes, mayReplace }: Place) {
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
  try {
    // Never through a link, which a project could place there to have another file written.
    for (const { path } of files)
      if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path);
    await writeFiles(
      files.map(({ template, ...file }) => ({ ...file, text: textOf(template, name) })),
      changes,
    );
  } catch (error) {
    throw new ToolError("TOOL_FAILED", `cannot write ${folder}: ${errorMessage(error)}`, { cause: error });
  }
  const [{ path: tool }, { path: test }] = files;
  return { tool, test, runsTest: `${runs} ${test}`, needs };
}

function textOf(template: string, name: string): string {
  return readFileSync(packageFile(`templates/${template}`), "utf8").replaceAll(PLACEHOLDER, name);
}
