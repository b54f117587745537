import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { spawn } from "@lydell/node-pty";
import { median, type Row } from "./measure.ts";

const ROUNDS = 11;
/** The target: a factor of Node's own start, plus a constant. */
const [FACTOR, EXTRA_MS] = [1.5, 250];
const LIMIT_MS = 20_000;
const CTRL_D = "\u{4}";

/** The output that marks each moment. */
const PROMPT = /^[^]*> [^]*loading/;
const TAKEN_OVER = /loading[^]*toolwright/;
const READY = /ready/;

/** Measures the time until the REPL accepts input on a terminal, against the start of bare Node. */
export async function benchReplStart(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  writeFileSync(join(folder, "story.jsonl"), '{"text":"Yes.","repeat":true}\n');
  const chat = [resolve("bin/toolwright.js"), "chat", "--model", "scripted/story.jsonl"];
  try {
    // A run that is left, not killed, stores the compiled code.
    await start(folder, chat, [READY], "leave");
    const times: Record<"bare" | "prompt" | "taken" | "ready", number[]> = {
      bare: [],
      prompt: [],
      taken: [],
      ready: [],
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [bare = 0] = await start(folder, ["-e", "process.stdout.write('> loading')"], [PROMPT]);
      const [prompt = 0, taken = 0, ready = 0] = await start(folder, chat, [PROMPT, TAKEN_OVER, READY]);
      times.bare.push(bare);
      times.prompt.push(prompt);
      times.taken.push(taken);
      times.ready.push(ready);
    }
    return report(median(times.bare), median(times.prompt), [median(times.taken), median(times.ready)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the milliseconds until each moment, in order; then ends the program, or leaves it as a person does. */
function start(
  folder: string,
  args: readonly string[],
  moments: readonly RegExp[],
  end: "kill" | "leave" = "kill",
): Promise<readonly number[]> {
  return new Promise((settle, reject) => {
    const startedAt = performance.now();
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      TOOLWRIGHT_HOME: folder,
      TERM: "xterm-256color",
      // Without it the first start asks.
      TOOLWRIGHT_LEVEL: "ask",
    };
    const child = spawn(process.execPath, [...args], { cols: 80, rows: 24, cwd: folder, env: environment });
    const times: number[] = [];
    let output = "";
    const timer = setTimeout(() => reject(new Error(`it never came so far:\n${output}`)), LIMIT_MS);
    child.onData((text) => {
      output += text;
      while (times.length < moments.length && moments[times.length]?.test(output) === true) {
        times.push(performance.now() - startedAt);
      }
      if (times.length < moments.length) return;
      if (end === "kill") child.kill("SIGTERM");
      else child.write(CTRL_D);
    });
    child.onExit(() => {
      clearTimeout(timer);
      if (times.length === moments.length) settle(times);
      else reject(new Error(`it ended early:\n${output}`));
    });
  });
}

function report(
  bareMs: number,
  promptMs: number,
  [takenMs, readyMs]: readonly [number, number],
): readonly Row[] {
  const barMs = FACTOR * bareMs + EXTRA_MS;
  const row = { against: `${bareMs.toFixed(0)} ms` };
  return [
    {
      ...row,
      what: "REPL, first prompt on the terminal",
      figure: `${promptMs.toFixed(0)} ms`,
      ratio: promptMs / bareMs,
      target: `1.5x + 250 ms = ${barMs.toFixed(0)} ms`,
      isReached: promptMs <= barMs,
    },
    {
      ...row,
      what: "REPL, typed keys are shown",
      figure: `${takenMs.toFixed(0)} ms`,
      target: "none",
      isReached: true,
    },
    {
      ...row,
      what: "REPL, tools and agent are there",
      figure: `${readyMs.toFixed(0)} ms`,
      target: "none",
      isReached: true,
    },
  ];
}
