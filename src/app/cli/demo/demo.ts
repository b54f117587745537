import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openStore } from "../../../store/open-store.ts";
import { openBrowser } from "../../../system/process/open-browser.ts";
import { whenAborted } from "../../../util/async/until-aborted.ts";
import { loadConfig } from "../../config/config.ts";
import { parsePort, refuseArguments } from "../../terminal/input/check-arguments.ts";
import type { Command, World } from "../../terminal/input/command.ts";
import { startServing } from "../http/serve.ts";
import type { JsonObject } from "../../../core/json.ts";
import { startDemoFleet, WORKERS } from "./demo-fleet.ts";
import { playDemo } from "./play-demo.ts";
import { recordCalls } from "./recorded-calls.ts";
import { CHAT, FILES, SESSIONS } from "./scripts.ts";
import type { ScriptedAnswer } from "../../../models/scripted-answers.ts";

const RECORDED = 300;

export const demo: Command = {
  name: "demo",
  summary: "open the console on a folder of its own with recorded calls, sessions and approvals that wait",
  usage: "[--port PORT] [--no-open]",
  notes:
    "Needs no model and no set-up: scripts answer in place of a model, and the calls are real. If nats-server and the packages of a fleet are installed, two workers run its commands. Everything is in a temporary folder, which is removed at the end.",
  flags: {
    port: { summary: "port to listen on; default: a free one", value: "PORT" },
    "no-open": { summary: "print the address, and open no browser" },
  },
  examples: { demo: "look around for two minutes; Ctrl-C ends it and removes its folder" },
  async run({ flags, positionals }, world) {
    refuseArguments(positionals);
    const port = parsePort(flags["port"] ?? "0", "port");
    // Before the folder is made: an interrupt while calls are recorded removes it too.
    using interrupt = world.interrupt();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-demo-")));
    try {
      const { environment } = world;
      const { variables } = environment();
      await using fleet = await startDemoFleet({ folder, variables });
      const place = makePlace(folder, fleet?.settings);
      const ownWorld: World = {
        ...world,
        environment: () => ({ ...environment(), ...place.environment(environment()) }),
      };
      const config = loadConfig({}, ownWorld.environment());
      await using store = await openStore({ folder: config.paths.store });
      await recordCalls(store.journal, {
        count: RECORDED,
        now: Date.now(),
        folder: config.paths.workspace[0],
      });
      if (interrupt.signal.aborted) return;
      fleet?.startWorkers(place.workspace);
      await using served = await startServing(
        { flags: {}, port, config, onQueued: () => undefined },
        ownWorld,
      );
      const { output } = world;
      await output.print(`${served.address}\n`);
      output.log("toolwright: this is a demo; Ctrl-C ends it and removes its folder");
      if (flags["no-open"] !== true)
        openBrowser(new URL(served.address), { platform: process.platform, variables });
      const signal = AbortSignal.any([interrupt.signal, output.closed]);
      await Promise.all([
        whenAborted(signal),
        playDemo(new URL(served.address), { ...place, workers: fleet === undefined ? 0 : WORKERS }, signal),
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

/** Writes the files, the scripts and the settings of the demo. */
function makePlace(folder: string, fleet: JsonObject | undefined) {
  const [workspace, home] = [join(folder, "shop"), join(folder, "home")];
  for (const [path, text] of Object.entries(FILES)) write(join(workspace, path), text);
  const script = (name: string, answers: readonly ScriptedAnswer[]): string => {
    const file = join("agents", name);
    write(join(workspace, file), answers.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return `scripted/${file}`;
  };
  const chat = script("chat", CHAT);
  const models = SESSIONS.map(({ name, task, answers }) => ({ task, model: script(name, answers) }));
  const price = { input: 3, output: 15 };
  const settings = {
    model: chat,
    approvalTimeoutSeconds: 24 * 3600,
    ...(fleet !== undefined && { fleet }),
    models: Object.fromEntries([chat, ...models.map(({ model }) => model)].map((id) => [id, { price }])),
  };
  write(join(home, "config.json"), JSON.stringify(settings));
  return {
    workspace,
    models,
    /** The place instead of the user's own: nothing of it is read or changed. */
    environment: ({ variables }: { readonly variables: Readonly<Record<string, string | undefined>> }) => ({
      cwd: workspace,
      variables: {
        ...Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith("TOOLWRIGHT_"))),
        TOOLWRIGHT_HOME: home,
      },
    }),
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}
