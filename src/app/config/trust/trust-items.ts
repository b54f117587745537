import { attempt } from "../../../util/async/attempt.ts";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { withHint } from "../../../util/text/error-message.ts";
import { readConfigFile } from "../files/config-file.ts";
import type { ConfigGroups } from "../groups.ts";
import { canonicalPath } from "../folders.ts";
import { hookItem } from "../hooks/hook-definition.ts";
import { readEnvFile, trustedContent } from "../../../sources/mcp/config/env-file.ts";
import { hashOfFile, hashOfTree } from "../../../system/files/content-hash.ts";
import type { TrustItem, TrustKind } from "../files/trust.ts";

/** Finds the items of one kind in a folder. May throw a `ToolError` if a file cannot be read. */
type Collector = (folder: string) => readonly TrustItem[];

/** Finds everything in the project's folder that needs trust, and one line for each file that cannot be read. Runs and loads none of it. */
export function collectTrustItems(config: ConfigGroups<"paths" | "report" | "hooks" | "mcp">) {
  const [folder] = config.paths.workspace;
  const problems: string[] = [];
  const items = collectorsFor(config).flatMap((collect) => {
    try {
      return collect(folder);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(withHint(error));
      return [];
    }
  });
  return { items, problems };
}

/** Returns one collector for each kind. In the user's home, `.toolwright` is the user's own, and only `.mcp.json` is a project's. */
function collectorsFor(config: ConfigGroups<"paths" | "report" | "hooks" | "mcp">): readonly Collector[] {
  const {
    paths: {
      home,
      workspace: [folder],
    },
    report: { looser },
    hooks: { project: projectHooks },
  } = config;
  const collectMcpServers = (): readonly TrustItem[] => collectServers(config);
  if (canonicalPath(join(folder, ".toolwright")) === canonicalPath(home)) return [collectMcpServers];
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

/** Finds rules that allow, and a mode that may loosen; what only tightens needs no trust. */
function collectRules(folder: string): readonly TrustItem[] {
  const { mode, rules } = readConfigFile(join(folder, ".toolwright", "policy.json"), folder) ?? {};
  const allows = (Array.isArray(rules) ? (rules as readonly Json[]) : []).filter(
    (rule): rule is JsonObject => isObject(rule) && rule["decision"] === "allow",
  );
  const items = allows.map((rule) => jsonItem("rule", nameOfRule(rule), rule));
  return mode === "yolo" || mode === "edits" || mode === "auto"
    ? [...items, jsonItem("rule", "mode", { mode })]
    : items;
}

/** Names a rule without an id after its content, not after its place in the file. */
function nameOfRule(rule: JsonObject): string {
  const { id } = rule;
  return typeof id === "string" && id !== "" ? id : `allow-${hashOf(rule).slice(0, 8)}`;
}

function collectTools(folder: string): readonly TrustItem[] {
  const place = join(folder, ".toolwright", "tools");
  return entriesOf(place).flatMap((name) => {
    const path = join(place, name);
    const size = sizeOf(path);
    return size === undefined ? [] : [toolItem(path, folder, size)];
  });
}

function toolItem(path: string, folder: string, size: number): TrustItem {
  const item = fileItem("tool", basename(path), hashOfFile(path, folder), `a program of ${size} bytes`);
  return item.hash === "" ? item : { ...item, ...textOf(path, size) };
}

const MAX_TEXT_BYTES = 64 * 1024;

/** Returns the content of a script, so that a later change can be shown; nothing for a large or binary file. */
function textOf(path: string, size: number): Pick<TrustItem, "text"> {
  if (size > MAX_TEXT_BYTES) return {};
  const text = attempt(() => readFileSync(path, "utf8"));
  return text === undefined || text.includes("\0") || text.includes("\u{FFFD}") ? {} : { text };
}

/** Returns the size of a file, or undefined for anything else, such as a loop of links. */
function sizeOf(path: string): number | undefined {
  const stats = attempt(() => statSync(path));
  return stats?.isFile() === true ? stats.size : undefined;
}

function collectExtensions(folder: string): readonly TrustItem[] {
  const place = join(folder, ".toolwright", "extensions");
  return entriesOf(place).map((name) =>
    fileItem(
      "extension",
      name,
      hashOfTree(join(place, name), folder),
      `code in .toolwright/extensions/${name}`,
    ),
  );
}

/** Finds the SKILL.md of each skill, which becomes instructions; its other files are read like any file. */
function collectSkills(folder: string): readonly TrustItem[] {
  const place = join(folder, ".toolwright", "skills");
  return entriesOf(place).flatMap((name) => {
    const file = join(place, name, "SKILL.md");
    const detail = `instructions in .toolwright/skills/${name}/SKILL.md`;
    return sizeOf(file) === undefined ? [] : [fileItem("skill", name, hashOfFile(file, folder), detail)];
  });
}

/** Returns the servers in the project's settings and in `.mcp.json`. Throws if `.mcp.json` is invalid. */
function collectServers({
  mcp: { projectServers: projectMcpServers },
  paths: {
    userHome,
    workspace: [root],
  },
}: ConfigGroups<"mcp" | "paths">): readonly TrustItem[] {
  readConfigFile(join(root, ".mcp.json"), root);
  return projectMcpServers.map(({ name, written }) => {
    const envFile = readEnvFile(written, { root, userHome, isProject: true });
    const item = jsonItem("mcp_server", name, trustedContent(written, envFile));
    // The content is not shown: it holds secrets.
    return envFile === undefined
      ? item
      : { ...item, detail: `${JSON.stringify(written)} and ${envFile.path}` };
  });
}

function jsonItem(kind: TrustKind, name: string, content: Json): TrustItem {
  return { kind, name, hash: hashOf(content), detail: JSON.stringify(content) };
}

function fileItem(kind: TrustKind, name: string, hash: string | undefined, detail: string): TrustItem {
  if (hash !== undefined) return { kind, name, hash, detail };
  return { kind, name, hash: "", detail: "it is too large, or a link that leads out of the folder" };
}

/** An untrusted folder must not keep the program from starting. */
const MAX_ENTRIES = 500;

function entriesOf(place: string): readonly string[] {
  return attempt(() => readdirSync(place).toSorted().slice(0, MAX_ENTRIES)) ?? [];
}
