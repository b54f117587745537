import { dirname, resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import { loadConfig } from "../../config/config.ts";
import { parseObjectFlag } from "../../terminal/input/read-input.ts";
import { checkTool, type CheckedTool } from "./check-tool.ts";
import { fail, type Finding } from "./finding.ts";
import { findTool, openTools } from "../../terminal/open-terminal-host.ts";
import { projectFolder, userFolder } from "../../config/folders.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { visible } from "../../../util/text/visible.ts";
import { defined } from "../../../util/json/defined.ts";

const STATES = { pass: "pass", fail: "FAIL", skipped: "skipped" } as const;

/** Checks a program against the contract of external tools and prints a report. Returns 1 if a check failed. */
export async function runToolCheck({ positionals, flags }: Arguments, world: World): Promise<number> {
  const path = onlyArgument(positionals, "program path: toolwright tool check PATH");
  const args = flags["args"] === undefined ? undefined : parseObjectFlag(flags, "args");
  const config = loadConfig(flags, world.environment());
  using interrupt = world.interrupt();
  try {
    const file = resolve(config.paths.workspace[0], path);
    const checked = await checkTool({
      path: file,
      cwd: config.paths.workspace[0],
      environment: childEnvironment(config.environment.variables, config.environment.names),
      signal: interrupt.signal,
      ...defined({ args }),
    });
    const taken = await checkPlace(file, checked, { config, flags, world });
    const findings = [...checked.findings, ...taken];
    const report = flags["json"] === true ? jsonReport(path, findings) : textReport(path, findings);
    await world.output.print(report);
    return count(findings, "fail") > 0 ? 1 : 0;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ToolError("CANCELLED", "the check was cancelled", { cause: error });
  }
}

interface Place {
  readonly config: ConfigGroups<"paths" | "tools">;
  readonly flags: Arguments["flags"];
  readonly world: World;
}

/** Returns a fault if a program in a folder of tools has the name of another tool, so that only one of them is listed. */
async function checkPlace(
  file: string,
  { name }: CheckedTool,
  { config, flags, world }: Place,
): Promise<readonly Finding[]> {
  const { paths, tools } = config;
  const folders = [userFolder(paths, "tools"), projectFolder(paths, "tools"), ...tools.directories];
  if (name === undefined || !folders.includes(dirname(file))) return [];
  await using look = await openTools(flags, world);
  const other = await findTool(look.engine, name, world);
  if (other === undefined || other.source === `external:${file}`) return [];
  const fix = "choose another name, or remove that tool";
  return [fail("name", `the name "${name}" is taken by ${other.source}, so it is not listed`, fix)];
}

function jsonReport(path: string, checks: readonly Finding[]): string {
  const ok = count(checks, "fail") === 0;
  return `${JSON.stringify({ path, ok, checks })}\n`;
}

function textReport(path: string, findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ check, state, message, fix }) => [
    [STATES[state], check, visible(message)],
    ...(fix === undefined ? [] : [["", "", `fix: ${visible(fix)}`]]),
  ]);
  const counts = `${count(findings, "pass")} passed, ${count(findings, "fail")} failed, ${count(findings, "skipped")} skipped`;
  return `${visible(path)}\n\n${alignRows(rows)}\n${counts}\n`;
}

function count(findings: readonly Finding[], state: Finding["state"]): number {
  return findings.filter((finding) => finding.state === state).length;
}
