import type { Command } from "../../terminal/input/command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "../../terminal/input/command.ts";
import type { Check } from "./checks.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { refuseArguments } from "../../terminal/input/refuse-arguments.ts";
import { visible } from "../../../util/text/visible.ts";
import { runChecks } from "./checks.ts";

const MARKS: Readonly<Record<Check["state"], string>> = { ok: "ok", note: "note", broken: "BROKEN" };

export const doctor: Command = {
  name: "doctor",
  summary: "say what works here, what is set and where it was set",
  usage: "[--json]",
  positionals: [],
  flags: { json: { summary: "print the checks and settings as JSON" }, ...CONFIG_FLAGS, ...STORE_FLAG },
  examples: [
    { line: "doctor", does: "exit code 1 if something is broken" },
    { line: "doctor --json", does: "the same for a program" },
  ],
  async run({ positionals, flags }, { output }) {
    refuseArguments(positionals);
    const { checks, origins } = await runChecks(flags);
    const isBroken = checks.some((check) => check.state === "broken");
    if (flags["json"] === true) {
      await output.print(`${JSON.stringify({ ok: !isBroken, checks, settings: origins })}\n`);
      return isBroken ? 1 : 0;
    }
    const settings = origins.map(({ key, value, from }) => [`  ${key}`, JSON.stringify(value) ?? "-", from]);
    await output.print(visible(`${checks.map(lines).join("")}\nSettings:\n${alignRows(settings)}`));
    return isBroken ? 1 : 0;
  },
};

function lines({ state, name, says, mend }: Check): string {
  const hint = mend === undefined ? "" : `${" ".repeat(8)}${mend}\n`;
  return `${MARKS[state].padEnd(8)}${name}: ${says}\n${hint}`;
}
