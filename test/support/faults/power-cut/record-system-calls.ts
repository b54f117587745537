// Records what a program changes in a folder by the system calls that it makes, so that the writes of SQLite are recorded too.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path/posix";
import { temporaryFolder } from "../../temporary-folder.ts";
import type { TestContext } from "node:test";
import { scan, type Recorded, type Write } from "./record-writes.ts";

const CALLS =
  "openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,link,linkat," +
  "unlink,unlinkat,mkdir,mkdirat,rmdir,copy_file_range,sendfile,ioctl";

/** Why nothing can be recorded here; false if it can. */
export const withoutStrace: string | false =
  spawnSync("strace", ["-qq", "true"]).status === 0 || process.env["CI"] === "true"
    ? false
    : "needs strace, and the right to trace a process";

/**
 * Runs a script of Node's, with the path of a file in which it writes a line for each thing that its caller learns, and further arguments. Returns what it
 * has changed below a folder. Throws if it fails, or makes a call that cannot be replayed.
 */
export function recordSystemCalls(
  t: TestContext,
  root: string,
  script: string,
  args: readonly string[],
): Recorded {
  const outside = temporaryFolder(t);
  const [log, told] = [join(outside, "log"), join(outside, "told")];
  const before = scan(root);
  const strace = [
    "-f",
    "-qq",
    "--seccomp-bpf",
    "-y",
    "-xx",
    "-s",
    "100000000",
    "-o",
    log,
    "-e",
    `trace=${CALLS}`,
  ];
  const { status, stderr } = spawnSync("strace", [...strace, process.execPath, script, told, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the recorded program ended with ${status}: ${stderr}`);
  const replay = createReplay(root, before, told);
  for (const line of wholeLines(readFileSync(log, "latin1"))) replay.apply(line);
  return { root, before, folders: replay.folders, writes: replay.writes };
}

/** Joins the two halves of a call that another thread has interrupted. */
function* wholeLines(text: string): Generator<string> {
  const begun = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const unfinished = / ?<unfinished \.\.\.>$/.exec(rest);
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    if (unfinished) begun.set(thread, rest.slice(0, unfinished.index));
    else if (resumed) yield `${begun.get(thread) ?? ""}${rest.slice(resumed[0].length)}`;
    else yield rest;
  }
}

interface SystemCall {
  readonly name: string;
  /** Paths of descriptors and folders, in order. */
  readonly paths: readonly string[];
  readonly texts: readonly Buffer[];
  /** The other arguments, without the two kinds above. */
  readonly words: readonly string[];
  readonly result: number;
  readonly descriptor: string | undefined;
}

const HEX = String.raw`(?:\\x[0-9a-f]{2})*`;

function parse(line: string): SystemCall | undefined {
  const [, name = "", inner = "", result = "", rest = ""] =
    /^(\w+)\((.*)\)\s+= (-?\d+)(.*)$/s.exec(line) ?? [];
  if (name === "" || Number(result) < 0) return undefined;
  const [paths, texts]: [string[], Buffer[]] = [[], []];
  const words = inner
    .replaceAll(new RegExp(`"(${HEX})"`, "g"), (_, hex: string) => {
      texts.push(bytesOf(hex));
      return "";
    })
    .replaceAll(new RegExp(`(?:AT_FDCWD|\\d+)<(${HEX})>(?:\\(deleted\\))?`, "g"), (_, hex: string) => {
      paths.push(bytesOf(hex).toString());
      return "";
    })
    .split(/[,\s]+/)
    .filter((word) => word !== "");
  const opened = new RegExp(`^<(${HEX})>`).exec(rest)?.[1];
  return {
    name,
    paths,
    texts,
    words,
    result: Number(result),
    descriptor: opened === undefined ? undefined : bytesOf(opened).toString(),
  };
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll("\\x", ""), "hex");

const isHarmless = ({ name, words }: SystemCall): boolean =>
  name === "sync_file_range" || (name === "ioctl" && !words.join().includes("FICLONE"));

function createReplay(root: string, before: Recorded["before"], toldFile: string) {
  const names = new Map(before.names);
  const contents = new Map<number, Buffer | undefined>(before.contents);
  const folders = new Set<number>();
  const writes: Write[] = [];
  const positions = new Map<string, number>();
  const opened = new Map<number, string>();
  let next = -1;

  const nameOf = (path: string): string | undefined => {
    const inside = relative(root, path);
    return inside.startsWith("..") || isAbsolute(inside) ? undefined : inside || ".";
  };
  const fileOf = (path: string): number | undefined => names.get(nameOf(path) ?? "");
  const full = (text: Buffer | undefined, base: string): string => {
    const path = String(text);
    const [, number, rest = ""] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(path) ?? [];
    if (number !== undefined) return `${opened.get(Number(number)) ?? "?"}${rest}`;
    return isAbsolute(path) ? path : join(base, path);
  };
  const name = (changes: readonly (readonly [string, number | null])[]): void => {
    const inside = changes.flatMap(([path, file]) => {
      const found = nameOf(path);
      return found === undefined ? [] : [[found, file] as const];
    });
    for (const [path, file] of inside) {
      if (file === null) names.delete(path);
      else names.set(path, file);
    }
    if (inside.length > 0) writes.push({ kind: "names", names: new Map(inside) });
  };
  const put = (path: string, offset: number, bytes: Buffer): void => {
    const file = fileOf(path);
    if (file === undefined || bytes.length === 0) return;
    writes.push({ kind: "data", file, offset, bytes });
    const old = contents.get(file) ?? Buffer.alloc(0);
    const content = Buffer.alloc(Math.max(old.length, offset + bytes.length));
    old.copy(content);
    bytes.copy(content, offset);
    contents.set(file, content);
  };
  const resize = (path: string, size: number): void => {
    const file = fileOf(path);
    const old = file === undefined ? undefined : contents.get(file);
    if (file === undefined || old?.length === size) return;
    writes.push({ kind: "size", file, size });
    const content = Buffer.alloc(size);
    old?.copy(content);
    contents.set(file, content);
  };
  const append = (path: string, bytes: Buffer, flags = "", at = positions.get(path) ?? 0): void => {
    const isAppended = flags.includes("O_APPEND");
    const file = fileOf(path);
    const offset = isAppended && file !== undefined ? (contents.get(file)?.length ?? 0) : at;
    put(path, offset, bytes);
    positions.set(path, offset + bytes.length);
  };
  const flagsOf = new Map<string, string>();
  const open = ({ texts, paths, words, result, descriptor }: SystemCall): void => {
    const path = descriptor ?? full(texts[0], paths[0] ?? root);
    opened.set(result, path);
    positions.set(path, 0);
    const flags = words.join();
    flagsOf.set(path, flags);
    if (nameOf(path) === undefined) return;
    const file = fileOf(path);
    if (file === undefined && flags.includes("O_CREAT")) {
      contents.set(next, Buffer.alloc(0));
      name([[path, next--]]);
    } else if (flags.includes("O_TRUNC")) resize(path, 0);
  };
  const copy = ({ result, words }: SystemCall, from: string, to: string): void => {
    if (nameOf(to) === undefined || result === 0) return;
    const file = fileOf(from);
    const source = (file === undefined ? undefined : contents.get(file)) ?? readFileSync(from);
    const offset = words.find((word) => word.startsWith("["));
    const at = offset === undefined ? (positions.get(from) ?? 0) : Number.parseInt(offset.slice(1), 10);
    append(to, source.subarray(at, at + result));
    if (offset === undefined) positions.set(from, at + result);
  };
  const move = (from: string, to: string): void => {
    const file = fileOf(from);
    if (file === undefined) {
      if (nameOf(to) !== undefined) throw new Error(`${from} is moved from outside the recorded folder`);
      return;
    }
    const inside = nameOf(from) ?? "";
    const below = [...names].filter(([path]) => path.startsWith(`${inside}/`));
    name([
      [from, null],
      [to, file],
      ...below.flatMap(([path, one]) => [
        [join(root, path), null] as const,
        [join(to, path.slice(inside.length)), one] as const,
      ]),
    ]);
  };
  const apply: Readonly<Record<string, (call: SystemCall) => void>> = {
    open,
    openat: open,
    creat: open,
    write({ paths: [path = ""], texts, result }) {
      const bytes = Buffer.concat(texts).subarray(0, result);
      if (path === toldFile) {
        for (const what of bytes.toString().trim().split("\n")) writes.push({ kind: "told", what });
      } else append(path, bytes, flagsOf.get(path));
    },
    pwrite64: ({ paths: [path = ""], texts, words, result }) =>
      put(path, Number(words.at(-1)), Buffer.concat(texts).subarray(0, result)),
    ftruncate: ({ paths: [path = ""], words }) => resize(path, Number(words[0])),
    truncate: ({ texts, words }) => resize(full(texts[0], root), Number(words[0])),
    fsync: ({ paths: [path = ""] }) => synced(path),
    fdatasync: ({ paths: [path = ""] }) => synced(path),
    rename: ({ texts: [from, to] }) => move(full(from, root), full(to, root)),
    renameat: ({ texts: [from, to], paths: [left = "", right = ""] }) =>
      move(full(from, left), full(to, right)),
    link: ({ texts: [from, to] }) => link(full(from, root), full(to, root)),
    linkat: ({ texts: [from, to], paths: [left = "", right = ""] }) =>
      link(full(from, left), full(to, right)),
    unlink: ({ texts: [path] }) => name([[full(path, root), null]]),
    unlinkat: ({ texts: [path], paths: [base = ""] }) => name([[full(path, base), null]]),
    rmdir: ({ texts: [path] }) => name([[full(path, root), null]]),
    mkdir: ({ texts: [path] }) => makeFolder(full(path, root)),
    mkdirat: ({ texts: [path], paths: [base = ""] }) => makeFolder(full(path, base)),
    copy_file_range: (call) => copy(call, call.paths[0] ?? "", call.paths[1] ?? ""),
    sendfile: (call) => copy(call, call.paths[1] ?? "", call.paths[0] ?? ""),
  };
  const synced = (path: string): void => {
    const file = fileOf(path);
    if (file !== undefined) writes.push({ kind: "sync", file });
  };
  const link = (from: string, to: string): void => {
    const file = fileOf(from);
    if (file !== undefined) name([[to, file]]);
  };
  const makeFolder = (path: string): void => {
    if (nameOf(path) === undefined) return;
    folders.add(next);
    contents.set(next, undefined);
    name([[path, next--]]);
  };
  return {
    folders,
    writes,
    apply(line: string): void {
      const call = parse(line);
      if (call === undefined) return;
      const work =
        apply[call.name === "renameat2" ? "renameat" : call.name === "writev" ? "write" : call.name];
      if (work !== undefined) work(call);
      else if (call.paths.some((path) => nameOf(path) !== undefined) && !isHarmless(call))
        throw new Error(`${call.name} cannot be replayed`);
    },
  };
}
