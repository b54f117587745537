import type { Word } from "../../../core/command.ts";
import type { Flags, Program, Usage, Use } from "./program.ts";

const GO_BUILDS: Usage = {
  operands: "looks",
  flags: {
    opaque: "-C,--C=d -overlay,--overlay=r -modfile,--modfile=r",
    writes:
      "-o,--o=w -coverprofile,--coverprofile=w -cpuprofile,--cpuprofile=w -memprofile,--memprofile=w -blockprofile,--blockprofile=w -mutexprofile,--mutexprofile=w -trace,--trace=w -outputdir,--outputdir=w -pkgdir,--pkgdir=w",
    // The flags for a compiler or linker may name another one.
    executes:
      "-exec,--exec=x -toolexec,--toolexec=x -vettool,--vettool=x -ldflags,--ldflags= -gcflags,--gcflags= -asmflags,--asmflags= -gccgoflags,--gccgoflags=",
  },
};

/** Valid before and after a subcommand. */
const CARGO_FLAGS: Flags = {
  safe: "-q,--quiet -v,--verbose --locked --offline --frozen -V,--version --list",
  opaque: "-C=d --manifest-path=r",
  executes: "--config= -Z=",
};

/** Programs that run code in their own language, from a file, an argument or standard input. */
export const INTERPRETERS: readonly Program[] = [
  {
    names: "python python3 pypy jython micropython ipython",
    flags: {
      safe: "-b -B -d -E -h,--help -i -I -O -q -s -S -u -v -V,--version -W= -x -X= --check-hash-based-pycs=",
      executes: "-c= -m=",
    },
    operands: "script",
    stopsAtOperand: true,
    version: ["--version", "-V"],
    ungrantable: "interpreter",
  },
  {
    names: "node nodejs iojs",
    flags: {
      safe: "-v,--version -h,--help --watch --test --no-warnings --enable-source-maps -i,--interactive -C,--conditions= --inspect=? --max-old-space-size=? --check,-c",
      opaque: "--env-file=r",
      executes: "-e,--eval= -p,--print= -r,--require=r --import=r --loader,--experimental-loader=r --run=",
    },
    operands: "script",
    stopsAtOperand: true,
    version: ["--version", "-v"],
    ungrantable: "interpreter",
  },
  {
    names: "perl raku",
    flags: {
      safe: "-a -c -C=? -d=? -D=? -f -F= -h -l=? -n -p -s -S -t -T -u -U -v -V=? -w -W -x=? -X -0=?",
      writes: "-i=?",
      executes: "-e= -E= -I=r -m= -M=",
    },
    operands: "pattern",
    inPlace: ["-i"],
    patternFlags: ["-e", "-E"],
    version: ["--version", "-v"],
    ungrantable: "interpreter",
  },
  {
    names: "ruby irb jruby",
    flags: {
      safe: "-a -c -d -h -l -n -p -s -S -v,--version -w -W=? -x=? -0=? -E= -F= -K=",
      writes: "-i=?",
      executes: "-e= -r= -I=r -C=d",
    },
    operands: "script",
    version: ["--version", "-v"],
    ungrantable: "interpreter",
  },
  {
    names:
      "php lua luajit tclsh wish expect guile racket scheme sbcl clisp emacs ocaml ghci runghc runhaskell erl escript elixir iex julia Rscript R octave groovy scala kotlin jshell java mono swift dart crystal nim zig v tsx ts-node esno vite-node babel-node coffee osascript wscript cscript qjs d8 js rhino bc dc gnuplot m4",
    operands: "script",
    version: ["--version", "-v", "-version"],
    ungrantable: "interpreter",
  },
  // The project's global.json selects the version and its folder.
  { names: "dotnet", operands: "script", ungrantable: "interpreter" },
  { names: "deno bun", operands: "script", version: ["--version", "-v"], ungrantable: "interpreter" },
  {
    names: "vi vim nvim ex ed view rvim nano pico emacsclient micro helix hx code subl",
    flags: { safe: "-b -R -n -e -s -E", executes: "-c= --cmd= -S=r -u=r" },
    operands: "write",
    ungrantable: "interpreter",
  },
  {
    names: "sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb clickhouse",
    operands: "looks",
    version: ["--version"],
    ungrantable: "interpreter",
  },
  {
    names: "go",
    hasWordFlags: true,
    operands: "looks",
    flags: { opaque: "-C,--C=d" },
    version: ["version"],
    subcommands: {
      "run generate tool": { ...GO_BUILDS, ungrantable: "interpreter" },
      "build install test vet list get mod fmt": GO_BUILDS,
      "env version": {
        operands: "none",
        flags: { safe: "-json --json -changed --changed -m --m -v --v", writes: "-w --w -u --u" },
        readOnly: true,
        proves: ({ operands }) => operands.every(({ text }) => !text.includes("=")),
      },
    },
  },
  {
    names: "cargo",
    flags: CARGO_FLAGS,
    operands: "looks",
    version: ["--version", "-V"],
    subcommands: {
      "run r bench b install script": { flags: CARGO_FLAGS, operands: "looks", ungrantable: "interpreter" },
      "tree metadata": { flags: CARGO_FLAGS, operands: "none" },
    },
  },
  {
    names: "gcc cc clang g++ c++ clang++",
    hasWordFlags: true,
    flags: {
      writes: "-o,--output=w",
      executes: "-wrapper=x -fplugin= -fpass-plugin= -load= -specs=r --specs=r -B=r --sysroot=r -fuse-ld=",
    },
    operands: "looks",
    lists: attachedFolders,
    version: ["--version", "-v", "-version"],
  },
  {
    names: "rustc",
    flags: { writes: "-o=w --out-dir=w --emit=", executes: "-C,--codegen= -Z=" },
    operands: "looks",
    version: ["--version", "-V"],
  },
  { names: "javac tsc", operands: "looks", version: ["--version", "-v", "-version"] },
  {
    names: "man info apropos whatis perldoc",
    flags: {
      executes: "-P,--pager=x -H,--html=x? -C,--config-file=r -T,--troff-device=? -p,--preprocessor=",
    },
    operands: "looks",
  },
];

/** With `-Bdir`, the compiler finds its own programs there. */
function attachedFolders({ unknown }: Use): readonly Word[] {
  return unknown.filter(({ text }) => /^-B./.test(text));
}
