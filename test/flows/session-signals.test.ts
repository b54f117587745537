import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type * as Pty from "@lydell/node-pty";
import { longCommand, processesWith, runCli, startCli, until, withoutProc } from "./support/cli.ts";
import { createReplPlace, type ReplPlace } from "./support/repl.ts";

const { spawn } = createRequire(import.meta.url)("@lydell/node-pty") as typeof Pty;

type Ending = "SIGINT" | "SIGTERM" | "SIGHUP" | "closed terminal";
const CODES: Readonly<Record<Ending, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  "closed terminal": 129,
};

interface Chat {
  readonly send: (text: string) => void;
  readonly end: (how: Ending) => void;
  /** Resolves with the exit code. */
  readonly finished: Promise<number | null>;
  readonly shown: () => string;
}

/** Writes the pid of the program and its exit code to files; the shell itself outlives the terminal. */
const RECORDED = `trap : HUP TERM; sh -c 'echo $$ >pid; exec "$@"' sh "$@"; echo $? >code`;

function chatOnTerminal(t: TestContext, place: ReplPlace, kind: string): Chat {
  const read = (name: string): string => {
    const path = join(place.folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const terminal: Pty.IPty & { destroy?(): void } = spawn(
    "sh",
    ["-c", RECORDED, "sh", ...place.command("--mode", "yolo")],
    { cwd: place.folder, env: place.environment, name: kind },
  );
  let shown = "";
  terminal.onData((text) => (shown += text));
  t.after(() => terminal.destroy?.());
  return {
    send: (text) => terminal.write(`${text}\r`),
    end: (how) => (how === "closed terminal" ? terminal.destroy?.() : process.kill(Number(read("pid")), how)),
    finished: until("the program has ended", () => read("code").endsWith("\n")).then(() =>
      Number(read("code")),
    ),
    shown: () => shown,
  };
}

function chatThroughPipe(_: TestContext, place: ReplPlace): Chat {
  const { child, finished, shown } = startCli(place, place.command("--mode", "yolo").slice(2));
  return {
    send: (text) => child.stdin?.write(`${text}\n`),
    end: (how) => void child.kill(how as NodeJS.Signals),
    finished: finished.then(({ code }) => code),
    shown: () => shown.stdout + shown.stderr,
  };
}

const FORMS = {
  "the REPL": (t: TestContext, place: ReplPlace) => chatOnTerminal(t, place, "xterm-256color"),
  "a terminal that only shows lines": (t: TestContext, place: ReplPlace) => chatOnTerminal(t, place, "dumb"),
  "a pipe": chatThroughPipe,
};

for (const [form, start] of Object.entries(FORMS))
  for (const how of ["SIGINT", "SIGTERM", "SIGHUP", "closed terminal"] as const) {
    // On a terminal, Ctrl-C cancels the call and the session goes on.
    if (how === (form === "a pipe" ? "closed terminal" : "SIGINT")) continue;
    test(
      `${how} on ${form} ends the session in order: its processes, the call, the exit code`,
      { skip: withoutProc },
      async (t) => {
        const marks = [longCommand(), longCommand(), longCommand()];
        const [left, apart, main] = marks.map(({ command }) => command);
        const command = `${left} & setsid ${apart} & ${main}`;
        const place = createReplPlace(t, [
          { calls: [{ name: "shell", input: { command, timeout_seconds: 600 } }] },
          { text: "Answered later." },
        ]);
        const chat = start(t, place);
        const running = (): readonly number[] => marks.flatMap(({ mark }) => processesWith(mark));
        t.after(() => {
          for (const pid of running()) process.kill(pid, "SIGKILL");
        });
        chat.send("first");
        await until("the command runs", () => marks.every(({ mark }) => processesWith(mark).length > 0));
        chat.send("second");
        chat.end(how);
        assert.equal(await chat.finished, CODES[how], chat.shown());
        assert.deepEqual(running(), []);
        assert.ok(!chat.shown().includes("Answered later."), chat.shown());
        const { stdout } = await runCli(place, ["trace", "--json"]);
        assert.match(stdout, /CANCELLED/);
        const { stdout: sessions } = await runCli(place, ["sessions", "--json"]);
        assert.match(sessions, /first/);
        assert.doesNotMatch(sessions, /interrupted/);
      },
    );
  }
