// Writes the API reference, docs/api/, from the types.
import { mkdirSync, writeFileSync } from "node:fs";
import { apiPages } from "./docs/api-pages.ts";

mkdirSync("docs/api", { recursive: true });
for (const [file, text] of apiPages()) writeFileSync(file, text);
