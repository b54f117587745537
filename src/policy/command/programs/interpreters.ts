import type { Program } from "./program.ts";

/** Programs that run what a file, a word or their input says, in a language of their own. */
export const INTERPRETERS: readonly Program[] = [
  {
    names: "python pypy jython micropython ipython",
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
  // Which of its versions answers, and from which folder, stands in the project's global.json.
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
    operands: "looks",
    version: ["version"],
    subcommands: {
      "run generate tool": {
        operands: "looks",
        ungrantable: "interpreter",
        flags: { executes: "-exec=x -toolexec=x" },
      },
      "build install test vet list get mod fmt": {
        operands: "looks",
        flags: { executes: "--exec=x --toolexec=x" },
      },
      "env version": {
        operands: "none",
        flags: { safe: "--json", writes: "-w -u" },
        readOnly: true,
        proves: ({ operands }) => operands.every(({ text }) => !text.includes("=")),
      },
    },
  },
  {
    names: "cargo",
    flags: {
      safe: "-q,--quiet -v,--verbose --locked --offline --frozen -V,--version --list",
      opaque: "-C=d",
      executes: "--config= -Z=",
    },
    operands: "looks",
    version: ["--version", "-V"],
    subcommands: {
      "run r bench b install script": { operands: "looks", ungrantable: "interpreter" },
      "tree metadata": { operands: "none" },
    },
  },
  {
    names: "rustc gcc cc clang g++ c++ clang++ javac tsc",
    operands: "looks",
    version: ["--version", "-v", "-V", "-version"],
  },
  {
    names: "man info apropos whatis perldoc",
    flags: {
      executes: "-P,--pager=x -H,--html=x? -C,--config-file=r -T,--troff-device=? -p,--preprocessor=",
    },
    operands: "looks",
  },
];
