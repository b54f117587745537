import type { SourceProblem } from "../../../../core/source.ts";
import { withTimeout } from "../../../../util/async/with-timeout.ts";
import { visible } from "../../../../util/text/visible.ts";
import type { Look } from "../../../host/host.ts";
import { endOnSignals } from "../../../terminal/input/interrupt.ts";
import { COUNTED_FOR, toolCounts } from "../../../terminal/print/tool-counts.ts";
import { attempt, check, type Check } from "./check.ts";

/** How long servers and programs may take to list their tools. */
const SOURCES_MS = 5000;

/** Counts the tools, and checks the sources that they come from. Closes the host. */
export async function checkTools(look: Look): Promise<readonly Check[]> {
  const { engine, warnings } = look;
  const stopEnding = endOnSignals();
  const tools = await attempt("tools", async () => {
    await withTimeout(engine.sources.settled(), SOURCES_MS, () => undefined);
    const late = engine.sources.loading();
    const [active, all] = [engine.list(), engine.list({ all: true })];
    const countOf = (kind: string): number => all.filter(({ source }) => source.startsWith(kind)).length;
    const [servers, extensions] = [countOf("mcp:"), countOf("extension:")];
    const problems = await look.problems();
    const skills = (await look.skills.list()).skills.length;
    const message = [
      `${toolCounts(all.length, active.length, COUNTED_FOR)}; an agent begins with fewer, has some of its own, and finds the others`,
      `${countOf("external:")} external`,
      ...(servers > 0 ? [`${servers} from MCP servers`] : []),
      ...(extensions > 0 ? [`${extensions} from extensions`] : []),
      ...(skills > 0 ? [`${skills} skills`] : []),
      ...warnings,
    ].join("; ");
    return [
      check(warnings.length > 0 ? "note" : "ok", "tools", message),
      ...problems.map(toCheck),
      ...late.map(toLate),
    ];
  });
  await look.close();
  stopEnding();
  return "state" in tools ? [tools] : tools;
}

/** The name of the check for a problem of a source. */
const SUBJECTS: Readonly<Record<string, string>> = {
  external: "program",
  extension: "extension",
  extensions: "extension",
  mcp: "MCP server",
  api: "HTTP API",
  skills: "skill",
};

/** The reasons for which a server as a whole cannot be used. */
const UNUSABLE: ReadonlySet<SourceProblem["reason"]> = new Set([
  "timeout",
  "unreachable",
  "unauthorized",
  "failed",
]);

/** A server that cannot be used is broken: the config names it. Other parts of a source are notes: everything else works. */
function toCheck({ source, subject, reason, message, hint }: SourceProblem): Check {
  const text = visible(`${subject}: ${message} (${reason})`).replaceAll("\n", " ");
  const isServer = source === `mcp:${subject}` && UNUSABLE.has(reason);
  return check(isServer ? "broken" : "note", subjectOf(source), text, hint);
}

/** Returns the check of a source that has not answered in time. */
function toLate(source: string): Check {
  const [kind, name = source] = splitOnce(source);
  const text = `${visible(name)}: did not answer within ${SOURCES_MS / 1000} s`;
  if (kind !== "mcp")
    return check("note", subjectOf(source), text, "toolwright tools --problems waits longer");
  return check("broken", subjectOf(source), text, `toolwright mcp test ${visible(name)} waits longer`);
}

function subjectOf(source: string): string {
  const [kind] = splitOnce(source);
  return SUBJECTS[kind] ?? kind;
}

function splitOnce(source: string): readonly [string, string?] {
  const at = source.indexOf(":");
  return at === -1 ? [source] : [source.slice(0, at), source.slice(at + 1)];
}
