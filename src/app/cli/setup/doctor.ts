import { CONFIG_FLAGS, STORE_FLAG, type Command } from "../../terminal/input/command.ts";
import type { Check } from "./doctor/check.ts";
import { runChecks } from "./doctor/run-checks.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { wrap } from "../../terminal/print/wrap.ts";
import { visible } from "../../../util/text/visible.ts";

const MARKS: Readonly<Record<Check["state"], string>> = { ok: "ok", note: "note", broken: "BROKEN" };

export const doctor: Command = {
  name: "doctor",
  summary: "check the installation",
  usage: "[--json] [--offline]",
  flags: {
    json: { summary: "print the checks and settings as JSON" },
    offline: { summary: "send no request to the model" },
    ...CONFIG_FLAGS,
    ...STORE_FLAG,
  },
  examples: {
    doctor: "run all checks; exit code 1 if something is broken",
    "doctor --json": "print the checks and settings as JSON",
  },
  async run({ positionals, flags }, { output, environment, columns }) {
    refuseArguments(positionals);
    const isJson = flags["json"] === true;
    const checks: Check[] = [];
    const origins = await runChecks(flags, environment, async (check) => {
      checks.push(check);
      if (!isJson) await output.print(lines(check, columns));
    });
    const isBroken = checks.some(({ state }) => state === "broken");
    await output.print(
      isJson
        ? `${JSON.stringify({ ok: !isBroken, checks, settings: origins })}\n`
        : "\ntoolwright config lists each setting and its origin\n",
    );
    return isBroken ? 1 : 0;
  },
};

const MARGIN = 8;

/** Returns a check and its fix, wrapped on a terminal. */
function lines({ state, name, message, fix }: Check, columns = Infinity): string {
  const wrapped = (text: string): readonly string[] => wrap(visible(text), columns - MARGIN);
  return [...wrapped(`${name}: ${message}`), ...(fix === undefined ? [] : wrapped(fix))]
    .map((line, index) => `${(index === 0 ? MARKS[state] : "").padEnd(MARGIN)}${line}\n`)
    .join("");
}
