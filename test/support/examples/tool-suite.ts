import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import { codeOf, textOf } from "../engines/engine.ts";
import { contentsOf } from "../files/folder-contents.ts";
import { openSandboxPlace, whyNot, type Kind } from "./sandbox-example.ts";
import { untilTrue } from "../running.ts";
import { FILE_CALLS } from "./tool-suite/file-calls.ts";
import type { SuiteCall } from "./tool-suite/row.ts";
import { RUNNING_CALLS } from "./tool-suite/running-calls.ts";

/** What one place answered to the calls, and the files that they left. */
interface Outcome {
  readonly answers: readonly unknown[];
  readonly files: Readonly<Record<string, string>>;
}

/** Makes the calls of the suite on the host and in each kind of sandbox; the answers must be the expected ones, and in full those of the host. */
export async function toolSuite(kinds: readonly Kind[]): Promise<void> {
  let onHost: Outcome | undefined;
  for (const kind of ["none", ...kinds] as const) {
    const skip = kind === "none" ? false : await whyNot(kind);
    const where = kind === "none" ? "on the host" : `in the sandbox ${kind}`;
    test(`the built-in tools answer ${where} as expected`, { skip }, async (t) => {
      const place = await openSandboxPlace(t, kind, { tools: "all" });
      const mask = maskOf(place.workspace);
      const answers: unknown[] = [];
      for (const one of [...FILE_CALLS, ...RUNNING_CALLS]) {
        const result = await answerTo(one, (name, input) => place.run(name, input));
        const shown = JSON.stringify([one.name, one.input]);
        const text = mask(textOf(withoutNote(result)));
        assert.deepEqual([codeOf(result), text], [one.code ?? "ok", one.text], shown);
        assert.equal(result.meta.place, kind === "none" || one.onHost === true ? "host" : "sandbox", shown);
        answers.push(JSON.parse(mask(JSON.stringify(comparable(withoutNote(result))))));
      }
      // Names that the sandbox reserves are removed with it.
      await place.close();
      const outcome = { answers, files: contentsOf(place.workspace) };
      onHost ??= outcome;
      assert.deepEqual(outcome, onHost);
    });
  }
}

/** Returns the answer; of a call whose answer must wait for a program, the first that has the text. */
async function answerTo(
  { name, input, awaited }: SuiteCall,
  run: (name: string, input: JsonObject) => Promise<ToolResult>,
): Promise<ToolResult> {
  let result = await run(name, input);
  if (awaited !== undefined)
    await untilTrue(`${name} shows ${awaited}`, async () => {
      result = await run(name, input);
      return textOf(result).includes(awaited);
    });
  return result;
}

/** Leaves out the hint that a program may have failed because of the sandbox. */
function withoutNote(result: ToolResult): ToolResult {
  return {
    ...result,
    content: result.content.filter(
      (one) => one.type !== "text" || !one.text.includes("[it ran in a sandbox"),
    ),
  };
}

/** Returns what must be equal everywhere. */
function comparable(result: ToolResult): unknown {
  const { content, meta } = result;
  return {
    content,
    truncated: meta.truncated,
    ...(result.ok ? { data: result.data } : { error: result.error }),
  };
}

/** Replaces what differs from run to run: the workspace, processes, times and generated ids. */
function maskOf(workspace: string): (text: string) => string {
  return (text) =>
    text
      .replaceAll(workspace, "WORKSPACE")
      .replaceAll(/pid ?\d+/g, "pid PID")
      .replaceAll(/"pid":\d+/g, `"pid":0`)
      .replaceAll(/running for \d+ s/g, "running for N s")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/Python [\d.]+, [^,]+,/g, "Python VERSION,")
      .replaceAll(/"seenAt":\d+/g, `"seenAt":0`)
      .replaceAll(/untrusted-\w+/g, "untrusted")
      .replaceAll(/\bart_\w+|(?<=trash (as|restore) |"trash_id":")\w+/g, "ID");
}
