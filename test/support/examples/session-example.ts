import { join } from "node:path";
import { openTranscripts } from "../../../src/agent/sessions/open-transcripts.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Place } from "../../flows/support/cli.ts";

/** A session of six turns, kept where the program of a place finds it. */
export async function keepSession({ home, folder }: Place, id: string): Promise<void> {
  const store = await openStore({ folder: join(home, "state") });
  const transcripts = openTranscripts(store.collections);
  await transcripts.open({ id, agent: { id, name: "Ada" }, workspace: folder, model: "fake/model" });
  for (let turn = 1; turn <= 6; turn += 1) {
    const part = { type: "text", text: `turn ${turn}` } as const;
    await transcripts.append(id, { kind: "message", turn, message: { role: "user", content: [part] } });
    await transcripts.append(id, { kind: "message", turn, message: { role: "assistant", parts: [part] } });
    await transcripts.append(id, { kind: "state", state: "done" });
  }
  await store.close();
}
