// A call that needs approval is suspended, and resumed in another process: for servers, functions and queues.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool, object, string } from "toolwright";
import { openStore } from "toolwright/store";

const mail = defineTool({
  name: "send_mail",
  description: "Sends a mail.",
  input: object({ to: string("The receiver") }),
  run: ({ to }) => `sent to ${to}`,
});

/** Stands for one request to a server: each opens the store anew, as another process would. */
async function request<T>(handle: (engine: ReturnType<typeof createEngine>) => Promise<T>): Promise<T> {
  const store = await openStore({ folder });
  const engine = createEngine({ tools: [mail], journal: store.journal });
  try {
    return await handle(engine);
  } finally {
    await engine.close();
    await store.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "toolwright-resume-"));
try {
  const call = { id: "call-1", name: "send_mail", input: { to: "ann@example.com" } };
  const result = await request((engine) => engine.run(call, { whenAsked: "return" }));
  if (!("pending" in result)) throw new Error("it needs no approval");
  // Show `result.request` to a person, and store the token until they decide.
  console.log(result.request.reason, result.request.input);

  const { token } = result;
  const answer = await request((engine) => engine.resume(token, { approved: true, scope: "once" }));
  console.log(answer.content);
  assert.equal(answer.ok, true);
  // The call has one answer: a second resumption returns it and runs nothing.
  assert.deepEqual(
    await request((engine) => engine.resume(token, { approved: true, scope: "once" })),
    answer,
  );
} finally {
  rmSync(folder, { recursive: true });
}
