import { packageVersion } from "../../../system/package-files.ts";
import { accessSync, constants, existsSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import type { Trusted } from "../../host/store/apply-trust.ts";
import type { Config, ConfigFlags } from "../../config/config.ts";
import { loadConfig } from "../../config/config.ts";
import type { Origin } from "../../config/layers.ts";
import type { Look } from "../../host/open-host.ts";
import { openHost } from "../../host/open-host.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { endOnSignals } from "../../terminal/input/interrupt.ts";
import { visible } from "../../../util/text/visible.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

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

/** Checks everything that calls depend on. Never throws: a failure is a broken check. */
export async function runChecks(flags: ConfigFlags): Promise<Checkup> {
  const first = [checkVersion(), checkNode()];
  const read = await attempt("settings", () => loadConfig(flags));
  if ("state" in read) return { checks: [...first, read], origins: [] };
  const store = await checkStore(read);
  const host = await attempt("tools", () => openLook(flags, read, store));
  const config = "state" in host ? read : host.config;
  const checks = [
    ...first,
    checkSettings(config),
    ...config.warnings.map((says): Check => ({ name: "settings", state: "note", says })),
    ...("state" in host ? [] : [...checkTrust(host.trusted), ...checkRules(host)]),
    checkWorkspace(config),
    store,
    ...("state" in host ? [host] : await checkTools(host)),
    await checkRipgrep(config),
    checkShell(),
  ];
  return { checks, origins: config.origins };
}

/** Opens the tools to look at; a store that is broken is left out, as it has a check of its own. */
function openLook(flags: ConfigFlags, config: Config, store: Check): Promise<Look> {
  const isBroken = store.state === "broken";
  const readable = isBroken ? { ...config, store: ":memory:" } : config;
  return openHost({ flags, config: readable, need: "look", warn: () => undefined });
}

function checkVersion(): Check {
  return { name: "toolwright", state: "ok", says: packageVersion() };
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

/** Checks the rule files: which are refused, and which rules can never decide anything. */
function checkRules({ config, rules: { layers, problems, notes } }: Look): readonly Check[] {
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

async function checkTools(look: Look): Promise<readonly Check[]> {
  const { engine, warnings } = look;
  const tools = await attempt("tools", async () => {
    const stopEnding = endOnSignals();
    await engine.sources.settled();
    const [active, all] = [engine.list(), engine.list({ all: true })];
    const countOf = (kind: string): number => all.filter(({ source }) => source.startsWith(kind)).length;
    const [servers, extensions] = [countOf("mcp:"), countOf("extension:")];
    const problems = await look.problems();
    const skills = (await look.skills.list()).skills.length;
    stopEnding();
    const says = [
      `${active.length} active, ${all.length - active.length} switched off`,
      `${countOf("external:")} of them programs`,
      ...(servers > 0 ? [`${servers} of MCP servers`] : []),
      ...(extensions > 0 ? [`${extensions} of extensions`] : []),
      ...(skills > 0 ? [`${skills} skills`] : []),
      ...warnings,
    ].join("; ");
    const state = warnings.length > 0 ? "note" : "ok";
    return [{ name: "tools", state, says } satisfies Check, ...problems.map(toCheck)];
  });
  await look.close();
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
    const says = errorMessage(error);
    const mend = error instanceof ToolError ? error.hint : undefined;
    return { name, state: "broken", says, ...(mend === undefined ? {} : { mend }) };
  }
}
