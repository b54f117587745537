import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadConfig } from "../../config/config.ts";
import { findConfiguredModels, openConfiguredModel, openUsableModel } from "../open-configured-model.ts";
import { keyIn, keysOf, readableKeys, removeKey, storeKey } from "./stored-key.ts";

const NAME = "OPENAI_API_KEY";

function open(t: TestContext, variables: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder(t);
  return { home, config: () => loadConfig({}, { cwd: home, userHome: home, variables }) };
}

const ignore = (): void => undefined;

/** Writes a program that stores keys as `secret-tool` does, and that records each key it gives; returns what reaches it. */
function fakeKeyring(t: TestContext) {
  const folder = temporaryFolder(t);
  const script = `#!/bin/sh
for name; do :; done
case $1 in
  store) cat > "${folder}/$name" ;;
  lookup) echo "$name" >> "${folder}/lookups"; cat "${folder}/$name" ;;
  clear) [ -e "${folder}/stays" ] || rm "${folder}/$name" ;;
esac
`;
  writeFileSync(join(folder, "secret-tool"), script, { mode: 0o755 });
  const variables = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/x",
  };
  const lookups = join(folder, "lookups");
  /** With true, keys stay when they are to be removed. */
  const stays = (isOn: boolean): void =>
    isOn ? writeFileSync(join(folder, "stays"), "") : rmSync(join(folder, "stays"));
  return { variables, stays, lookups: () => (existsSync(lookups) ? readFileSync(lookups, "utf8") : "") };
}

function write(home: string, text: string): void {
  mkdirSync(join(home, ".toolwright"), { recursive: true });
  writeFileSync(join(home, ".toolwright/keys.json"), text, { mode: 0o600 });
}

test("without a keyring a key is stored in a file that only the user can read, masked, and used", async (t) => {
  const { home, config } = open(t);
  const file = join(home, ".toolwright/keys.json");
  assert.equal(await storeKey(config(), NAME, "sk-one"), file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(await keyIn(keysOf("openai"), config(), ignore), "sk-one");
  assert.equal(await keyIn(keysOf("openai-chat"), config(), ignore), "sk-one", "both APIs have one key");
  assert.equal(await keyIn(keysOf("anthropic"), config(), ignore), undefined);
  assert.ok(config().environment.secrets.includes("sk-one"));
  assert.equal((await openConfiguredModel(config(), ignore, "openai/gpt-5")).id, "openai/gpt-5");
  const found = await findConfiguredModels(config(), { isLocal: true, timeoutMs: 1 });
  assert.deepEqual(found, [{ id: "openai/gpt-5", provider: "openai", where: "its stored key" }]);
  assert.equal(await removeKey(config(), NAME), true);
  assert.equal(await removeKey(config(), NAME), false);
  assert.doesNotMatch(readFileSync(file, "utf8"), /sk-one/);
  await assert.rejects(openConfiguredModel(config(), ignore, "openai/gpt-5"), /openai needs a key/);
});

test("a key in the environment goes over a stored one", async (t) => {
  const { config } = open(t, { [NAME]: "sk-environment" });
  await storeKey(config(), NAME, "sk-one");
  assert.equal(await keyIn(keysOf("openai"), config(), ignore), "sk-environment");
});

test("a stored key whose variable the settings name is used, and the model that is announced opens", async (t) => {
  const { home, config } = open(t);
  await storeKey(config(), NAME, "sk-one");
  for (const keyVariable of [NAME, "COMPANY_KEY"]) {
    writeFileSync(
      join(home, ".toolwright/config.json"),
      JSON.stringify({ models: { openai: { keyVariable } } }),
    );
    const lines: string[] = [];
    const opened = openUsableModel(config(), ignore, (line) => void lines.push(line));
    if (keyVariable === NAME) assert.equal((await opened).id, "openai/gpt-5");
    else await assert.rejects(opened, /no model is set/);
    assert.equal(lines.length, keyVariable === NAME ? 1 : 0);
    assert.match(lines.join(""), keyVariable === NAME ? /using openai\/gpt-5 \(its stored key\)/ : /^$/);
  }
});

test("a file of keys that others can read is not used", async (t) => {
  const { home, config } = open(t);
  await storeKey(config(), NAME, "sk-one");
  chmodSync(join(home, ".toolwright/keys.json"), 0o640);
  await assert.rejects(
    openConfiguredModel(config(), ignore, "openai/gpt-5"),
    /other users can read .*keys\.json/,
  );
  assert.deepEqual(await findConfiguredModels(config(), { isLocal: true, timeoutMs: 1 }), []);
});

test("a damaged file of keys is an error only where a key is needed", async (t) => {
  const { home, config } = open(t);
  for (const text of ["{", "[]", `{"${NAME}": 7}`, `{"${NAME}": {"keyring": false}}`]) {
    write(home, text);
    await assert.rejects(keyIn(keysOf("openai"), config(), ignore), /keys\.json/, text);
    assert.equal(config().agent.model, "");
  }
});

test("a key of a keyring that is gone is an error that says what to do", async (t) => {
  const { home, config } = open(t);
  write(home, `{"${NAME}": {"keyring": true}}`);
  await assert.rejects(keyIn(keysOf("openai"), config(), ignore), {
    code: "MISSING_CREDENTIALS",
    hint: /unlock the keyring, set OPENAI_API_KEY .*toolwright login/,
  });
  assert.deepEqual(await readableKeys(config(), ignore), {});
});

test("a key that the keyring does not remove is not reported as removed", async (t) => {
  const { variables, stays } = fakeKeyring(t);
  const { config } = open(t, variables);
  assert.equal(await storeKey(config(), NAME, "key-of-the-keyring"), "the system's keyring");
  stays(true);
  await assert.rejects(removeKey(config(), NAME), { code: "UNAVAILABLE", hint: /unlock the keyring/ });
  assert.equal(await keyIn(keysOf("openai"), config(), ignore), "key-of-the-keyring");
  stays(false);
  assert.equal(await removeKey(config(), NAME), true);
  assert.equal(await keyIn(keysOf("openai"), config(), ignore), undefined);
});

test("a key of the keyring is passed on to be masked, and completion does not ask the keyring", async (t) => {
  const { variables, lookups } = fakeKeyring(t);
  const { config } = open(t, variables);
  assert.equal(await storeKey(config(), NAME, "key-of-the-keyring"), "the system's keyring");
  const before = lookups();
  const suggested = { id: "openai/gpt-5", provider: "openai", where: "its stored key" };
  const local = await findConfiguredModels(config(), { isLocal: true, timeoutMs: 1 });
  assert.deepEqual(local, [suggested]);
  assert.equal(lookups(), before);
  assert.ok(!config().environment.secrets.includes("key-of-the-keyring"));
  const learnt: string[] = [];
  const learn = (key: string): void => void learnt.push(key);
  await openConfiguredModel(config(), learn, "openai/gpt-5");
  assert.deepEqual(learnt, ["key-of-the-keyring"]);
});
