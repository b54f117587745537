// Fails if the package is too large, if its exports or types are wrong, or if a user's bundler breaks it.
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readPage } from "./docs/page.ts";
import { checkLinks } from "./docs/references.ts";
import { bundleConsumer } from "./package/bundle-consumer.ts";
import { installPacked } from "./package/install-packed.ts";
import { runStep } from "./run-step.ts";

/** Megabytes of everything that npm installs, and of this package alone. */
const LIMITS = { packages: 10, megabytes: 21, own: 12 };

const installed = installPacked();
const { tarball, project, packages, megabytes, own, seconds } = installed;
try {
  console.log(
    `npm install: ${packages} packages, ${megabytes.toFixed(1)} MB, ${own.toFixed(1)} of them ours, ${seconds.toFixed(1)} s`,
  );
  if (packages > LIMITS.packages) throw new Error(`at most ${LIMITS.packages} packages are allowed`);
  if (megabytes > LIMITS.megabytes) throw new Error(`at most ${LIMITS.megabytes} MB are allowed`);
  if (own > LIMITS.own) throw new Error(`at most ${LIMITS.own} MB of our own are allowed`);
  refuseInstallScripts(join(project, "node_modules/toolwright/package.json"));
  runStep("exports", ["publint", "run", "--strict", tarball]);
  runStep("types resolve", ["attw", tarball, "--profile", "esm-only", "--quiet"]);
  checkPages(join(project, "node_modules/toolwright"));
  compileConsumer();
  runStep("package runs", [process.execPath, join(project, "app.js")]);
  const environment = [`PATH=${process.env["PATH"] ?? ""}`, `HOME=${project}`];
  const program = join(project, "node_modules/.bin/toolwright");
  runStep("program runs", ["env", "-i", ...environment, program, "doctor", "--offline"]);
  await bundleConsumer(project);
} finally {
  installed.remove();
}

/** Throws if npm would name a script of the package that is to be approved: the package needs none. */
function refuseInstallScripts(file: string): void {
  const { scripts = {} } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly scripts?: Readonly<Record<string, string>>;
  };
  const hooks = ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts);
  if (hooks.length > 0)
    throw new Error(`the package has scripts that run when it is installed: ${hooks.join(", ")}`);
}

/** Throws if a page of the package links to a file that is not in the package. Its screenshots are in the repository only: they are large. */
function checkPages(folder: string): void {
  const pages = globSync("**/*.md", { cwd: folder }).map((file) => readPage(join(folder, file)));
  const faults = pages.flatMap((page) =>
    checkLinks({ ...page, lines: page.lines.filter((line) => !line.startsWith("![")) }),
  );
  if (faults.length > 0) throw new Error(faults.join("\n"));
  console.log(`ok   links of ${pages.length} packed pages`);
}

/** Compiles a program against the installed types, with `strict` and without `skipLibCheck`. */
function compileConsumer(): void {
  cpSync("test/fixtures/consumer/app.ts", join(project, "app.ts"));
  symlinkSync(resolve("node_modules/@types"), join(project, "node_modules/@types"));
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    target: "es2024",
    lib: ["es2024", "esnext.disposable"],
    module: "nodenext",
    types: ["node"],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  runStep("types", ["tsc", "-p", project]);
}
