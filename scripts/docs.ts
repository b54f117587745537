// Writes what the docs have from the code: the API reference, the tables that `npm run check` compares, and the drawing of the rooms.
import { mkdirSync, writeFileSync } from "node:fs";
import { apiPages } from "./docs/api-pages.ts";
import { writeCliPage } from "./docs/cli-page.ts";
import { writeConfigurationPage } from "./docs/configuration-page.ts";
import { writeDialectsPage } from "./docs/dialects-page.ts";
import { writeErrorsPage } from "./docs/errors-page.ts";
import { readPage, type Page } from "./docs/page.ts";
import { drawRooms, ROOMS_DRAWING } from "./docs/rooms-drawing.ts";
import { writeModelsPage } from "./docs/models-page.ts";
import { writePolicyPage } from "./docs/policy-page.ts";
import { writeSecretsPage } from "./docs/secrets-page.ts";
import { writeToolsPage } from "./docs/tools-page.ts";

const WRITERS: Readonly<Record<string, (page: Page) => readonly string[] | Promise<readonly string[]>>> = {
  "docs/cli.md": writeCliPage,
  "docs/configuration.md": writeConfigurationPage,
  "docs/dialects.md": writeDialectsPage,
  "docs/errors.md": writeErrorsPage,
  "docs/models.md": writeModelsPage,
  "docs/policy.md": writePolicyPage,
  "docs/secrets.md": writeSecretsPage,
  "docs/tools.md": writeToolsPage,
};

for (const [file, write] of Object.entries(WRITERS))
  writeFileSync(file, (await write(readPage(file))).join("\n"));
writeFileSync(ROOMS_DRAWING, drawRooms());
mkdirSync("docs/api", { recursive: true });
for (const [file, text] of apiPages()) writeFileSync(file, text);
