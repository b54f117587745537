/** The functions of Node's `node:path/posix` that the engine and policy use. */
export const sep = "/";

/** Returns the absolute path of the last absolute one and those after it; without one, from the root. */
export function resolve(...parts: readonly string[]): string {
  const from = parts.findLastIndex((part) => part.startsWith("/"));
  return `/${toNames(parts.slice(Math.max(0, from)).join("/"), "/").join("/")}`;
}

export function normalize(path: string): string {
  const root = path.startsWith("/") ? "/" : "";
  const names = toNames(path, root).join("/");
  if (names === "" && root !== "") return root;
  return `${root}${names || "."}${path.endsWith("/") ? "/" : ""}`;
}

export function join(...parts: readonly string[]): string {
  return normalize(parts.filter((part) => part !== "").join("/"));
}

export function dirname(path: string): string {
  const [, folder = ""] = /^(.*)\/[^/]+\/*$/s.exec(path) ?? [];
  if (folder === "/") return "//";
  if (folder !== "") return folder;
  return path.startsWith("/") ? "/" : ".";
}

export function basename(path: string, ending = ""): string {
  const name = /([^/]*)\/*$/.exec(path)?.[1] ?? "";
  return ending !== "" && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

function toNames(path: string, root: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.length > 0 && names.at(-1) !== "..") names.pop();
    else if (root === "") names.push(name);
  }
  return names;
}
