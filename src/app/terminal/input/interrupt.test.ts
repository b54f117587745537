import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { createInterrupt, onSignal, type Signals } from "./interrupt.ts";

const FORWARDED = 0;

test("a signal that reached the launcher too counts once, whichever comes first, and the next pair counts again", () => {
  const from = new EventEmitter() as Signals;
  const received: (readonly [string, number])[] = [];
  const stop = onSignal((name, count) => received.push([name, count]), { from });
  from.emit("SIGINT", "SIGINT", 2);
  from.emit("SIGINT", "SIGINT", FORWARDED);
  assert.deepEqual(received, [["SIGINT", 1]]);
  from.emit("SIGTERM", "SIGTERM", FORWARDED);
  from.emit("SIGTERM", "SIGTERM", 15);
  assert.deepEqual(received.slice(1), [["SIGTERM", 2]]);
  stop();
  from.emit("SIGINT", "SIGINT", 2);
  assert.equal(received.length, 2);
});

test("a signal of the launcher alone interrupts", () => {
  const from = new EventEmitter() as Signals;
  using interrupt = createInterrupt(from);
  from.emit("SIGTERM", "SIGTERM", FORWARDED);
  assert.equal(interrupt.signal.aborted, true);
});
