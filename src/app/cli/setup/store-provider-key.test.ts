import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadConfig } from "../../config/config.ts";
import { storeProviderKey } from "./store-provider-key.ts";

interface Case {
  readonly provider: string;
  readonly models?: object;
  readonly variables?: Readonly<Record<string, string>>;
  readonly says: string;
}

const COMPANY = { openai: { keyVariable: "COMPANY_KEY" } };
const CASES: readonly Case[] = [
  { provider: "openai", says: "" },
  {
    provider: "openai",
    variables: { OPENAI_API_KEY: "k" },
    says: "; OPENAI_API_KEY in the environment is used instead",
  },
  {
    provider: "google",
    variables: { GOOGLE_API_KEY: "k" },
    says: "; GOOGLE_API_KEY in the environment is used instead",
  },
  {
    provider: "openai",
    models: COMPANY,
    variables: { COMPANY_KEY: "k" },
    says: "; COMPANY_KEY in the environment is used instead",
  },
  {
    provider: "openai",
    models: COMPANY,
    variables: { OPENAI_API_KEY: "k" },
    says: "; it is not used: the settings name COMPANY_KEY, which is not set",
  },
  { provider: "openai", models: { openai: { keyVariable: "OPENAI_API_KEY" } }, says: "" },
];

for (const { provider, models = {}, variables = {}, says } of CASES)
  test(`with ${JSON.stringify({ models, variables })} the key of ${provider} is stored${says}`, async (t) => {
    const home = temporaryFolder(t);
    mkdirSync(join(home, ".toolwright"));
    writeFileSync(join(home, ".toolwright/config.json"), JSON.stringify({ models }));
    const config = loadConfig({}, { cwd: home, userHome: home, variables });
    const file = join(home, ".toolwright/keys.json");
    assert.equal(
      await storeProviderKey(config, provider, "sk-1"),
      `stored the key of ${provider} in ${file}${says}\n`,
    );
  });
