import { createHash, randomUUID } from "node:crypto";
import { registerHooks, type LoadFnOutput, type ResolveFnOutput, type ResolveHookContext } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { entryFile } from "../../system/package-files.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";

/** Imports modules as new instances. */
export type Modules = ReturnType<typeof createModules>;

interface Generation {
  readonly root: string;
  readonly sealed: ReadonlyMap<string, string> | undefined;
}

/** The URL parameter that marks the modules of one generation: another URL is another instance. */
export const MARK = "toolwright-extension";
/** The exports of this package, which an extension can import wherever it is stored. */
const DOOR = /^toolwright(?:\/([a-z]+(?:-[a-z]+)*))?$/;

/** Node holds every instance until the process ends: reloaded modules stay in memory. */
export function createModules() {
  if (typeof registerHooks !== "function") {
    throw new Error(
      "extensions cannot be loaded here: node:module has no registerHooks; run on Node or Deno, not on Bun",
    );
  }
  const generations = new Map<string, Generation>();
  const prefix = randomUUID();
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const generation = find(generations, context.parentURL) ?? find(generations, specifier);
      return generation === undefined
        ? next(specifier, context)
        : resolveIn(generation, specifier, context, next);
    },
    load(url, context, next) {
      const generation = find(generations, url);
      return generation === undefined ? next(url, context) : loadIn(generation, url, next(url, context));
    },
  });
  return {
    /**
     * Imports a new instance of a module and of every module below its root. `sealed` holds the hashes of all files below the root: with
     * it, no other file and no changed file is imported.
     */
    async load(main: string, root: string, sealed?: ReadonlyMap<string, string>): Promise<object> {
      const id = `${prefix}.${generations.size}`;
      generations.set(id, { root, sealed });
      return (await import(`${pathToFileURL(main).href}?${MARK}=${id}`)) as object;
    },
    close: (): void => hooks.deregister(),
  };
}

interface Found extends Generation {
  readonly id: string;
}

function find(generations: ReadonlyMap<string, Generation>, url: string | undefined): Found | undefined {
  if (url?.includes(MARK) !== true || !URL.canParse(url)) return undefined;
  const id = new URL(url).searchParams.get(MARK);
  const generation = id === null ? undefined : generations.get(id);
  return id === null || generation === undefined ? undefined : { ...generation, id };
}

type NextResolve = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

function resolveIn(
  { id, root, sealed }: Found,
  specifier: string,
  context: ResolveHookContext,
  next: NextResolve,
): ResolveFnOutput {
  const door = DOOR.exec(specifier);
  if (door !== null) return next(doorUrl(door[1]), context);
  const resolved = next(specifier, context);
  if (!resolved.url.startsWith("file:")) return resolved;
  const path = fileURLToPath(resolved.url);
  if (sealed !== undefined && !sealed.has(path)) {
    throw new Error(`it imports ${specifier}, which is not part of it: only trusted files are run`);
  }
  const isPackage = path.slice(root.length).includes("/node_modules/");
  if (!isWithin(path, root) || (isPackage && sealed === undefined)) return resolved;
  const url = new URL(resolved.url);
  url.searchParams.set(MARK, id);
  return { ...resolved, url: url.href, ...formatOf(path) };
}

/** Sources while the sources run, what was built from them else: an extension gets the very classes that the engine knows. */
function doorUrl(door: string | undefined): string {
  return pathToFileURL(entryFile(door === undefined ? "index" : `doors/${door}`)).href;
}

/** Sets the format, so that Node does not read a package.json beside the file. */
function formatOf(path: string): { readonly format?: string } {
  if (/\.m?js$/.test(path)) return { format: "module" };
  return /\.m?ts$/.test(path) ? { format: "module-typescript" } : {};
}

function loadIn({ sealed }: Found, url: string, loaded: LoadFnOutput): LoadFnOutput {
  const path = fileURLToPath(url);
  // Node caches CommonJS modules by path, so a reload would use the old instance.
  if (loaded.format?.startsWith("commonjs") === true)
    throw new Error(`${path} is CommonJS: an extension must consist of ES modules`);
  if (sealed === undefined) return loaded;
  const hash = createHash("sha256").update(toBytes(loaded.source)).digest("hex");
  if (sealed.get(path) === hash) return loaded;
  throw new Error(`${path} has changed since it was trusted`);
}

function toBytes(source: LoadFnOutput["source"]): string | Uint8Array {
  if (typeof source === "string") return source;
  return source === undefined || source === null ? "" : new Uint8Array(source as ArrayBuffer);
}
