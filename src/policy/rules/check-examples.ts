import { resolve } from "node:path";
import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Rule, RuleExample } from "../../core/rule.ts";
import type { Tool } from "../../core/tool.ts";
import type { Commands } from "../../shell/syntax/command-knowledge.ts";
import { CompiledRule } from "../match/compile-rule.ts";
import { listOf } from "../match/list-of.ts";
import { findAllowingRule } from "../protect/find-allowing-rule.ts";
import { matchRule } from "../match/match-rule.ts";
import type { Match } from "../match/match-command.ts";
import { canonicalHost } from "../../util/text/host/host.ts";
import { toSubject } from "../match/subject.ts";
import { defined } from "../../util/json/defined.ts";

/** What examples are checked with. */
export interface ExampleContext {
  readonly workspace: readonly string[];
  readonly home: string | undefined;
  /** Without it, command examples cannot be checked. */
  readonly commands: Commands | undefined;
}

/** Checks the examples of a rule. Returns one sentence for each that fails. */
export async function checkExamples(rule: Rule, context: ExampleContext): Promise<readonly string[]> {
  const { match = [], not_match: others = [] } = rule;
  if (match.length === 0 && others.length === 0) return [];
  const compiled = new CompiledRule(rule, "example", "example", {
    ...context,
    knowledge: context.commands?.knowledge,
  });
  const matchesOf = (examples: readonly RuleExample[]): Promise<readonly Match[]> =>
    Promise.all(
      examples.map(async (one) => matchExample(compiled, await toJob(one, rule, context), context)),
    );
  const [matched, unmatched] = await Promise.all([matchesOf(match), matchesOf(others)]);
  return [
    ...match.flatMap((example, index) => missed(example, matched[index] ?? "none")),
    ...others.flatMap((example, index) => caught(example, unmatched[index] ?? "none")),
  ];
}

function missed(example: RuleExample, match: Match): readonly string[] {
  if (match === "certain") return [];
  const how = match === "none" ? "it does not match" : "it only possibly matches";
  return [`${how} its example ${JSON.stringify(example)}`];
}

function caught(example: RuleExample, match: Match): readonly string[] {
  if (match === "none") return [];
  const how = match === "certain" ? "it matches" : "it possibly matches";
  return [`${how} ${JSON.stringify(example)}, which is listed in not_match`];
}

function matchExample(rule: CompiledRule, job: Job, { commands, workspace }: ExampleContext): Match {
  if (!rule.appliesTo(job.tool)) return "none";
  const knowledge = commands?.knowledge;
  const subject = toSubject(job, knowledge);
  if (rule.decision !== "allow") return matchRule(rule, subject);
  const context = { knowledge, workspace, readingIsFree: false };
  return findAllowingRule([rule], subject, context) === undefined ? "none" : "certain";
}

async function toJob(example: RuleExample, rule: Rule, context: ExampleContext): Promise<Job> {
  const isNamed = typeof example === "string" && isAboutTools(rule);
  const name = isNamed ? example : typeof example === "string" ? undefined : example.tool;
  const input: JsonObject = typeof example === "string" ? {} : example.input;
  const texts = typeof example === "string" ? [example] : textsIn(input);
  const facts = isNamed ? [] : await factsOf(texts, rule, context);
  const tool = toolFor(rule, name);
  return { call: { id: "example", name: tool.name, input }, tool, input, hidden: {}, facts, risk: tool.risk };
}

/** A string example is a command, a path, a host or else a tool name, depending on the conditions of the rule. */
function isAboutTools({ command, path, domain }: Rule): boolean {
  return command === undefined && path === undefined && domain === undefined;
}

async function factsOf(
  texts: readonly string[],
  rule: Rule,
  context: ExampleContext,
): Promise<readonly Fact[]> {
  if (rule.command !== undefined) return commandFacts(texts[0] ?? "", context);
  const hosts =
    rule.domain === undefined ? [] : texts.map((text): Fact => ({ kind: "host", host: hostOf(text) }));
  if (rule.path === undefined) return hosts;
  const access = rule.access ?? "read";
  return [...hosts, ...texts.map((text): Fact => ({ kind: "path", path: pathOf(text, context), access }))];
}

async function commandFacts(text: string, context: ExampleContext): Promise<readonly Fact[]> {
  const cwd = context.workspace[0] ?? "/";
  const command = { kind: "command", text, cwd } as const;
  const reading = await context.commands?.read(command);
  if (reading === undefined) return [command];
  const paths = reading.paths.map((word): Fact => {
    const path = pathOf(word.text, { ...context, workspace: [word.cwd] });
    const fact = { kind: "path", path, access: word.access } as const;
    return word.suspected === undefined ? fact : { ...fact, suspected: word.suspected };
  });
  return [{ ...command, reading }, ...paths];
}

/** Resolves a path lexically, without reading the disk. */
function pathOf(text: string, { workspace: [cwd = "/"], home = "/" }: ExampleContext): string {
  const isHome = text === "~" || text.startsWith("~/");
  return resolve(cwd, isHome ? `${home}/${text.slice(1)}` : text);
}

function hostOf(text: string): string {
  return canonicalHost(URL.canParse(text) ? new URL(text).hostname : text);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsIn(one));
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns a tool that the conditions of the rule match, unless the example names another. */
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
    ...defined({ group }),
    run: () => undefined,
  };
}
