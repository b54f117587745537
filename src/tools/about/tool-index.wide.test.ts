import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createToolIndex } from "./search-tools.ts";
import { runs } from "../../../test/support/property-runs.ts";

function indexOf(tools: Readonly<Record<string, string>>) {
  const made = Object.entries(tools).map(([name, description]) => ({
    tool: defineTool({ name, description, run: () => "" }),
    group: undefined,
  }));
  const index = createToolIndex(made);
  return (query: string, limit = 8) => index.search(query, limit).map(({ tool }) => tool.name);
}

const search = indexOf({
  create_issue: "Opens a new issue in a repository.",
  closeIssue: "Closes an issue.",
  list_files: "Lists the files of a folder.",
  send_mail: "Sends a letter. It can be about an issue.",
  größe: "Sagt die Größe einer Datei.",
});

test("a tool whose name has the words comes before one that only mentions them", () => {
  assert.deepEqual(search("issue"), ["closeIssue", "create_issue", "send_mail"]);
  assert.equal(search("create an issue")[0], "create_issue");
});

test("names in camel case, plurals, beginnings of words and letters of other alphabets are found", () => {
  assert.equal(search("close")[0], "closeIssue");
  assert.equal(search("file")[0], "list_files");
  assert.equal(search("repo")[0], "create_issue");
  assert.equal(search("GRÖSSE").length, 0);
  assert.equal(search("größe")[0], "größe");
});

test("other forms of a word and common synonyms are found, and the word itself comes first", () => {
  const find = indexOf({
    greet: "Says hello.",
    delete_file: "Deletes a file.",
    remove_user: "Takes a user out of a team.",
  });
  for (const word of ["greeting", "greetings", "greeted"]) assert.deepEqual(find(word), ["greet"]);
  assert.deepEqual(find("removing"), ["remove_user", "delete_file"]);
  assert.equal(find("erase the document")[0], "delete_file");
});

test("stop words match nothing if another word does", () => {
  assert.deepEqual(search("how do I use the letter"), ["send_mail"]);
  assert.ok(search("the").length > 0);
});

test("a query without any known word finds nothing, and the limit is respected", () => {
  assert.deepEqual(search("zebra"), []);
  assert.deepEqual(search(""), []);
  assert.equal(search("issue", 2).length, 2);
});

test("every tool is found by its own name, among the best", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}_[a-z]{3,8}$/), { minLength: 1 }), (names) => {
      const find = indexOf(Object.fromEntries(names.map((name) => [name, "does something"])));
      for (const name of names) assert.ok(find(name, names.length).includes(name));
    }),
    { numRuns: runs(50) },
  );
});
