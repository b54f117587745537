import { ToolError } from "../../../core/errors.ts";
import { startWorker } from "../../../remote/fleet/worker/worker.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { starPattern } from "../../../util/text/name-pattern.ts";
import { loadConfig } from "../../config/config.ts";
import { parseNames, unmatchedNames } from "../../gateway/sessions/visible-tools.ts";
import { requireFleet } from "../../host/fleet/host-fleet.ts";
import { denyAll } from "../../host/approvals/answers.ts";
import type { UntrustedConfig } from "../../host/store/apply-trust.ts";
import type { Host } from "../../host/host.ts";
import { openHost } from "../../host/open-host.ts";
import {
  CONFIG_FLAGS,
  STORE_FLAG,
  type Arguments,
  type Command,
  type World,
} from "../../terminal/input/command.ts";
import { waitForTools } from "../../terminal/wait-for-tools.ts";
import { eventListener } from "../../terminal/print/event-log.ts";
import { whenAborted } from "../../../util/async/until-aborted.ts";

export const worker: Command = {
  name: "worker",
  summary: "run calls for the engines of a fleet",
  usage: "[--pool NAME] [--concurrency N] [--labels A,B] [--tools NAMES]",
  notes:
    "Takes calls that an engine with the same fleet.key has allowed, and runs them with the tools, the sandbox and the deny rules of this machine. TERM ends it when its calls are done.",
  flags: {
    pool: { summary: "the pool whose calls it takes; default: default", value: "NAME" },
    concurrency: { summary: "how many calls it runs at the same time; default: 8", value: "N" },
    labels: { summary: "labels that rules can require, separated by commas", value: "A,B" },
    tools: {
      summary: "the tools that it offers, separated by commas, * is any text; default: all",
      value: "NAMES",
    },
    drain: { summary: "how long running calls may take after TERM (seconds); default: 30", value: "SECONDS" },
    verbose: { summary: "print every event to standard error" },
    sandbox: { summary: "where programs run: none, auto, bubblewrap, seatbelt or process", value: "KIND" },
    ...CONFIG_FLAGS,
    ...STORE_FLAG,
  },
  examples: {
    "worker --pool gpu --concurrency 2 --labels cuda": "take the calls of the pool gpu, two at a time",
    "worker --tools 'shell,read_*' --sandbox auto": "offer some tools, and run programs in a sandbox",
  },
  async run(given, world) {
    const { flags } = given;
    const config = loadConfig(flags, world.environment());
    const options = readOptions(flags);
    const address = requireFleet(config);
    using interrupt = world.interrupt();
    const host = await openWorkerHost({ flags, config }, world);
    const { engine } = host;
    try {
      await waitForTools(engine, world);
      const { warn } = world.output;
      for (const line of unmatchedNames(options.names, engine)) warn(line);
      const { signal } = interrupt;
      const release = packageVersion();
      const one = await startWorker(address, { ...options, engine, release, warn, signal });
      await world.output.print(
        `worker ${one.id}: pool ${options.pool}, concurrency ${options.concurrency}\n`,
      );
      await Promise.race([whenAborted(signal), one.asked]);
      await one.drain(options.drainMs);
    } finally {
      await host.close();
    }
  },
};

function openWorkerHost({ flags, config }: UntrustedConfig, { output }: World): Promise<Host> {
  return openHost({
    flags,
    // The engine that sends a call records it where others see it.
    config: { ...config, storage: { ...config.storage, isShared: false } },
    need: "stay",
    isWorker: true,
    // The engine that sends a call has asked; calls that a tool makes by itself are not approved here.
    approvers: [denyAll("a worker approves no calls", "approve the call where it was made")],
    asksQueue: false,
    warn: output.warn,
    log: () => eventListener(config, flags, output.log),
  });
}

function readOptions(flags: Arguments["flags"]) {
  const pool = String(flags["pool"] ?? "default");
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(pool))
    throw new ToolError(
      "INVALID_INPUT",
      `invalid pool ${JSON.stringify(pool)}; expected letters, digits, - and _`,
    );
  const names = listOf(flags["tools"]);
  const patterns = names.map(starPattern);
  return {
    pool,
    names,
    labels: listOf(flags["labels"]),
    concurrency: numberOf(flags["concurrency"] ?? "8", "--concurrency", 1000),
    drainMs: numberOf(flags["drain"] ?? "30", "--drain", 86_400) * 1000,
    offers: ({ name }: { readonly name: string }): boolean =>
      patterns.length === 0 || patterns.some((matches) => matches(name)),
  };
}

function listOf(flag: string | boolean | undefined): readonly string[] {
  return typeof flag === "string" ? parseNames(flag) : [];
}

function numberOf(text: string | boolean, name: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new ToolError(
    "INVALID_INPUT",
    `${name} must be a number from 1 to ${max}, not ${JSON.stringify(text)}`,
  );
}
