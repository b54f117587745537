import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { readConfigFile } from "../files/config-file.ts";
import type { Config } from "../config.ts";
import { hookItem } from "../hooks/hook-item.ts";
import { hashOfFile, hashOfTree } from "../../../system/files/content-hash.ts";
import type { TrustItem, TrustKind } from "../files/trust.ts";

/** Finds what a folder brings of one kind. May throw a `ToolError` where a file of it cannot be read. */
type Collector = (folder: string) => readonly TrustItem[];

export interface FoundItems {
  readonly items: readonly TrustItem[];
  /** What could not be read: one line each. */
  readonly problems: readonly string[];
}

/** Everything in the project's folder that needs trust. Runs and loads none of it. */
export function collectTrustItems(config: Config): FoundItems {
  const [folder] = config.workspace;
  const problems: string[] = [];
  const items = collectorsFor(config).flatMap((collect) => {
    try {
      return collect(folder);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  return { items, problems };
}

/** One for each kind; in the user's own home the folder's files are the user's, and only what lies beside them is a project's. */
function collectorsFor({ home, workspace: [folder], looser, projectHooks }: Config): readonly Collector[] {
  if (canonical(join(folder, ".toolwright")) === canonical(home)) return [collectMcpFile];
  return [
    () => looser.map(({ key, value }) => jsonItem("setting", key, value)),
    () => projectHooks.map((definition) => hookItem(definition, folder)),
    collectRules,
    collectTools,
    collectExtensions,
    collectSkills,
    collectMcpServers,
  ];
}

/** Rules that allow, and a mode that may loosen; what only tightens needs no trust. */
function collectRules(folder: string): readonly TrustItem[] {
  const { mode, rules } = readConfigFile(join(folder, ".toolwright", "policy.json")) ?? {};
  const allows = (Array.isArray(rules) ? (rules as readonly Json[]) : []).filter(
    (rule): rule is JsonObject => isObject(rule) && rule["decision"] === "allow",
  );
  const items = allows.map((rule) => jsonItem("rule", nameOfRule(rule), rule));
  return mode === "yolo" || mode === "auto" ? [...items, jsonItem("rule", "mode", { mode })] : items;
}

/** A rule without a name is named after its content: its place in the file says nothing. */
function nameOfRule(rule: JsonObject): string {
  const { id } = rule;
  return typeof id === "string" && id !== "" ? id : `allow-${hashOf(rule).slice(0, 8)}`;
}

function collectTools(folder: string): readonly TrustItem[] {
  const place = join(folder, ".toolwright", "tools");
  return entriesOf(place).flatMap((name) => {
    const path = join(place, name);
    const size = sizeOf(path);
    return size === undefined ? [] : [fileItem("tool", name, hashOfFile(path), `a program of ${size} bytes`)];
  });
}

/** Of a file; undefined for anything else, a loop of links among them. */
function sizeOf(path: string): number | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

function collectExtensions(folder: string): readonly TrustItem[] {
  const place = join(folder, ".toolwright", "extensions");
  return entriesOf(place).map((name) =>
    fileItem("extension", name, hashOfTree(join(place, name)), `code in .toolwright/extensions/${name}`),
  );
}

/** Only what becomes instructions: the other files of a skill are read like any file. */
function collectSkills(folder: string): readonly TrustItem[] {
  const place = join(folder, ".toolwright", "skills");
  return entriesOf(place).flatMap((name) => {
    const file = join(place, name, "SKILL.md");
    const detail = `instructions in .toolwright/skills/${name}/SKILL.md`;
    return sizeOf(file) === undefined ? [] : [fileItem("skill", name, hashOfFile(file), detail)];
  });
}

/** Those of the project's settings come first; of two with one name only that counts. */
function collectMcpServers(folder: string): readonly TrustItem[] {
  const own = serversIn(readConfigFile(join(folder, ".toolwright", "config.json")));
  const others = collectMcpFile(folder).filter(({ name }) => !own.some((one) => one.name === name));
  return [...own, ...others];
}

function collectMcpFile(folder: string): readonly TrustItem[] {
  return serversIn(readConfigFile(join(folder, ".mcp.json")));
}

function serversIn(file: JsonObject | undefined): readonly TrustItem[] {
  const servers = file?.["mcpServers"];
  if (!isObject(servers)) return [];
  return Object.entries(servers).map(([name, server]) => jsonItem("mcp_server", name, server));
}

function jsonItem(kind: TrustKind, name: string, content: Json): TrustItem {
  return { kind, name, hash: hashOf(content), detail: JSON.stringify(content) };
}

function fileItem(kind: TrustKind, name: string, hash: string | undefined, detail: string): TrustItem {
  if (hash !== undefined) return { kind, name, hash, detail };
  return { kind, name, hash: "", detail: "it is too large, or leads elsewhere" };
}

/** A stranger's folder must not keep the program from starting. */
const MAX_ENTRIES = 500;

function entriesOf(place: string): readonly string[] {
  try {
    return readdirSync(place).toSorted().slice(0, MAX_ENTRIES);
  } catch {
    return [];
  }
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
