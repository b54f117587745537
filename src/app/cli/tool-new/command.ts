import { readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { hashOfFile } from "../../../system/files/content-hash.ts";
import type { Config } from "../../config/config.ts";
import { loadTrust } from "../../config/files/trust.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { TOOL_LANGUAGES, writeNewTool } from "./write-tool.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { openTools } from "../../terminal/open-terminal-host.ts";

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
  const [root] = config.workspace;
  const standard = user === true ? join(config.home, "tools") : join(root, ".toolwright", "tools");
  const folder = typeof dir === "string" ? resolve(root, dir) : standard;
  const written = writeNewTool({ name, language, folder, mayReplace: flags["force"] === true });
  const isTrusted = folder === standard && user !== true && (await trustTool(written.tool, config));
  const shown = (path: string): string => {
    const inside = relative(root, path);
    return inside.startsWith("..") ? path : inside;
  };
  const [tool, test] = [shown(written.tool), shown(written.test)];
  await output.print(`wrote ${tool} and ${test}; ${written.needs}

  ${written.runsTest.replace(written.test, quoted(test))}
      run its test
  ${program} tool check ${quoted(tool)}
      check it against the contract of external tools
${trustLine(program, user === true || isTrusted, dir)}  ${program} call ${name} name=World
      call it
`);
}

/** Trusts the file that was just written: the user asked for it. Returns false without a store on disk. */
async function trustTool(file: string, config: Config): Promise<boolean> {
  if (config.store === ":memory:") return false;
  const [root] = config.workspace;
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
