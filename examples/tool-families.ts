// Families of built-in tools: only what an agent needs.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { builtIn, memoryTools, proxyTools, reportTools, webTools } from "toolwright/tools";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-families-")));
const engine = createEngine({
  tools: [
    ...memoryTools({ root }),
    ...reportTools({ root, reportsFolder: join(root, "reports") }),
    ...webTools({ root }),
    ...proxyTools({ environment: {} }),
  ],
});
console.log(engine.list().map(({ name }) => name));

const list = await engine.call(builtIn.todoWrite, {
  todos: [{ content: "read the docs", status: "in_progress", priority: "high" }],
});
assert.ok(list.ok);
assert.equal(list.data.todos[0]?.content, "read the docs");
const note = await engine.call(builtIn.createNote, { title: "Port", content: "It listens on 8080." });
assert.ok(note.ok);
const notes = await engine.call(builtIn.listNotes, { search: "port" });
assert.ok(notes.ok);
assert.equal(notes.data.notes[0]?.id, note.data.note_id);
await engine.close();
rmSync(root, { recursive: true });
