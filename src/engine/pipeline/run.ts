import type { ToolCall } from "../../core/call.ts";
import type { Fault, ToolResult } from "../../core/result.ts";
import { failure, success } from "../answer/answer.ts";
import { approve } from "./approve.ts";
import { checkInput } from "./check-input.ts";
import { consultHooks } from "./consult-hooks.ts";
import { examine } from "./examine.ts";
import { execute } from "./execute.ts";
import { toFault } from "../../util/json/fault.ts";
import { format } from "../answer/format.ts";
import { hearHooks } from "./hear-hooks.ts";
import { inject } from "./inject.ts";
import { judge } from "./judge.ts";
import type { Line } from "../state/line.ts";
import type { RunOptions } from "../types/options.ts";
import { loadBeside } from "../../util/load-beside.ts";
import { lookUp } from "./look-up.ts";
import { AGAIN, Passage, cancelledError } from "../state/passage.ts";
import type { Station } from "../state/passage.ts";
import { readCommands } from "./read-commands.ts";
import { receive, recordAnswer, recordStart } from "./record.ts";
import type * as retrying from "./retry.ts";
import { route } from "./route.ts";
import type { Slot } from "../state/slots.ts";
import { startSession } from "./start-session.ts";
import { claimChanges, releaseChanges, tellChanges } from "./tell-changes.ts";

const READING: readonly Station[] = [lookUp, checkInput, inject, examine, readCommands];
const EXECUTION: readonly Station[] = [execute, format];

/** What a call would do: known without doing it, and without running a hook. */
const EXAMINATION: readonly Station[] = [...READING, judge];

/** The line. A station lets the call pass or stops it with a fault; there is no other way through. */
const LINE: readonly Station[] = [
  receive,
  startSession,
  ...READING,
  consultHooks,
  judge,
  approve,
  route,
  claimChanges,
  recordStart,
  ...EXECUTION,
];

/** Takes one call down the line and gives its one answer. Never rejects. */
export function run(line: Line, call: ToolCall, options: RunOptions, slot?: Slot): Promise<ToolResult> {
  const passage = new Passage(line, readable(call), options, slot);
  line.inFlight.enter();
  const walked = walk(passage, LINE);
  return Promise.resolve(walked === undefined ? finish(passage, undefined) : goOn(passage, walked));
}

/** A call that waits for something, or was stopped: tried again where that is safe and can help. */
async function goOn(passage: Passage, walked: Fault | Promise<Fault | undefined>): Promise<ToolResult> {
  let fault = await walked;
  // What never ran is not run again.
  while (fault !== undefined && passage.attempts > 0) {
    const { retryWaitMs, waitForRetry } = loadBeside(import.meta.url, "./retry") as typeof retrying;
    const waitMs = retryWaitMs(passage, fault);
    if (waitMs === undefined) break;
    await waitForRetry(passage, fault, waitMs);
    fault = await walk(passage, EXECUTION);
  }
  return finish(passage, fault);
}

function finish(passage: Passage, fault: Fault | undefined): ToolResult | Promise<ToolResult> {
  if (fault === undefined) tellChanges(passage);
  releaseChanges(passage);
  const result = fault === undefined ? success(passage) : failure(passage, fault);
  const heard = hearHooks(passage, result);
  return heard instanceof Promise ? heard.then((last) => settle(passage, last)) : settle(passage, heard);
}

function settle(passage: Passage, result: ToolResult): ToolResult | Promise<ToolResult> {
  const { inFlight } = passage.line;
  const kept = recordAnswer(passage, result);
  if (kept === undefined) {
    inFlight.leave();
    return result;
  }
  return kept.then(() => {
    inFlight.leave();
    return result;
  });
}

/** Takes a call as far as the judge: what it would touch and what policy says. Runs, records and tells nothing. */
export async function preview(line: Line, call: ToolCall, options: RunOptions): Promise<Preview> {
  const silent: Line = { ...line, hears: () => false, send: () => undefined };
  const passage = new Passage(silent, readable(call), options);
  const fault = await walk(passage, EXAMINATION);
  return { passage, fault };
}

export interface Preview {
  readonly passage: Passage;
  readonly fault: Fault | undefined;
}

/**
 * From station to station, until one stops the call; what anything throws on the way becomes the fault.
 * Not an async function: a call that waits for nothing is answered without a turn of the event loop.
 */
function walk(
  passage: Passage,
  stations: readonly Station[],
  from = 0,
): Fault | undefined | Promise<Fault | undefined> {
  try {
    for (let at = from; at < stations.length; at += 1) {
      if (passage.cancelled) return toFault(cancelledError());
      const outcome = stations[at]?.(passage);
      if (outcome === undefined) continue;
      if (outcome instanceof Promise) {
        return outcome.then((later) => {
          if (later === AGAIN) return walk(passage, stations, stations.indexOf(checkInput));
          return later ?? walk(passage, stations, at + 1);
        }, toFault);
      }
      return outcome === AGAIN ? walk(passage, stations, stations.indexOf(checkInput)) : outcome;
    }
    return undefined;
  } catch (error) {
    return toFault(error);
  }
}

/** A call from a careless caller is answered too. */
function readable(call: ToolCall): ToolCall {
  if (typeof call?.name === "string" && typeof call.id === "string") return call;
  const { id, name }: { id?: unknown; name?: unknown } = call ?? {};
  return { id: asText(id), name: asText(name), input: null, unreadable: "a call needs an id and a name" };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
