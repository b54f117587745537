import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../../core/errors.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { engineOf, say, setSource, slowSource } from "../../../../test/support/engines/sources.ts";
import { refreshCommand } from "./refresh.ts";
import type { SlashCommand } from "./slash-command.ts";
import { toolCommand } from "./tool.ts";

/** What a command shows. */
async function shown(command: SlashCommand, engine: Engine, args = ""): Promise<string> {
  let text = "";
  await command.run(args, { engine, print: (piece) => void (text += piece) });
  return text;
}

test("/tool lists every tool with what it is for", async (t) => {
  const odd = say("odd", "", { description: "Says \u{1b}[31mred\nthings. And more." });
  const engine = engineOf(t, { tools: [say("first_one"), odd] });
  assert.equal(
    await shown(toolCommand, engine),
    "first_one  Says something.\nodd        Says \\u{1b}[31mred things.\n",
  );
});

test("/tool waits for what is loading", async (t) => {
  const engine = engineOf(t);
  const source = slowSource();
  engine.sources.add(source);
  const listing = shown(toolCommand, engine);
  source.end([say("late")]);
  assert.equal(await listing, "late  Says something.\n");
});

test("/tool and /refresh without a tool say that there is none", async (t) => {
  const engine = engineOf(t);
  assert.equal(await shown(toolCommand, engine), "No tools available\n");
  assert.equal(
    await shown(refreshCommand, engine),
    "Refreshing tools…\nTools refreshed. 0 tools available.\n",
  );
});

test("/tool NAME shows the tool with its schema", async (t) => {
  const input = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const engine = engineOf(t, { tools: [say("weather", "", { input })] });
  const text = await shown(toolCommand, engine, " weather ");
  assert.match(text, /^weather\n\nSays something\.\n/);
  assert.deepEqual(JSON.parse(text.slice(text.indexOf("Schema:\n") + 8)), input);
});

test("/tool UNKNOWN is an error that names the near ones and says to run /tool", async (t) => {
  const engine = engineOf(t, { tools: [say("weather")] });
  await assert.rejects(shown(toolCommand, engine, "wether"), (error) => {
    assert.ok(error instanceof ToolError);
    assert.deepEqual(
      [error.code, error.message, error.hint],
      ["TOOL_NOT_FOUND", 'no tool is named "wether"', "did you mean weather? run /tool to see all of them"],
    );
    return true;
  });
});

test("/refresh asks every source again and says how many tools there are", async (t) => {
  const engine = engineOf(t, { tools: [say("built_in")] });
  const source = setSource("set", [say("a")]);
  engine.sources.add(source);
  await engine.sources.settled();
  source.set([say("a"), say("b"), say("built_in")]);
  assert.equal(
    await shown(refreshCommand, engine),
    "Refreshing tools…\nTools refreshed. 3 tools available.\nProblems: 1, see toolwright tools --problems\n",
  );
});

test("/refresh that fails says why and keeps the tools", async (t) => {
  const engine = engineOf(t);
  const source = slowSource("disk");
  engine.sources.add(source);
  source.end([say("a")]);
  await engine.sources.settled();
  const refreshing = shown(refreshCommand, engine);
  const failed = assert.rejects(refreshing, /could not be refreshed: disk: it is gone/);
  await new Promise((resolve) => setImmediate(resolve));
  source.end(new Error("it is gone"));
  await failed;
  assert.equal(engine.sources.state(), "failed");
  assert.equal(await shown(toolCommand, engine), "a  Says something.\n");
});
