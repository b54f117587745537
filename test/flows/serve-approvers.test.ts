import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createPlace, runCli, until } from "./support/cli.ts";
import { textOf } from "./support/mcp-client.ts";
import { startServe } from "./support/serve.ts";

test("of an MCP client, the page and a terminal, the first that answers a call wins, and the others close", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place);
  const { received } = await served.events();
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  t.after(() => client.close());
  const forms: { readonly signal: AbortSignal; readonly accept: () => void }[] = [];
  client.setRequestHandler(
    "elicitation/create",
    (_request, { mcpReq: { signal } }) =>
      new Promise((resolve) => {
        const accept = (): void => resolve({ action: "accept", content: { answer: "once" } });
        forms.push({ signal, accept });
      }),
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`/mcp?token=${served.token}`, served.address)),
  );

  const onPage = async (id: string): Promise<boolean> =>
    (await served.send<"decide">("POST", `/api/approvals/${id}`, { choice: "once" })).status === 200;
  const onTerminal = async (id: string): Promise<boolean> =>
    (await runCli(place, ["approve", id])).code === 0;
  const atClient = async (): Promise<boolean> => {
    const form = forms.at(-1);
    form?.accept();
    return form?.signal.aborted === false;
  };
  const approvers = { onPage, onTerminal, atClient };
  for (const [first, answerFirst] of Object.entries(approvers)) {
    const [events, shown] = [received.length, forms.length];
    const command = `touch ${first}`;
    const answered = client.callTool({ name: "shell", arguments: { command } });
    const pending = () => received.slice(events).find((event) => event.type === "approval.pending");
    await until(
      "the page and the client show the call",
      () => pending() !== undefined && forms.length > shown,
    );
    const event = pending();
    const id = event?.type === "approval.pending" ? event.approval.id : "";
    assert.equal(await answerFirst(id), true, first);
    assert.notEqual((await answered).isError, true, textOf(await answered));
    assert.ok(existsSync(join(place.folder, first)), first);
    await until("the page closes it", () =>
      received.slice(events).some((one) => one.type === "approval.closed" && one.id === id),
    );
    if (first !== "atClient") await until("the form closes", () => forms.at(-1)?.signal.aborted === true);
    const others = Object.entries(approvers).filter(([name]) => name !== first);
    for (const [name, answer] of others) assert.equal(await answer(id), false, `${name} after ${first}`);
  }
});
