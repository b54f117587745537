import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadConfig } from "./config.ts";
import type { Environment } from "./environment.ts";

interface Settings {
  readonly user?: unknown;
  readonly variables?: Environment["variables"];
}

function placeWith(t: TestContext, { user = {}, variables = {} }: Settings): Environment {
  const root = temporaryFolder(t);
  const [cwd, userHome] = [join(root, "work"), join(root, "home")];
  for (const folder of [cwd, join(userHome, ".toolwright")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(userHome, ".toolwright/config.json"), JSON.stringify(user));
  return { cwd, userHome, variables };
}

test("values of secret-named variables are secrets, others are not", (t) => {
  const secret = {
    OPENAI_API_KEY: "one1one1",
    GITHUB_TOKEN: "two-two",
    AWS_SECRET: "three3",
    DB_PASSWORD_FILE: "four44",
    my_token: "five55",
    DB_PASS: "hunter",
    MYTOKEN: "six666",
    STRIPE_SK: "seven7",
    APIKEY: "eight8",
    AUTH: "user:nine",
    SSHPASS: "!tenten",
    PASSPHRASE: "a horse eats",
    PIN: "111213",
    WEBHOOK_URL: "https://hooks.test/T1/B2",
    SENTRY_DSN: "https://k1@sentry.test/1",
    COOKIE: "session=12",
    SALT: "13thirteen",
    JWT: "14fourteen",
  };
  const other = {
    MONKEY: "banana",
    TOKENIZERS_PARALLELISM: "false-ish",
    PATH: "/bin/of/it",
    AUTH_TOKEN: "true",
    USE_TOKEN: "1",
    NODE_SECRET: "production",
    GOOGLE_CREDENTIALS: "/run/secrets/google.json",
    X_AUTH: "kerberos",
    SORT_KEY: "created",
    RETRY_PIN: "3",
  };
  const { secrets } = loadConfig({}, placeWith(t, { variables: { ...secret, ...other } })).environment;
  assert.deepEqual(secrets, Object.values(secret));
});

test("patterns of secrets are read, and one that could take long is refused with its place", (t) => {
  const read = (acme: string) =>
    loadConfig({}, placeWith(t, { user: { secretPatterns: { acme } } })).environment.secretPatterns;
  assert.deepEqual(read("acme_[0-9a-f]{32}"), { acme: "acme_[0-9a-f]{32}" });
  assert.throws(
    () => read("(a+)+b"),
    /config\.json:1:19: secretPatterns\.acme: the pattern .* could take too long/,
  );
});
