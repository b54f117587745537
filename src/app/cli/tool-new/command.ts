import { join, relative, resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { TOOL_LANGUAGES, writeNewTool } from "./write-tool.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { openTools } from "../../terminal/open-terminal-host.ts";

/** Writes a tool to begin with, and says what comes next. */
export async function runToolNew({ positionals, flags }: Arguments, world: World): Promise<number> {
  const { output, program } = world;
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) {
    throw new ToolError("INVALID_INPUT", "name one tool: toolwright tool new NAME --lang LANGUAGE");
  }
  const language = TOOL_LANGUAGES.find((one) => one === flags["lang"]);
  if (language === undefined) {
    throw new ToolError("INVALID_INPUT", `say in which language: --lang ${TOOL_LANGUAGES.join("|")}`);
  }
  const { dir, user } = flags;
  if (dir !== undefined && user === true) {
    throw new ToolError("INVALID_INPUT", "--dir and --user name two folders; give one of them");
  }
  const { engine, config } = await openTools(flags, output);
  if (engine.get(name)?.source === "built-in") {
    throw new ToolError("INVALID_INPUT", `"${name}" is a built-in tool`, { hint: "choose another name" });
  }
  const [root] = config.workspace;
  const usual = user === true ? join(config.home, "tools") : join(root, ".toolwright", "tools");
  const folder = typeof dir === "string" ? resolve(root, dir) : usual;
  const written = writeNewTool({ name, language, folder, mayReplace: flags["force"] === true });
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
${trustLine(program, user === true, dir)}  ${program} call ${name} name=World
      call it
`);
  return 0;
}

/** What a folder needs before its tools are found. */
function trustLine(program: string, isUser: boolean, dir: string | boolean | undefined): string {
  if (isUser) return "";
  if (dir !== undefined)
    return "  tools are looked for in ~/.toolwright/tools, .toolwright/tools and the folders of your config\n";
  return `  ${program} trust\n      let the tools of this folder be used: a project's are not until you say so\n`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
