// Methods of a class as tools. A standard decorator, so the file is compiled first: Node strips types, not decorators.
import assert from "node:assert/strict";
import { createEngine, object, string, tool, toolsOf, type ToolContext } from "toolwright";

class Notebook {
  readonly #notes: string[] = [];

  @tool({ description: "Adds a note.", input: object({ text: string("The text of the note") }), risk: "low" })
  addNote({ text }: { readonly text: string }, { emit }: ToolContext): string {
    this.#notes.push(text);
    emit(`${this.#notes.length} notes`);
    return "added";
  }

  @tool({ name: "notes", description: "Lists the notes.", risk: "low" })
  listNotes(): readonly string[] {
    return this.#notes;
  }

  // Not decorated: no tool.
  clear(): void {
    this.#notes.length = 0;
  }
}

const engine = createEngine();
engine.add(toolsOf(new Notebook()));
const names = engine.list().map((spec) => spec.name);
console.log(names);
assert.deepEqual(names, ["add_note", "notes"]);

await engine.run({ id: "1", name: "add_note", input: { text: "buy milk" } });
const listed = await engine.run({ id: "2", name: "notes", input: {} });
assert.ok(listed.ok);
console.log(listed.data);
assert.deepEqual(listed.data, ["buy milk"]);
await engine.close();
