import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Rule, RuleExample } from "../../core/rule.ts";
import type { Tool } from "../../core/tool.ts";
import type { Commands } from "../../shell/command-knowledge.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { compileRule, listOf } from "../match/compile-rule.ts";
import { findCover } from "../protect/cover.ts";
import { likenessOf } from "../match/likeness.ts";
import type { Likeness } from "../match/match-command.ts";
import { canonicalHost } from "../match/match-host.ts";
import { toSubject } from "../match/subject.ts";

/** What examples are tried against. */
export interface ExampleSetting {
  readonly workspace: readonly string[];
  readonly home: string | undefined;
  /** Without it, examples of commands cannot be tried. */
  readonly commands: Commands | undefined;
}

/** Tries a rule's examples; gives one sentence for each that does not do what it says. */
export async function tryExamples(rule: Rule, setting: ExampleSetting): Promise<readonly string[]> {
  const { match = [], not_match: others = [] } = rule;
  if (match.length === 0 && others.length === 0) return [];
  const compiled = compileRule(rule, "example", "example", {
    ...setting,
    knowledge: setting.commands?.knowledge,
  });
  const likenesses = (examples: readonly RuleExample[]): Promise<readonly Likeness[]> =>
    Promise.all(examples.map(async (one) => tryOne(compiled, await toJob(one, rule, setting), setting)));
  const [matched, unmatched] = await Promise.all([likenesses(match), likenesses(others)]);
  return [
    ...match.flatMap((example, index) => missed(example, matched[index] ?? "none")),
    ...others.flatMap((example, index) => caught(example, unmatched[index] ?? "none")),
  ];
}

function missed(example: RuleExample, likeness: Likeness): readonly string[] {
  if (likeness === "certain") return [];
  const how = likeness === "none" ? "it does not match" : "it only perhaps matches";
  return [`${how} its example ${JSON.stringify(example)}`];
}

function caught(example: RuleExample, likeness: Likeness): readonly string[] {
  if (likeness === "none") return [];
  const how = likeness === "certain" ? "it matches" : "it perhaps matches";
  return [`${how} ${JSON.stringify(example)}, which it must not`];
}

function tryOne(rule: CompiledRule, job: Job, { commands, workspace }: ExampleSetting): Likeness {
  if (!rule.appliesTo(job.tool)) return "none";
  const knowledge = commands?.knowledge;
  const subject = toSubject(job, knowledge);
  if (rule.rule.decision !== "allow") return likenessOf(rule, subject);
  const measure = { knowledge, workspace, readingIsFree: false };
  return findCover([rule], subject, measure) === undefined ? "none" : "certain";
}

async function toJob(example: RuleExample, rule: Rule, setting: ExampleSetting): Promise<Job> {
  const isNamed = typeof example === "string" && isAboutTools(rule);
  const name = isNamed ? example : typeof example === "string" ? undefined : example.tool;
  const input: JsonObject = typeof example === "string" ? {} : example.input;
  const texts = typeof example === "string" ? [example] : textsIn(input);
  const facts = isNamed ? [] : await factsOf(texts, rule, setting);
  const tool = toolFor(rule, name);
  return { call: { id: "example", name: tool.name, input }, tool, input, hidden: {}, facts, risk: tool.risk };
}

/** A text is an example of what the rule is about: a command, a path, a host, else the name of a tool. */
function isAboutTools({ command, path, domain }: Rule): boolean {
  return command === undefined && path === undefined && domain === undefined;
}

async function factsOf(
  texts: readonly string[],
  rule: Rule,
  setting: ExampleSetting,
): Promise<readonly Fact[]> {
  if (rule.command !== undefined) return commandFacts(texts[0] ?? "", setting);
  const hosts =
    rule.domain === undefined ? [] : texts.map((text): Fact => ({ kind: "host", host: hostOf(text) }));
  if (rule.path === undefined) return hosts;
  const access = rule.access ?? "read";
  return [...hosts, ...texts.map((text): Fact => ({ kind: "path", path: resolve(text, setting), access }))];
}

async function commandFacts(text: string, setting: ExampleSetting): Promise<readonly Fact[]> {
  const cwd = setting.workspace[0] ?? "/";
  const command = { kind: "command", text, cwd } as const;
  const reading = await setting.commands?.read(command);
  if (reading === undefined) return [command];
  const paths = reading.paths.map((word): Fact => {
    const path = resolve(word.text, { ...setting, workspace: [word.cwd] });
    const fact = { kind: "path", path, access: word.access } as const;
    return word.suspected === undefined ? fact : { ...fact, suspected: word.suspected };
  });
  return [{ ...command, reading }, ...paths];
}

/** By its text alone: an example needs no disk. */
function resolve(text: string, { workspace: [cwd = "/"], home = "/" }: ExampleSetting): string {
  const isHome = text === "~" || text.startsWith("~/");
  const whole = isHome ? `${home}/${text.slice(1)}` : text.startsWith("/") ? text : `${cwd}/${text}`;
  const names: string[] = [];
  for (const name of whole.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

function hostOf(text: string): string {
  return canonicalHost(URL.canParse(text) ? new URL(text).hostname : text);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsIn(one));
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A tool that the rule's own conditions hold for, where the example names no other. */
function toolFor({ tool, source = "built-in", group }: Rule, name: string | undefined): Tool {
  const [first = "example"] = tool === undefined ? [] : listOf(tool);
  return {
    name: name ?? first.replaceAll("*", "x"),
    description: "",
    input: {},
    risk: "high",
    place: "host",
    source,
    effects: "unsafe",
    ...(group === undefined ? {} : { group }),
    run: () => undefined,
  };
}
