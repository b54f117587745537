import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import type { Trusted } from "../../host/store/apply-trust.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import { assemble } from "../../host/assemble.ts";
import type { Config, ConfigFlags } from "../../config/config.ts";
import type { Origin } from "../../config/layers.ts";
import { readConfiguredRules } from "../../host/policy.ts";
import { hasMcpServers } from "../../host/sources/open-mcp.ts";
import { openConfiguredStore, openPresentStore } from "../../host/store/open-configured-store.ts";
import { endOnSignals } from "../../terminal/input/interrupt.ts";
import { visible } from "../../../util/text/visible.ts";

/** One thing that was looked at. A note is nothing wrong, only something to know. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "broken";
  readonly says: string;
  /** How to change it. */
  readonly mend?: string;
}

export interface Checkup {
  readonly checks: readonly Check[];
  readonly origins: readonly Origin[];
}

const RIPGREP_MS = 5000;

/** Looks at everything that calls depend on. Never throws: what fails is a broken check. */
export async function runChecks(flags: ConfigFlags): Promise<Checkup> {
  const first = [checkVersion(), checkNode()];
  const trusted = await attempt("settings", () => loadTrustedConfig(flags));
  if ("state" in trusted) return { checks: [...first, trusted], origins: [] };
  const { config } = trusted;
  const checks = [
    ...first,
    checkSettings(config),
    ...config.warnings.map((says): Check => ({ name: "settings", state: "note", says })),
    ...checkTrust(trusted),
    ...(await checkRules(trusted)),
    checkWorkspace(config),
    await checkStore(config),
    ...(await checkTools(trusted)),
    await checkRipgrep(config),
    checkShell(),
  ];
  return { checks, origins: config.origins };
}

function checkVersion(): Check {
  const file = new URL("../../../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return { name: "toolwright", state: "ok", says: version };
}

function checkNode(): Check {
  return { name: "node", state: "ok", says: `${process.version} at ${process.execPath}` };
}

function checkSettings({ files }: Config): Check {
  const found = [files.user, files.project].filter((file) => existsSync(file));
  if (found.length > 0) return { name: "settings", state: "ok", says: found.join(", ") };
  return {
    name: "settings",
    state: "ok",
    says: "no config file, the defaults hold",
    mend: "toolwright init writes one",
  };
}

/** What the folder brings and nobody has trusted, by name. */
function checkTrust({ off, warnings }: Trusted): readonly Check[] {
  const names = off.map(({ kind, name }) => visible(`${kind}:${name}`)).join(", ");
  const mend = { mend: "toolwright trust lists them and asks" };
  return warnings.map((says) => ({
    name: "trust",
    state: "note",
    says: off.length > 0 ? `${visible(says)} (${names})` : visible(says),
    ...(off.length > 0 ? mend : {}),
  }));
}

/** Rule files that are refused, and rules that can never decide anything. */
async function checkRules({ config, trust }: Trusted): Promise<readonly Check[]> {
  const { layers, problems, notes } = await readConfiguredRules(config, trust);
  const count = layers.reduce((sum, { rules }) => sum + rules.length, 0);
  return [
    { name: "policy", state: "ok", says: `${count} rules in ${layers.length} layers, mode ${config.mode}` },
    ...problems.map((says): Check => ({
      name: "policy",
      state: "broken",
      says: visible(says),
      mend: MENDS_RULES,
    })),
    ...notes.map((says): Check => ({ name: "policy", state: "note", says: visible(says) })),
  ];
}

const MENDS_RULES = "toolwright policy check says the same after a change";

function checkWorkspace({ workspace }: Config): Check {
  const says = workspace.join(", ");
  try {
    accessSync(workspace[0], constants.W_OK);
    return { name: "workspace", state: "ok", says };
  } catch {
    return { name: "workspace", state: "note", says: `${says} (this user cannot write there)` };
  }
}

async function checkStore(config: Config): Promise<Check> {
  const opened = await attempt("store", async () => {
    const store = await openConfiguredStore(config);
    await store.journal.list({ limit: 1 });
    await store.close();
    return undefined;
  });
  if (opened !== undefined) return opened;
  if (config.store !== ":memory:")
    return { name: "store", state: "ok", says: `${config.store} can be written` };
  return {
    name: "store",
    state: "note",
    says: "in memory: nothing outlives a process",
    mend: "--store PATH keeps it",
  };
}

async function checkTools({ config, isTrusted }: Trusted): Promise<readonly Check[]> {
  const tools = await attempt("tools", async () => {
    const stopEnding = endOnSignals();
    // What the user has approved of servers, and who is logged in, is kept there; that it cannot be opened is told above.
    const store = hasMcpServers(config) ? await openPresentStore(config).catch(() => undefined) : undefined;
    const assembly = assemble(config, { isTrusted, ...(store !== undefined && { store }) });
    const { engine, warnings } = assembly;
    await engine.sources.settled();
    const [active, all] = [engine.list(), engine.list({ all: true })];
    const programs = all.filter(({ source }) => source.startsWith("external:")).length;
    const problems = await assembly.problems();
    const ofServers = all.filter(({ source }) => source.startsWith("mcp:")).length;
    const extensions = all.filter(({ source }) => source.startsWith("extension:")).length;
    const skills = (await assembly.skills.list()).skills.length;
    await assembly.close();
    stopEnding();
    const counts = `${active.length} active, ${all.length - active.length} switched off`;
    const says = [
      counts,
      `${programs} of them programs`,
      ...(ofServers > 0 ? [`${ofServers} of MCP servers`] : []),
      ...(extensions > 0 ? [`${extensions} of extensions`] : []),
      ...(skills > 0 ? [`${skills} skills`] : []),
      ...warnings,
    ].join("; ");
    const state = warnings.length > 0 ? "note" : "ok";
    return [{ name: "tools", state, says } satisfies Check, ...problems.map(toCheck)];
  });
  return "state" in tools ? [tools] : tools;
}

/** What a problem of a source is about. */
const SUBJECTS: Readonly<Record<string, string>> = {
  external: "program",
  extension: "extension",
  extensions: "extension",
  mcp: "MCP server",
  skills: "skill",
};

/** What cannot be used hurts nobody but whoever misses it. */
function toCheck({ source, subject, reason, message, hint }: SourceProblem): Check {
  const says = visible(`${subject}: ${message} (${reason})`).replaceAll("\n", " ");
  const [kind = ""] = source.split(":");
  return { name: SUBJECTS[kind] ?? kind, state: "note", says, ...(hint !== undefined && { mend: hint }) };
}

async function checkRipgrep({ workspace }: Config): Promise<Check> {
  return attempt("ripgrep", async () => {
    let first = "";
    await runRipgrep({
      args: ["--version"],
      cwd: workspace[0],
      signal: AbortSignal.timeout(RIPGREP_MS),
      onLine(line) {
        first ||= line;
        return true;
      },
    });
    if (first === "")
      return { name: "ripgrep", state: "broken", says: "it runs but does not say its version" };
    return { name: "ripgrep", state: "ok", says: first };
  });
}

function checkShell(): Check {
  if (existsSync("/bin/bash")) return { name: "bash", state: "ok", says: "/bin/bash" };
  return {
    name: "bash",
    state: existsSync("/bin/sh") ? "note" : "broken",
    says: "there is no /bin/bash, so `shell` runs commands in /bin/sh",
    mend: "install bash to have its syntax",
  };
}

/** What fails is told as a broken check, with its hint. */
async function attempt<T>(name: string, look: () => T | Promise<T>): Promise<T | Check> {
  try {
    return await look();
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    const mend = error instanceof ToolError ? error.hint : undefined;
    return { name, state: "broken", says, ...(mend === undefined ? {} : { mend }) };
  }
}
