import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  createPlace,
  longCommand,
  processesWith,
  runProcess,
  startCli,
  until,
} from "../../flows/support/cli.ts";

/** Ways to start processes, of which some leave their parent, their group and their session. */
const WAYS: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `setsid -f ${command}; ${command}`,
  (command) => `nohup ${command} & ${command}`,
  (command) => `(setsid sh -c '${command} & ${command}' &); ${command}`,
];
const CALLS = 40;

/** Kills the program while it starts many commands, at a different moment each time; the next start must leave none of them. */
export async function killWhileStarting(t: TestContext, tries: number): Promise<void> {
  for (let index = 0; index < tries; index += 1) {
    const place = createPlace(t);
    const { command, mark } = longCommand();
    t.after(() => {
      for (const pid of processesWith(mark)) process.kill(pid, "SIGKILL");
    });
    const calls = Array.from({ length: CALLS }, (_, number) => {
      const text = WAYS[number % WAYS.length]?.(command) ?? "";
      return { name: "shell", input: { command: text, background: number % 5 === 0 } };
    });
    const { child, finished } = startCli(place, ["batch", "--parallel", "20", "--mode", "yolo"]);
    child.stdin?.write(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
    const wanted = 1 + ((index * 7) % CALLS);
    await until(`${wanted} commands run`, () => processesWith(mark).length >= Math.min(wanted, 20));
    child.kill("SIGKILL");
    await finished;
    const next = await runProcess(place, ["call", "think", "thought=x"]);
    assert.equal(next.code, 0, next.stderr);
    assert.deepEqual(processesWith(mark), [], `try ${index + 1}`);
    assert.deepEqual(readdirSync(join(place.home, "state", "processes")), []);
  }
}
