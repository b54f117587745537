import { defined } from "../../../util/json/defined.ts";
import { loadConfig } from "../../config/config.ts";
import { personNamed, readPeople } from "../../host/people/named-person.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Risk } from "../../../core/spec.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import type { Engine, Explanation } from "../../../engine/types/engine.ts";
import { CONFIG_FLAGS, STORE_FLAG, type Command } from "../../terminal/input/command.ts";
import { exitCodeOf, printFault } from "../../terminal/print/print-result.ts";
import { openTools, findTool } from "../../terminal/open-terminal-host.ts";
import { choicesOf, onlyOnce } from "../../host/approvals/approval-question.ts";
import { describeRule } from "../../host/approvals/describe-rule.ts";
import type { ConfiguredRules } from "../../host/configured-policy.ts";
import { idOf } from "../../../policy/layers/rule-set.ts";
import { describeApprovers } from "../../../util/people/match-people.ts";
import { describeFacts, quoteWord } from "../../host/approvals/describe-fact.ts";
import { lastingLines, touchedText } from "../../host/approvals/question-text.ts";
import { misplacedFlagHint } from "../../terminal/input/read-input.ts";
import { checkArgs, readArgs, toCall } from "../../terminal/input/typed-call.ts";
import { visible } from "../../../util/text/visible.ts";
import { refuseSessionTool } from "./refuse-session-tool.ts";

export const explain: Command = {
  name: "explain",
  summary: "show what policy would decide about a call, and why, without running it",
  usage:
    "NAME [VALUE] [key=value …] [--args JSON | --args -] [--as USER] [--json]\n'COMMAND' [--as USER] [--json]",
  positionals: ["tool", "parameter"],
  flags: {
    args: { summary: "input as JSON, - for standard input; key=value arguments override it", value: "JSON" },
    as: { summary: "judge it as a call of this person of toolwright user", value: "USER" },
    json: { summary: 'print {"kind", "reason", "rule", "facts", "risk", "grant"}' },
    ...CONFIG_FLAGS,
    ...STORE_FLAG,
  },
  examples: {
    "explain 'rm -rf build'": "would the command run, need approval, or be denied?",
    "explain read_file path=/etc/passwd --json": "the decision as JSON",
    "explain write_file path=a.txt content=hi --as bob": "the decision on a call of a person",
    "explain write_file path=a.txt content=hi --mode plan": "the decision in another approval mode",
  },
  hintFor: (flag, args) => misplacedFlagHint("explain", flag, args),
  async run({ positionals, flags }, world) {
    const { output } = world;
    const [name, ...words] = toToolCall(positionals);
    if (name === undefined)
      throw new ToolError("INVALID_INPUT", "missing tool name: toolwright explain NAME key=value …", {
        hint: "a command is explained too: toolwright explain 'rm -rf build'",
      });
    const as = flags["as"];
    const subject =
      as === undefined
        ? undefined
        : personNamed(await readPeople(loadConfig(flags, world.environment())), String(as));
    const json = await readArgs(flags["args"], world);
    checkArgs(json);
    await using assembly = await openTools(flags, world, {
      readsSession: true,
      judges: true,
      startsMcpLate: true,
    });
    const { engine, session } = assembly;
    const namedTool = await findTool(engine, name, world);
    if (namedTool === undefined) await refuseSessionTool(name, assembly.skills);
    const isCommand = namedTool === undefined && isProgram(name, words, engine);
    if (namedTool === undefined && !isCommand) refuseWords(name, words, engine);
    const request = isCommand ? { name: "shell", words: [`command=${name}`] } : { name, words };
    const tool = isCommand ? engine.get("shell") : namedTool;
    const explanation = await engine.explain(toCall({ ...request, json }, tool), {
      session,
      ...defined({ subject }),
    });
    if (flags["json"] === true) await output.print(`${JSON.stringify(toObject(explanation))}\n`);
    const { fault } = explanation;
    if (fault !== undefined) {
      printFault(name, fault, output);
      return exitCodeOf(fault);
    }
    if (flags["json"] !== true) await output.print(page(explanation, assembly.rules));
    return undefined;
  },
};

/** Returns whether a single word is the name of a program: no tool has a name like it. */
function isProgram(name: string, words: readonly string[], engine: Engine): boolean {
  const tools = engine.list({ all: true }).map((one) => one.name);
  return words.length === 0 && /^[\w.+-]+$/.test(name) && nearNames(name, tools).length === 0;
}

/** Throws for a command that is not quoted; what may be a misspelt tool is left to the engine. */
function refuseWords(name: string, words: readonly string[], engine: Engine): void {
  if (words.length === 0 || !isProgram(name, [], engine)) return;
  throw new ToolError("INVALID_INPUT", `no tool is named ${JSON.stringify(name)}`, {
    hint: `quote the command: toolwright explain ${quoteWord([name, ...words].join(" "))}`,
  });
}

/** A name with spaces is not a tool but a command, which `shell` would run. */
function toToolCall(positionals: readonly string[]): readonly string[] {
  const [first = "", ...rest] = positionals;
  return /\s/.test(first) && rest.length === 0 ? ["shell", `command=${first}`] : positionals;
}

/** A call that fails before it is judged has no kind; `error` has the reason. */
function toObject({ verdict, facts, risk, fault }: Explanation): Readonly<Record<string, unknown>> {
  const {
    kind = null,
    reason,
    rule = null,
    grant = null,
    place,
    isConfined,
    ungrantable,
    offers,
    hint,
    approvers,
  } = { ...verdict };
  return {
    kind,
    reason: reason ?? fault?.message ?? null,
    rule,
    facts,
    risk: verdict?.risk ?? risk ?? null,
    grant,
    ...defined({ place, isConfined, ungrantable, offers, hint, approvers, error: fault }),
  };
}

function page({ verdict, facts, risk }: Explanation, rules: ConfiguredRules): string {
  const lines = [
    `${verdict?.kind}: ${visible(verdict?.reason ?? "")}`,
    ...(verdict?.hint === undefined ? [] : [`  ${visible(verdict.hint)}`]),
    `rule: ${ruleLine(verdict?.rule, rules)}`,
    ...(verdict?.approvers ?? []).map((one) => visible(`approved by: ${describeApprovers(one)}`)),
    `risk: ${riskLine(verdict?.risk, risk)}`,
    ...(verdict?.place === undefined ? [] : ["place: a read-only sandbox, because no rule allows it"]),
    ...(verdict?.isConfined === true ? ["place: the sandbox of the session, because of strictDeny"] : []),
    ...describeFacts(facts).map((touched) => `touches: ${touchedText(touched)}`),
    ...(verdict?.kind === "ask" ? lastingLines(choicesOf(verdict), onlyOnce(verdict)) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the id of a rule, and what it is about if it is written in a file. */
function ruleLine(deciding: string | undefined, { layers }: ConfiguredRules): string {
  const ids = layers.flatMap(({ name, rules }) =>
    rules.map((rule, index) => [idOf(rule, name, index), rule] as const),
  );
  const [, rule] = ids.find(([id]) => id === deciding) ?? [];
  return rule === undefined ? String(deciding) : `${deciding} (${describeRule(rule)})`;
}

function riskLine(judged: Risk | undefined, own: Risk | undefined): string {
  return judged === undefined ? String(own) : `${judged}: proven read-only (the tool is ${own} risk)`;
}
