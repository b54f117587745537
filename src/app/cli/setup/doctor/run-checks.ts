import { packageVersion } from "../../../../system/package-files.ts";
import { accessSync, constants, existsSync } from "node:fs";
import { runRipgrep } from "../../../../system/process/ripgrep.ts";
import type { Trusted, UntrustedConfig } from "../../../host/store/apply-trust.ts";
import { loadConfig, type ConfigFlags } from "../../../config/config.ts";
import type { Config, ConfigGroups, PathSettings } from "../../../config/groups.ts";
import type { Environment } from "../../../config/environment.ts";
import type { Look } from "../../../host/host.ts";
import { openHost } from "../../../host/open-host.ts";
import { openConfiguredStore } from "../../../host/store/open-configured-store.ts";
import { visible } from "../../../../util/text/visible.ts";
import { attempt, check, type Check } from "./check.ts";
import { checkBrowser, checkKinds, checkSandbox, checkStrictDeny } from "./check-confinement.ts";
import { checkModel } from "./check-model.ts";
import { checkTools } from "./check-tools.ts";
import { counted } from "../../../../util/text/words.ts";

const RIPGREP_MS = 5000;

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
