// A process that suspends a call in the store of the folder and prints its token; with a token, one that resumes it and prints the answer.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createEngine } from "../../src/engine/engine.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { object, string } from "../../src/schema/define/schema.ts";
import { openStore } from "../../src/store/open-store.ts";

const [folder = "", token] = process.argv.slice(2);
const { journal } = await openStore({ folder: join(folder, "state") });
const send = defineTool({
  name: "send",
  description: "Sends a mail.",
  input: object({ to: string() }),
  run: ({ to }) => appendFileSync(join(folder, "sent"), `${to}\n`),
});
const engine = createEngine({ tools: [send], journal });
if (token === undefined) {
  const call = { id: "c", name: "send", input: { to: "ann" } };
  const result = await engine.run(call, { whenAsked: "return", session: "s", subject: "bob" });
  console.log("pending" in result ? result.token : "answered");
  process.stdin.resume();
} else {
  console.log(JSON.stringify(await engine.resume(token, { approved: true, scope: "once" })));
  await engine.close();
  await journal.close();
}
