import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { MAX_CONTENT_CHARACTERS, MAX_NOTES, type KeptNote } from "./notes.ts";

async function withNotes(t: Parameters<typeof openMemoryTools>[0]) {
  const kept = openMemoryTools(t);
  const ids: string[] = [];
  for (const note of [
    { title: "Login", content: "has no rate limit", category: "finding", tags: ["auth", "web"] },
    { title: "Plan", content: "look at the login next", tags: ["web"] },
    { title: "Hosts", content: "10.0.0.1 answers on port 22", category: "recon" },
  ]) {
    ids.push((await kept.data("create_note", note))["note_id"] as string);
  }
  const titles = async (input: Parameters<typeof kept.data>[1]) =>
    ((await kept.data("list_notes", input))["notes"] as readonly KeptNote[]).map(({ title }) => title);
  return { ...kept, ids, titles };
}

test("notes are found by category, by any of their tags and by words, together or alone", async (t) => {
  const { titles } = await withNotes(t);
  assert.deepEqual((await titles({})).toSorted(), ["Hosts", "Login", "Plan"]);
  assert.deepEqual(await titles({ category: "Finding" }), ["Login"]);
  assert.deepEqual((await titles({ tags: ["web", "none"] })).toSorted(), ["Login", "Plan"]);
  assert.deepEqual(await titles({ search: "login" }), ["Login", "Plan"]);
  assert.deepEqual(await titles({ search: "login", category: "general" }), ["Plan"]);
  assert.deepEqual(await titles({ search: "ports" }), ["Hosts"]);
  assert.deepEqual(await titles({ search: "zebra" }), []);
});

test("a note is shown with id, title, category, tags and content; an empty list says so", async (t) => {
  const { text, ids } = await withNotes(t);
  assert.match(
    await text("list_notes", { category: "finding" }),
    new RegExp(`^${ids[0]} Login \\[finding #auth #web 20\\d\\d-\\d\\d-\\d\\d\\]\nhas no rate limit$`),
  );
  assert.equal(await text("list_notes", { category: "none" }), "[no note matches]");
});

test("an update changes the given fields and leaves the rest", async (t) => {
  const { data, titles, ids } = await withNotes(t);
  await data("update_note", { note_id: ids[0] ?? "", content: "has one now", tags: [] });
  const { notes } = await data("list_notes", { search: "login" });
  const note = (notes as readonly KeptNote[]).find(({ id }) => id === ids[0]);
  assert.deepEqual(
    [note?.title, note?.content, note?.category, note?.tags],
    ["Login", "has one now", "finding", []],
  );
  assert.ok((note?.updatedAt ?? 0) >= (note?.createdAt ?? 1));
  assert.equal((await titles({})).length, 3);
});

test("the last changed come first", async (t) => {
  const { root, collections, data } = openMemoryTools(t);
  for (const [index, title] of ["b", "a", "c"].entries()) {
    const note = { title, content: "", category: "general", tags: [], createdAt: index, updatedAt: index };
    await collections.open("notes").set(`${root.length}:${root}:${title}`, note);
  }
  const titles = async () =>
    ((await data("list_notes"))["notes"] as readonly KeptNote[]).map(({ title }) => title);
  assert.deepEqual(await titles(), ["c", "a", "b"]);
  await data("update_note", { note_id: "b", title: "b2" });
  assert.deepEqual(await titles(), ["b2", "c", "a"]);
});

test("a deleted note is gone; an unknown note and an empty change are rejected", async (t) => {
  const { data, fault, titles, ids } = await withNotes(t);
  await data("delete_note", { note_id: ids[1] ?? "" });
  assert.deepEqual((await titles({})).toSorted(), ["Hosts", "Login"]);
  assert.match((await fault("delete_note", { note_id: ids[1] ?? "" })).hint ?? "", /list_notes/);
  assert.match((await fault("update_note", { note_id: "nope", title: "x" })).message, /unknown note "nope"/);
  assert.equal((await fault("update_note", { note_id: ids[0] ?? "" })).code, "INVALID_INPUT");
  const long = { title: "x", content: "x".repeat(MAX_CONTENT_CHARACTERS + 1) };
  assert.equal((await fault("create_note", long)).code, "INVALID_INPUT");
});

test("many long notes are shown by their beginnings; one alone is whole", async (t) => {
  const { data, text } = openMemoryTools(t);
  const content = "long words ".repeat(700);
  for (const title of ["one", "two"]) await data("create_note", { title, content });
  const both = await text("list_notes");
  assert.match(both, /^\[2 notes, shown by their beginnings/);
  assert.ok(both.length < 1000);
  const { notes } = await data("list_notes", { search: "two" });
  assert.equal((notes as readonly KeptNote[])[0]?.content, content);
});

test("no more notes are stored than the description says", async (t) => {
  const { root, collections, fault, engine } = openMemoryTools(t);
  const notes = collections.open("notes");
  for (let index = 0; index < MAX_NOTES; index += 1) {
    await notes.set(`${root.length}:${root}:${index}`, {
      title: "x",
      content: "",
      category: "general",
      tags: [],
    });
  }
  assert.match(
    (await fault("create_note", { title: "x", content: "" })).message,
    new RegExp(`${MAX_NOTES} notes`),
  );
  assert.equal((await notes.list()).length, MAX_NOTES);
  assert.ok(engine.get("create_note")?.description.includes(`${MAX_NOTES} notes`));
});
