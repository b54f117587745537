import { appendFileSync } from "node:fs";
import type { EngineEvent, Listener } from "../../../core/events.ts";
import { sanitize } from "../../../util/text/sanitize.ts";
import type { LogLevel, LogSetting } from "../../config/settings/log-setting.ts";
import type { ConfigFlags } from "../../config/config.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, info: 1, debug: 2 };

/** Writes each event of the level as a line of JSON. Events are already masked. */
export function createEventLog({ level, file }: LogSetting, print: (line: string) => void): Listener {
  const write = file === undefined ? print : fileWriter(file, print);
  return (event) => {
    const own = levelOf(event);
    if (RANK[own] > RANK[level]) return;
    const { at, ...rest } = event;
    write(JSON.stringify({ time: new Date(at).toISOString(), level: own, ...rest }));
  };
}

/** Returns a listener that writes the log of the config and, with --verbose, prints every event; undefined if there is neither. */
export function eventListener(
  { log }: { readonly log: LogSetting | undefined },
  flags: ConfigFlags,
  print: (line: string) => void,
): Listener | undefined {
  const logged = log && createEventLog(log, print);
  if (flags["verbose"] !== true) return logged;
  return (event) => {
    logged?.(event);
    print(describeEvent(event));
  };
}

/** Describes an event in one line, for a person. */
export function describeEvent(event: EngineEvent): string {
  const { type, at, ...rest } = event;
  const time = new Date(at).toISOString().slice(11, 23);
  const details = sanitize(JSON.stringify(rest));
  return `${time} ${type} ${details.length > MAX_CHARACTERS ? `${details.slice(0, MAX_CHARACTERS)}…` : details}`;
}

const MAX_CHARACTERS = 400;

function levelOf(event: EngineEvent): LogLevel {
  if (event.type === "journal.failed" || event.type === "hook.failed") return "error";
  if (event.type === "call.answered") return event.result.ok ? "info" : "error";
  return DEBUG.has(event.type) ? "debug" : "info";
}

const DEBUG: ReadonlySet<EngineEvent["type"]> = new Set([
  "call.progressed",
  "call.started",
  "tool.added",
  "group.changed",
  "source.changed",
  "hook.decided",
]);

/** Appends to a file that only its owner can read. A failure is printed once and never affects a call. */
function fileWriter(file: string, print: (line: string) => void): (line: string) => void {
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      isBroken = true;
      const reason = errorMessage(error);
      print(`toolwright: warning: the log cannot be written: ${reason}`);
    }
  };
}
