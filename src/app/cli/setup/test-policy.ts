import { resolve } from "node:path";
import type { Engine, Explanation } from "../../../engine/types/engine.ts";
import { defined } from "../../../util/json/defined.ts";
import { visible } from "../../../util/text/visible.ts";
import { loadConfig, type ConfigFlags } from "../../config/config.ts";
import { personNamed, readPeople } from "../../host/people/named-person.ts";
import type { Person } from "../../host/people/person.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { readPolicyCases, type PolicyCase } from "./policy-cases.ts";

/** A case whose verdict is not the expected one. */
interface Difference extends PolicyCase {
  /** `allow`, `ask`, `deny`, or the code of the error that stops the call before it is judged. */
  readonly got: string;
  readonly reason: string;
  readonly rule: string | null;
}

/** Judges calls and runs none. */
interface Judge extends AsyncDisposable {
  readonly engine: Pick<Engine, "get" | "explain" | "sources">;
  readonly session: string;
}

interface Judging {
  readonly world: World;
  /** Opens what judges calls with these flags. */
  readonly open: (flags: ConfigFlags) => Promise<Judge>;
}

/** Waits for the sources that may have a tool. */
async function awaitTool({ engine }: Pick<Judge, "engine">, name: string): Promise<void> {
  if (engine.get(name) === undefined) await engine.sources.settled(name);
}

/** Judges the calls of a file and prints those with another verdict than expected. Returns the exit code. */
export async function testPolicy(
  file: string,
  { flags }: Arguments,
  { world, open }: Judging,
): Promise<number> {
  const config = loadConfig(flags, world.environment());
  const cases = await readPolicyCases(resolve(config.paths.workspace[0], file));
  const people = await readPeople(config);
  const differences: Difference[] = [];
  for (const mode of new Set(cases.map((one) => one.mode))) {
    await using look = await open({ ...flags, ...defined({ mode }) });
    for (const one of cases) {
      if (one.mode !== mode) continue;
      const tool = one.tool ?? "shell";
      await awaitTool(look, tool);
      const input = one.command === undefined ? (one.input ?? {}) : { command: one.command };
      const explanation = await look.engine.explain(
        { id: one.place, name: tool, input },
        { session: look.session, ...subjectOf(one, people) },
      );
      const result = resultOf(explanation);
      if (result.got !== one.expect) differences.push({ ...one, ...result });
    }
  }
  const sorted = cases.flatMap(({ place }) => differences.filter((one) => one.place === place));
  const report = flags["json"] === true ? toJson : describe;
  await world.output.print(report(cases.length, sorted));
  return sorted.length === 0 ? 0 : 2;
}

function subjectOf({ as }: PolicyCase, people: readonly Person[]) {
  if (as === undefined) return {};
  return { subject: typeof as === "string" ? personNamed(people, as) : defined(as) };
}

function resultOf({ verdict, fault }: Explanation): Pick<Difference, "got" | "reason" | "rule"> {
  if (verdict !== undefined) return { got: verdict.kind, reason: verdict.reason, rule: verdict.rule };
  return { got: fault?.code ?? "", reason: fault?.message ?? "", rule: null };
}

function toJson(cases: number, differences: readonly Difference[]): string {
  return `${JSON.stringify({ ok: differences.length === 0, cases, differences })}\n`;
}

function describe(cases: number, differences: readonly Difference[]): string {
  const rows = differences.map(({ place, tool, command, as, expect, got, reason, rule }) => [
    place,
    visible(tool ?? command ?? ""),
    as === undefined ? "" : visible(`as ${typeof as === "string" ? as : as.id}`),
    `expected ${expect}`,
    `got ${got}`,
    visible(rule === null ? reason : `${reason} (${rule})`),
  ]);
  return `${alignRows(rows)}${cases - differences.length} of ${cases} as expected\n`;
}
