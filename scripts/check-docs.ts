// Fails when the docs and the tables of the program disagree, or when a page leads nowhere. One line for each fault.
import { existsSync, globSync } from "node:fs";
import { checkApi } from "./docs/api-pages.ts";
import { checkArchitecturePage } from "./docs/architecture-page.ts";
import { checkCliPage } from "./docs/cli-page.ts";
import { checkConfigurationPage } from "./docs/configuration-page.ts";
import { checkDialectsPage } from "./docs/dialects-page.ts";
import { checkErrorsPage } from "./docs/errors-page.ts";
import { readPage, type Page } from "./docs/page.ts";
import { checkHeadings, checkNames, checkReferences, checkSnippets } from "./docs/references.ts";
import { checkModelsPage } from "./docs/models-page.ts";
import { checkPolicyPage } from "./docs/policy-page.ts";
import { checkSentences } from "./docs/sentences.ts";
import { checkSecretsPage } from "./docs/secrets-page.ts";
import { checkToolsPage } from "./docs/tools-page.ts";

/** What must hold of one page besides its references. */
const CHECKS: Readonly<Record<string, (page: Page) => readonly string[] | Promise<readonly string[]>>> = {
  "docs/architecture.md": checkArchitecturePage,
  "docs/errors.md": checkErrorsPage,
  "docs/models.md": checkModelsPage,
  "docs/policy.md": checkPolicyPage,
  "docs/secrets.md": checkSecretsPage,
  "docs/tools.md": checkToolsPage,
  "docs/cli.md": checkCliPage,
  "docs/configuration.md": checkConfigurationPage,
  "docs/dialects.md": checkDialectsPage,
  "docs/fleet.md": checkSnippets,
  "docs/guides/quick-start.md": checkSnippets,
  "docs/guides/testing.md": checkSnippets,
  "docs/guides/deployment.md": checkSnippets,
  "docs/guides/migration.md": checkSnippets,
  "docs/library.md": (page) => [...checkSnippets(page), ...checkEveryExample(page)],
};

const ROOT_PAGES = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
];
const files = [...ROOT_PAGES, ...globSync("docs/**/*.md").sort()];
const faults = Object.keys(CHECKS)
  .filter((file) => !existsSync(file))
  .map((file) => `${file}: it does not exist`);
for (const page of files.filter((file) => existsSync(file)).map(readPage)) {
  faults.push(...checkReferences(page), ...checkHeadings(page), ...((await CHECKS[page.file]?.(page)) ?? []));
}

const readmes = globSync(["src/**/README.md", "web/**/README.md", "test/**/README.md"]).sort();
for (const page of readmes.map(readPage)) faults.push(...checkReferences(page), ...checkNames(page));

faults.push(...checkApi(), ...checkSentences());

for (const fault of faults) console.error(fault);
console.log(`${files.length + readmes.length} pages, ${faults.length} faults`);
if (faults.length > 0) process.exit(1);

function checkEveryExample({ file, lines }: Page): readonly string[] {
  const text = lines.join("\n");
  return globSync(["examples/*.ts", "examples/*/*.ts"])
    .sort()
    .filter((example) => !text.includes(`../${example})`))
    .map((example) => `${file}: ${example} is not mentioned`);
}
