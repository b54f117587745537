import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { answer, call } from "../../../src/app/host/testing/contracts/journal-calls.ts";
import { write } from "../../../src/app/host/testing/contracts/artifact-texts.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/replaceable-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Answers calls with these numbers. */
export async function record({ journal }: Store, from: number, to: number, text = ""): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    const entry = journal.receive(call(`call-${number}`));
    await entry.start("none");
    await entry.settle(answer(`call-${number}`, `answer ${number} ${text}`));
  }
}

/** Returns the ids of the calls of a store, the newest first. */
export async function idsOf(folder: string): Promise<readonly string[]> {
  const store = await openStore({ folder });
  try {
    return (await store.journal.list()).map(({ callId }) => callId);
  } finally {
    await store.close();
  }
}

/** A store with three calls, a session, a grant and an artifact. */
export async function filled(t: TestContext) {
  const folder = join(temporaryFolder(t), "state");
  const store = await openStore({ folder });
  await record(store, 1, 3);
  await store.collections.open("sessions").set("one", { title: "a session" });
  await store.collections.open("memory").set("m", "remembered");
  const { id } = await write(store.artifacts, ["a long answer"]);
  return { folder, store, artifact: id, copy: join(folder, "..", "copy") };
}

export const PAGE = 4096;

/** Overwrites the pages for which `isHit` with bytes that are no page. */
export function damage(folder: string, isHit: (page: Buffer, number: number) => boolean): number {
  const path = join(folder, "toolwright.db");
  const bytes = readFileSync(path);
  let hits = 0;
  for (let number = 1; number * PAGE < bytes.length; number += 1) {
    const page = bytes.subarray(number * PAGE, (number + 1) * PAGE);
    if (!isHit(page, number)) continue;
    page.fill(0xee);
    hits += 1;
  }
  writeFileSync(path, bytes);
  return hits;
}
