import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import { loadConfig } from "../../config/config.ts";
import { parseObjectFlag } from "../../terminal/input/read-input.ts";
import { checkTool } from "./check-tool.ts";
import type { Finding } from "./finding.ts";
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
    const findings = await checkTool({
      path: resolve(config.paths.workspace[0], path),
      cwd: config.paths.workspace[0],
      environment: childEnvironment(config.environment.variables, config.environment.names),
      signal: interrupt.signal,
      ...defined({ args }),
    });
    const report = flags["json"] === true ? jsonReport(path, findings) : textReport(path, findings);
    await world.output.print(report);
    return count(findings, "fail") > 0 ? 1 : 0;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ToolError("CANCELLED", "the check was cancelled", { cause: error });
  }
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
