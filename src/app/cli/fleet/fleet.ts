import { ToolError } from "../../../core/errors.ts";
import {
  drainWorker,
  listDeadLetters,
  listQueues,
  retryDeadLetter,
  type DeadLetter,
  type QueueState,
} from "../../../remote/fleet/inspect.ts";
import { ensureEvents } from "../../../remote/fleet/events.ts";
import { openFleet } from "../../../remote/fleet/open-fleet.ts";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";
import { createNatsStore } from "../../../store/nats/open-nats-store.ts";
import { visible } from "../../../util/text/visible.ts";
import { loadConfig } from "../../config/config.ts";
import { requireFleet } from "../../host/fleet/host-fleet.ts";
import { takeAction } from "../../terminal/input/check-arguments.ts";
import { CONFIG_FLAGS, type Command } from "../../terminal/input/command.ts";
import { exitCodeOfResult, printResult } from "../../terminal/print/print-result.ts";
import { counted } from "../../../util/text/words.ts";

const ACTIONS = ["list", "dead", "drain", "retry", "setup"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const SHOWN_DEAD = 100;

export const fleet: Command = {
  name: "fleet",
  summary: "list workers, queues and dead letters; drain a worker, retry a dead letter, create the streams",
  usage: "[list | dead] [--json]\ndrain WORKER\nretry KEY [--json]\nsetup",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    json: { summary: "print JSON" },
    timeout: { summary: "time limit for retry (seconds)", value: "SECONDS" },
    ...CONFIG_FLAGS,
  },
  examples: {
    fleet: "the workers with their load, and the queues",
    "fleet dead": "the calls that no worker could finish, and why",
    "fleet setup": "create the streams, as a user of NATS who may do that",
    "fleet drain 0a1b2c3d4e5f6071": "let a worker finish its calls and end",
  },
  async run(given, world) {
    const { flags } = given;
    const { action, rest } = takeAction(fleet, given, ACTIONS, "list");
    const [item] = rest;
    const config = loadConfig(flags, world.environment());
    const opened = await openFleet(requireFleet(config));
    const isJson = flags["json"] === true;
    using interrupt = world.interrupt();
    try {
      if (action === "setup") {
        await ensureEvents(opened);
        await createNatsStore(opened, config.storage.keepDays * DAY_MS);
        return await world.output.print(`the streams of the namespace ${opened.names.namespace} exist\n`);
      }
      if (action === "drain") {
        await drainWorker(opened, required(item, "the id of a worker"));
        return await world.output.print(`worker ${item} takes no more calls\n`);
      }
      if (action === "retry") {
        const result = await retryDeadLetter(opened, required(item, "the key of a dead letter"), {
          timeoutMs: config.calls.timeoutSeconds * 1000,
          signal: interrupt.signal,
          onProgress: () => undefined,
        });
        await printResult(result, isJson ? "json" : "text", world.output, undefined);
        return exitCodeOfResult(result);
      }
      const letters = await listDeadLetters(opened, SHOWN_DEAD);
      // The input is not masked and may contain secrets.
      const dead = letters.map(({ input: _input, ...letter }) => letter);
      if (action === "dead")
        return await world.output.print(
          isJson ? toJson(dead) : dead.map(toLine).join("") || "no dead letters\n",
        );
      const [workers, queues] = [opened.directory.workers(), await listQueues(opened)];
      return await world.output.print(
        isJson ? toJson({ workers, queues, dead: dead.length }) : toText(workers, queues, dead.length),
      );
    } finally {
      await opened.close();
    }
  },
};

function required(item: string | undefined, what: string): string {
  if (item !== undefined) return item;
  throw new ToolError("INVALID_INPUT", `missing ${what}`, {
    hint: "toolwright fleet list and fleet dead show them",
  });
}

function toText(workers: readonly WorkerAdvert[], queues: readonly QueueState[], dead: number): string {
  const lines = [
    ...(workers.length === 0 ? ["no workers"] : workers.map(ofWorker)),
    ...queues
      .filter(({ waiting, running, lane }) => waiting + running > 0 || lane === "normal")
      .map(
        ({ pool, lane, waiting, running }) => `queue ${pool}.${lane}: ${waiting} waiting, ${running} running`,
      ),
    ...(dead === 0
      ? []
      : [`${dead === SHOWN_DEAD ? "at least " : ""}${counted(dead, "dead letter")}: toolwright fleet dead`]),
  ];
  return `${lines.map(visible).join("\n")}\n`;
}

function ofWorker(one: WorkerAdvert): string {
  const { id, pool, labels, tools, running, concurrency, isDraining, host, pid, release } = one;
  const load = `${running} of ${concurrency} slots${isDraining ? ", draining" : ""}`;
  const labelled = labels.length === 0 ? "" : ` [${labels.join(", ")}]`;
  return `worker ${id}: pool ${pool}${labelled}, ${load}, ${tools.length} tools, ${host}:${pid}, ${release}`;
}

function toLine(letter: Omit<DeadLetter, "input">): string {
  const { key, tool = "unknown tool", callId, mayHaveRun, reason, at } = letter;
  const call = callId === undefined ? "" : ` (call ${callId}${mayHaveRun ? ", may have had effects" : ""})`;
  return `${visible(`${at} ${key} ${tool}${call}: ${reason}`)}\n`;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
