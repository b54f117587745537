import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolError } from "../../src/core/errors.ts";
import type { EngineEvent } from "../../src/core/events.ts";
import { Reply } from "../../src/core/content.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { object, string } from "../../src/schema/define/schema.ts";
import { createMemoryArtifacts, createMemoryJournal } from "../../src/store/in-memory.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createEngine as createHostEngine } from "../../src/app/host/create-engine.ts";
import { isLong } from "../support/property-runs.ts";
import { openApi, petsApi, run, serveApi, specFile } from "../support/openapi.ts";
import { privateKey, secretCases } from "../support/secret-formats.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a secret of any format leaves an engine by no way: answer, data, error, event, progress, journal, artifact", async (t) => {
  const events: EngineEvent[] = [];
  const artifacts = createMemoryArtifacts();
  const journal = createMemoryJournal();
  const engine = createEngine({ mode: "yolo", artifacts, journal, log: (event) => void events.push(event) });
  t.after(() => engine.close());
  const input = object({ line: string() });
  const filler = "a line of ordinary text\n".repeat(3000);
  engine.add([
    defineTool({ name: "text", description: "t", input, run: ({ line }) => `before\n${line}\nafter` }),
    defineTool({
      name: "data",
      description: "t",
      input,
      run: ({ line }) => ({ matches: [{ line: 1, text: line }] }),
    }),
    defineTool({
      name: "both",
      description: "t",
      input,
      run: ({ line }) => new Reply(line, { data: { lines: [line] } }),
    }),
    defineTool({ name: "long", description: "t", input, run: ({ line }) => `${filler}${line}\n${filler}` }),
    defineTool({
      name: "fails",
      description: "t",
      input,
      run({ line }, context) {
        context.emit({ stream: "stdout", text: `${line}\n` });
        context.emit(line);
        throw new ToolError("TOOL_FAILED", line, { hint: line, details: { line } });
      },
    }),
  ]);
  for (let seed = 1; seed <= (isLong ? 4 : 1); seed += 1) {
    for (const { format, before, secret, after } of secretCases(100 + seed)) {
      const line = `${before}${secret}${after}`;
      for (const name of ["text", "data", "both", "long", "fails"]) {
        const result = await engine.run({ id: `${format}-${seed}-${name}`, name, input: { line } });
        assert.ok(!JSON.stringify(result).includes(secret), `${format} in the answer of ${name}`);
        const { artifactId = "" } = (result.meta.truncated ?? {}) as { artifactId?: string };
        if (name !== "long") continue;
        const info = await artifacts.info(artifactId);
        const stored = await artifacts.read(artifactId, 0, info?.size ?? 0);
        assert.ok(
          stored?.text.includes("ordinary") && !stored.text.includes(secret),
          `${format} in an artifact`,
        );
      }
      const told = JSON.stringify(events.splice(0));
      assert.ok(told.includes("call.answered") && !told.includes(secret), `${format} in an event`);
      assert.ok(!JSON.stringify(await journal.list?.()).includes(secret), `${format} in the journal`);
    }
  }
});

test("grep shows a private key neither in its text nor in its data, and the lines beside it are shown", async (t) => {
  const root = temporaryFolder(t);
  const key = privateKey(9, "PRIVATE KEY");
  writeFileSync(join(root, "k.pem"), ["first line", ...key, "last line"].join("\n"));
  const engine = createHostEngine({
    mode: "yolo",
    workspace: [root],
    tools: builtInTools({ root, environment: childEnvironment(process.env) }),
  });
  t.after(() => engine.close());
  for (const input of [
    { pattern: ".", path: "k.pem" },
    { pattern: "[A-Za-z]", path: "k.pem", output_mode: "content" },
  ]) {
    const result = await engine.run({ id: "1", name: "grep", input });
    const shown = JSON.stringify(result);
    for (const line of key.slice(1, -1)) assert.ok(!shown.includes(line.slice(0, 26)), shown);
  }
});

test("a line beside a masked one can be edited; an edit with a mask is refused with a hint, and changes nothing", async (t) => {
  const root = temporaryFolder(t);
  const file = join(root, ".env");
  const secret = "s3cr3tV4lue9x8y7z";
  writeFileSync(file, `PORT=8080\nAPI_TOKEN=${secret}\nHOST=a\n`);
  const engine = createHostEngine({
    mode: "yolo",
    workspace: [root],
    tools: builtInTools({ root, environment: childEnvironment(process.env) }),
  });
  t.after(() => engine.close());
  const edit = (old_string: string, new_string: string) =>
    engine.run({ id: "1", name: "edit_file", input: { path: ".env", old_string, new_string } });
  const read = await engine.run({ id: "1", name: "read_file", input: { path: ".env" } });
  assert.ok(read.ok && !JSON.stringify(read).includes(secret) && JSON.stringify(read).includes("PORT=8080"));
  const refused = await edit("API_TOKEN=⟦masked⟧\nHOST=a", "API_TOKEN=⟦masked⟧\nHOST=b");
  assert.match(JSON.stringify(refused), /stands for a secret.*leave the masked part out/);
  assert.equal(readFileSync(file, "utf8"), `PORT=8080\nAPI_TOKEN=${secret}\nHOST=a\n`);
  assert.equal((await edit("HOST=a", "HOST=b")).ok, true);
  assert.equal((await edit("PORT=8080", "PORT=9090")).ok, true);
  assert.equal(readFileSync(file, "utf8"), `PORT=9090\nAPI_TOKEN=${secret}\nHOST=b\n`);
});

test("an engine masks the login of an API that a program adds to it", async (t) => {
  const login = "tok-of-a-program";
  const { port, origin } = await serveApi(t, { body: JSON.stringify({ echo: `login is ${login}` }) });
  const { engine } = await openApi(t, {
    spec: specFile(t, petsApi(origin)),
    port,
    login: { type: "bearer", variable: "T" },
    variables: { T: login },
  });
  const shown = JSON.stringify(await run(engine, "pets_list"));
  assert.ok(shown.includes("login is ⟦masked⟧") && !shown.includes(login), shown);
});
