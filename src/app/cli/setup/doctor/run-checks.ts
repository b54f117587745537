import { COUNTED_FOR, toolCounts } from "../../terminal/print/tool-counts.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { accessSync, constants, existsSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { BOX_KINDS, type BoxName, OWN_BOX, probeBox, probeBoxes } from "../../../system/box/box.ts";
import { describeProtection } from "../../../system/box/describe-box.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import type { Trusted, UntrustedConfig } from "../../host/store/apply-trust.ts";
import { loadConfig, type ConfigFlags } from "../../config/config.ts";
import type {
  Config,
  ConfigGroups,
  PathSettings,
  PolicySettings,
  SandboxSettings,
} from "../../config/groups.ts";
import type { Environment } from "../../config/environment.ts";
import type { Look } from "../../host/host.ts";
import { openHost } from "../../host/open-host.ts";
import { strongestFirst } from "../../host/sandbox/sandbox.ts";
import { strictSandbox } from "../../host/sandbox/strict-deny.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { endOnSignals } from "../../terminal/input/interrupt.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { visible } from "../../../util/text/visible.ts";
import { attempt, check, type Check } from "./check.ts";
import { checkModel } from "./check-model.ts";
import { counted } from "../../../util/text/words.ts";

const RIPGREP_MS = 5000;
/** How long servers and programs may take to list their tools. */
const SOURCES_MS = 5000;

/**
 * Checks everything that calls depend on, calls `report` with each result as soon as it is known, and returns the settings. A failure is
 * a broken check; rejects only if `report` does.
 */
export async function runChecks(
  flags: ConfigFlags,
  environment: () => Environment,
  report: (check: Check) => Promise<void>,
): Promise<Config["report"]["origins"]> {
  const reportAll = async (checks: readonly Check[]): Promise<void> => {
    for (const check of checks) await report(check);
  };
  await report(check("ok", "toolwright", packageVersion()));
  await report(check("ok", "node", `${process.version} at ${process.execPath}`));
  const read = await attempt("settings", () => loadConfig(flags, environment()));
  if ("state" in read) {
    await report(read);
    return [];
  }
  const store = await checkStore(read);
  const host = await attempt("tools", () => openLook({ flags, config: read }, store));
  const config = "state" in host ? read : host.config;
  await report(checkSettings(config.paths));
  await reportAll(config.report.warnings.map((message) => check("note", "settings", message)));
  if (!("state" in host)) await reportAll([...checkTrust(host.trusted), ...checkRules(host)]);
  await report(checkWorkspace(config.paths));
  await report(store);
  await report(await checkModel(config, flags["offline"] === true));
  await reportAll("state" in host ? [host] : await checkTools(host));
  await report(await checkRipgrep(config.paths));
  await report(checkShell());
  await report(await checkSandbox(config.policy));
  await reportAll(await checkKinds(config.sandbox));
  await reportAll(await checkStrictDeny(config));
  await report(await checkBrowser(config));
  return config.report.origins;
}

/** Opens the tools without a broken store, which has a check of its own. */
function openLook({ flags, config }: UntrustedConfig, store: Check): Promise<Look> {
  const isBroken = store.state === "broken";
  const readable = isBroken ? { ...config, paths: { ...config.paths, store: ":memory:" } } : config;
  return openHost({ flags, config: readable, need: "look", warn: () => undefined });
}

function checkSettings({ files }: PathSettings): Check {
  const existingFiles = [files.user, files.project].filter((file) => existsSync(file));
  if (existingFiles.length > 0) return check("ok", "settings", existingFiles.join(", "));
  return check("ok", "settings", "no config file; defaults apply", "toolwright init writes one");
}

/** Lists the items of the folder that are not trusted. */
function checkTrust({ off, warnings }: Trusted): readonly Check[] {
  const hint = off.length === 0 ? undefined : "toolwright trust lists them with their text, and trusts them";
  return warnings.map((message) => check("note", "trust", visible(message), hint));
}

/** Checks the rule files: which are refused, and which rules can never decide anything. */
function checkRules({ config, rules: { layers, problems, notes } }: Look): readonly Check[] {
  const count = layers.reduce((sum, { rules }) => sum + rules.length, 0);
  const where = counted(layers.length, "layer");
  const fix = "run toolwright policy check after a change";
  return [
    check("ok", "policy", `${count} rules in ${where}, mode ${config.policy.mode}`),
    ...problems.map((message) => check("broken", "policy", visible(message), fix)),
    ...notes.map((message) => check("note", "policy", visible(message))),
  ];
}

function checkWorkspace({ workspace }: PathSettings): Check {
  const message = workspace.join(", ");
  try {
    accessSync(workspace[0], constants.W_OK);
    return check("ok", "workspace", message);
  } catch {
    return check("note", "workspace", `${message} (not writable for this user)`);
  }
}

async function checkStore(config: ConfigGroups<"paths" | "storage" | "fleet">): Promise<Check> {
  const opened = await attempt("store", async () => {
    await using store = await openConfiguredStore(config);
    await store.journal.list({ limit: 1 });
    return undefined;
  });
  if (opened !== undefined) return opened;
  if (config.storage.isShared)
    return check("ok", "store", `nats at ${config.fleet.servers?.join(", ")} is writable`);
  if (config.paths.store !== ":memory:") return check("ok", "store", `${config.paths.store} is writable`);
  return check("note", "store", "in memory: nothing is stored on disk", "use --store PATH to store it");
}

async function checkTools(look: Look): Promise<readonly Check[]> {
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

async function checkRipgrep({ workspace }: PathSettings): Promise<Check> {
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
    if (first === "") return check("broken", "ripgrep", "it runs but prints no version");
    return check("ok", "ripgrep", first);
  });
}

function checkShell(): Check {
  if (existsSync("/bin/bash")) return check("ok", "bash", "/bin/bash");
  const state = existsSync("/bin/sh") ? "note" : "broken";
  const message = "no /bin/bash: `shell` runs commands in /bin/sh";
  return check(state, "bash", message, "install bash to use its syntax");
}

/** Says which commands run without approval: those proven to read, in a sandbox, or only basic ones. */
async function checkSandbox({ shell }: PolicySettings): Promise<Check> {
  const onlyBasic = "only basic commands run without approval";
  const fix = 'remove "sandbox": false from "shell" in the config';
  if (!shell.sandbox) return check("note", "sandbox", `switched off: ${onlyBasic}`, fix);
  const probe = await probeBoxes();
  if (!probe.works) return check("note", "sandbox", `${probe.reason}: ${onlyBasic}`, probe.hint);
  const reads = "commands that are proven to read run in it without approval";
  return check("ok", "sandbox", `${OWN_BOX}, ${probe.program}: ${reads}; ${describeProtection(probe)}`);
}

/** Says which kinds of sandboxes for whole sessions work. One that does not is broken only if the config names it. */
async function checkKinds({ kind: wanted }: SandboxSettings): Promise<readonly Check[]> {
  return Promise.all(
    BOX_KINDS.map(async (kind) => {
      const name = `sandbox ${kind}`;
      const probe = await probeBox(kind);
      if (!probe.works) return check(wanted === kind ? "broken" : "note", name, probe.reason, probe.hint);
      const use =
        wanted === kind
          ? "programs run in it"
          : `toolwright config set sandbox ${kind} makes programs run in it`;
      return check("ok", name, ["works", describeProtection(probe), use].filter(Boolean).join("; "));
    }),
  );
}

/** Says what strictDeny does here: without a sandbox, interpreters and unknown programs are refused. */
async function checkStrictDeny(config: ConfigGroups<"policy" | "sandbox">): Promise<readonly Check[]> {
  const { kind: sandbox } = config.sandbox;
  if (!config.policy.strictDeny) return [];
  const what = "with a deny rule of your own, interpreters and unknown programs";
  const strict = { sandbox: strictSandbox(config.sandbox, { denyHosts: true }) };
  const isChosen = (kind: BoxName): boolean => sandbox === "none" || sandbox === "auto" || sandbox === kind;
  const kinds = sandbox === "none" || sandbox === "auto" ? strongestFirst(strict.sandbox) : BOX_KINDS;
  const probes = await Promise.all(kinds.filter(isChosen).map((kind) => probeBox(kind)));
  if (probes.some(({ works }) => works)) return [check("ok", "strictDeny", `${what} run only in a sandbox`)];
  const hint = "install the package bubblewrap, or remove strictDeny from the config";
  return [check("broken", "strictDeny", `no sandbox works: ${what} are refused`, hint)];
}

/** Says which browser the browser tools would start, and how it is confined. Starts none. */
async function checkBrowser({
  browser,
  environment: { variables },
}: ConfigGroups<"browser" | "environment">): Promise<Check> {
  const { inspectBrowser } = await import("../../../tools/browser/page/launch.ts");
  try {
    const { file, place, isBare } = await inspectBrowser(browser, variables["PATH"]);
    const confined =
      place === "sandbox"
        ? "its own sandbox, inside bubblewrap (see sandbox above; it may create user namespaces), with no network but a guarded proxy"
        : "its own sandbox only, with a guarded proxy";
    if (isBare)
      return check("note", "browser", `${file}, without any sandbox: it runs as root, and "sandbox" is none`);
    return check("ok", "browser", `${file}: ${confined}`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return check("note", "browser", error.message, error.hint);
  }
}
