// Several processes write to one session at once, and one of them is killed: what it was told to be kept is kept.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { openStore } from "../../src/store/open-store.ts";
import { sourceUrl } from "../support/faults/child-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const WRITTEN = 40;

/** Writes entries one after the other, and says the number of each once it is kept. */
function startWriter(folder: string, name: string): ChildProcess {
  const script = `
    import { openStore } from ${JSON.stringify(sourceUrl("src/store/open-store.ts"))};
    import { openTranscripts } from ${JSON.stringify(sourceUrl("src/agent/sessions/open-transcripts.ts"))};
    const { collections } = await openStore({ folder: ${JSON.stringify(folder)} });
    const transcripts = openTranscripts(collections);
    await transcripts.open({ id: "shared", agent: { id: "a", name: "Ada" }, workspace: "/srv", model: "m" });
    for (let count = 0; ; count += 1) {
      const text = ${JSON.stringify(name)} + " " + count + " " + "x".repeat(5000);
      const message = { role: "user", content: [{ type: "text", text }] };
      const { seq } = await transcripts.append("shared", { kind: "message", turn: 1, message });
      console.log(seq);
    }
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The numbers that a writer was told before it was killed. */
async function killedAfter(writer: ChildProcess, count: number): Promise<readonly number[]> {
  const seqs: number[] = [];
  const ended = once(writer, "close");
  assert.ok(writer.stdout);
  for await (const line of createInterface({ input: writer.stdout })) {
    seqs.push(Number(line));
    if (seqs.length === count) writer.kill("SIGKILL");
  }
  await ended;
  return seqs;
}

test("entries that two killed processes wrote to one session are all there, in one order, once", async (t) => {
  const folder = temporaryFolder(t);
  const names = ["left", "right"];
  const told = await Promise.all(names.map((name) => killedAfter(startWriter(folder, name), WRITTEN)));
  const store = await openStore({ folder });
  t.after(() => store.close());
  const { entries, info } = await openTranscripts(store.collections).open({
    id: "shared",
    agent: { id: "a", name: "Ada" },
    workspace: "/srv",
    model: "m",
  });
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
  );
  for (const [index, name] of names.entries()) {
    const own = entries.flatMap((entry) => {
      const [content] =
        entry.kind === "message" && entry.message.role === "user" ? entry.message.content : [];
      const text = content?.type === "text" ? content.text : "";
      return text.startsWith(name) ? [[entry.seq, Number(text.split(" ")[1])] as const] : [];
    });
    assert.deepEqual(
      own.map(([, count]) => count),
      own.map((_, count) => count),
      "each in its own order",
    );
    const seqs = own.map(([seq]) => seq);
    assert.deepEqual(
      told[index]?.slice(0, WRITTEN),
      seqs.slice(0, WRITTEN),
      "each under the number it was told",
    );
  }
  assert.ok(info.updatedAt >= (entries.at(-1)?.at ?? 0), "the session is as new as its last entry");
});
