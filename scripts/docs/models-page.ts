import type { Price } from "../../src/core/agent/model.ts";
import { PROVIDERS } from "../../src/models/providers/providers.ts";
import type { KnownModel } from "../../src/models/providers/known-models.ts";
import { compareLines, replaceRows, rowsOf, type Page } from "./page.ts";

/** The rows of models begin with a name in code; other tables of the page have other words there. */
const isRow = (line: string): boolean => /^\| `(?:claude|gpt|o\d|gemini)-?/.test(line);

/** The table of known models is on the page, row for row. */
export function checkModelsPage({ file, lines }: Page): readonly string[] {
  return compareLines(file, modelRows(), rowsOf(lines).filter(isRow));
}

/** Returns the lines of the page with the table of known models. */
export function writeModelsPage({ lines }: Page): readonly string[] {
  return replaceRows(lines, isRow, modelRows());
}

function modelRows(): readonly string[] {
  const providers = ["anthropic", "openai", "google"].flatMap((word) => PROVIDERS[word]?.known ?? []);
  return providers.flatMap(({ models, source, readAt }) =>
    models.map((model) => `| ${cells(model).join(" | ")} | [${readAt}](${source}) |`),
  );
}

function cells({ names, window, price }: KnownModel): readonly string[] {
  const long =
    price.long === undefined ? "" : `above ${spaced(price.long.above)}: ${prices(price.long.price)}`;
  return [names.map((name) => `\`${name}\``).join(", "), spaced(window), prices(price), long];
}

function prices({ input, output, cached, cacheWrite }: Price): string {
  const rest = [cached, cacheWrite].map((one) => (one === undefined ? "" : ` / ${number(one)}`));
  return `${number(input)} / ${number(output)}${rest.join("")}`;
}

function number(value: number): string {
  return String(Number(value.toFixed(4)));
}

function spaced(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, " ");
}
