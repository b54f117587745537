import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME } from "../../../test/support/engines/policy-jobs.ts";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { findProtectedRead } from "./find-protected-read.ts";
import { createProtectedReads } from "./protected-reads.ts";

const context = { protectedReads: createProtectedReads(HOME, []), knowledge: KNOWLEDGE, isOnHost: true };

async function askedOf(texts: string): Promise<readonly string[]> {
  const asked: string[] = [];
  for (const text of texts.split("\n"))
    if (findProtectedRead(await shellSubject(text), context, () => []) !== undefined) asked.push(text);
  return asked;
}

test("an argument that ends with the name of a key is the file, also behind an option, an equals sign, a colon or an at", async () => {
  const asked = `mytool server.key
mytool a server.key
ls; mytool server.key
mytool -fserver.key
mytool -k=server.key
mytool --key=server.key
mytool --key-file=server.key
mytool --key:server.key
mytool k=server.key
mytool a:server.key
mytool u@server.key
mytool certs/server.key
python3 -c 'open("server.key")'
node -e 'read("server.key")'
node -e "read('server.key')"`;
  assert.deepEqual(await askedOf(asked), asked.split("\n"));
});

test("a property of that name in code is no file", async () => {
  const free = `python3 -c 'print(event.key)'
node -e 'f(event.key); g(-event.key)'
ls; python3 -c 'print(event.key, 1)'`;
  assert.deepEqual(await askedOf(free), []);
});

test("a script of sed that reads a protected file is asked about, also beside other commands", async () => {
  const reading = `sed 'r.env' a.txt
ls; sed '1r.env' a.txt
sed -n '$r .env' a.txt | cat`;
  assert.deepEqual(await askedOf(reading), reading.split("\n"));
  assert.deepEqual(await askedOf("sed 's/a.key/b/' a.txt\nsed -i 's/server.key/b/' a.txt\ned a.txt"), []);
});
