import type { Fact } from "../../core/fact.ts";
import type { Fault } from "../../core/result.ts";
import { RISKS, type Risk } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { describeValue, ignoreRejection } from "../../util/json/describe-value.ts";

/** Returns the fault of a risk that is none, or higher than that of the tool, which is what people and models are shown. */
export function riskFault(tool: Tool, risk: unknown): Fault | undefined {
  const level = RISKS.indexOf(risk as Risk);
  if (level >= 0 && level <= RISKS.indexOf(tool.risk)) return undefined;
  ignoreRejection(risk);
  const returned = `riskOf returned ${describeValue(risk)}`;
  if (level < 0) return declaredWrongly(tool, returned, `it must return ${RISKS.join(", ")}`);
  return declaredWrongly(
    tool,
    `${returned}, and its own risk is only ${tool.risk}`,
    `declare risk: ${describeValue(risk)}`,
  );
}

/** Returns the fault of facts that policy cannot judge: an unknown fact, or a wrong member of one, would restrict nothing. */
export function factsFault(tool: Tool, facts: unknown): Fault | undefined {
  if (!Array.isArray(facts))
    return declaredWrongly(tool, `facts returned ${describeValue(facts)}`, "it must return a list of facts");
  for (const [index, fact] of facts.entries()) {
    const problem = factProblem(fact, FROM_TOOLS);
    if (problem !== undefined)
      return declaredWrongly(tool, `facts[${index}]: ${problem}`, "return what the type Fact has");
  }
  return undefined;
}

/** Returns the fault of checks that are no list of problems: a problem in another form would refuse nothing. */
export function problemsFault(tool: Tool, problems: unknown): Fault | undefined {
  if (problems === undefined || Array.isArray(problems)) return undefined;
  return declaredWrongly(
    tool,
    `check returned ${describeValue(problems)}`,
    "it must return a list of problems",
  );
}

/** Returns true for a fact about a path, as a resolver of paths must return it. */
export function isPathFact(fact: unknown): boolean {
  return factProblem(fact, { path: FROM_TOOLS.path }) === undefined;
}

function declaredWrongly({ name }: Tool, problem: string, hint: string): Fault {
  return { code: "INVALID_OUTPUT", message: `"${name}" did not run: its ${problem}`, hint };
}

interface Member {
  readonly isRequired?: true;
  readonly isValid: (value: unknown) => boolean;
}

const TEXT: Member = { isRequired: true, isValid: (value) => typeof value === "string" && value !== "" };
const ANY_TEXT: Member = { isRequired: true, isValid: (value) => typeof value === "string" };
const PATH: Member = {
  isRequired: true,
  isValid: (value) => typeof value === "string" && value.startsWith("/"),
};
const NUMBER: Member = { isValid: (value) => typeof value === "number" };
const FLAG: Member = { isValid: (value) => value === true };

type Members<Kind extends Fact["kind"]> = Readonly<Record<Exclude<keyof FactOf<Kind>, "kind">, Member>>;
type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { readonly kind: Kind }>;
/** Members that policy and the engine set: a tool must not declare its own command as proven. */
type SetLater = "place" | "isConfined" | "isGuarded" | "reading" | "argv";

const FROM_TOOLS: {
  readonly [Kind in Fact["kind"]]: Omit<Members<Kind>, SetLater>;
} = {
  path: {
    path: PATH,
    access: { isRequired: true, isValid: (value) => value === "read" || value === "write" },
    device: NUMBER,
    inode: NUMBER,
    size: NUMBER,
    modifiedMs: NUMBER,
    unread: FLAG,
    change: { isValid: (value) => value === "delete" },
    suspected: FLAG,
    isSystem: FLAG,
    names: { isValid: (value) => Array.isArray(value) && value.every((name) => PATH.isValid(name)) },
  },
  command: { text: ANY_TEXT, cwd: PATH, interactive: FLAG, outside: FLAG },
  host: { host: TEXT },
  mcp: { server: TEXT, tool: TEXT },
};

/** Names the first thing that is wrong with a fact. */
function factProblem(
  fact: unknown,
  kinds: Readonly<Record<string, Readonly<Record<string, Member>>>>,
): string | undefined {
  if (typeof fact !== "object" || fact === null) return `expected a fact, got ${describeValue(fact)}`;
  const fields = fact as Readonly<Record<string, unknown>>;
  const { kind } = fields;
  const members = typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (members === undefined) return `unknown kind ${describeValue(kind)}`;
  for (const name of Object.keys(fields))
    if (name !== "kind" && !Object.hasOwn(members, name)) return `unknown member "${name}"`;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const value = fields[name];
    if (value === undefined ? member?.isRequired === true : member?.isValid(value) !== true)
      return `its ${name} is ${describeValue(value)}`;
  }
  return undefined;
}
