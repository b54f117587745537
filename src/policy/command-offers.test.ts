import assert from "node:assert/strict";
import { test } from "node:test";
import { shellSubject } from "../../test/support/engines/shell-subject.ts";
import { grantOffers, isNamedScript } from "./grant-offers.ts";

/** Commands with the rules that are offered for good beside the narrowest one: each program with its folder, `…` for any further arguments, and the warning. */
const OFFERS: readonly (readonly [command: string, ...offers: readonly string[]])[] = [
  ["ls"],
  ["npm test", "npm test in /w | the files of the project decide what it runs, also after they are changed"],
  [
    "npm run build",
    "npm run build in /w | the files of the project decide what it runs, also after they are changed",
  ],
  ["npm run", "npm run in /w | npm runs commands from the project's files"],
  [
    "npm test -- x",
    "npm test -- x in /w | npm runs commands from the project's files",
    "npm test … in /w | with any further arguments",
  ],
  ["npm run a b", "npm run a b in /w | npm runs commands from the project's files"],
  ["npm run 'a b'", "npm run a b in /w | npm runs commands from the project's files"],
  [
    "pnpm run-script x",
    "pnpm run-script x in /w | the files of the project decide what it runs, also after they are changed",
  ],
  ["yarn run x", "yarn run x in /w | yarn runs commands from the project's files"],
  [
    "yarn start",
    "yarn start in /w | the files of the project decide what it runs, also after they are changed",
  ],
  ["node"],
  ["node a.js", "node a.js in /w | node is an interpreter and can run anything"],
  ["node18", "node18 in /w | node18 is an interpreter and can run anything"],
  ["nodex a"],
  ["python3"],
  ["python3 a.py", "python3 a.py in /w | python3 is an interpreter and can run anything"],
  ["python a", "python a in /w | python is an interpreter and can run anything"],
  ["pythonx a"],
  ["python3.11"],
  ["bash"],
  ["bash a.sh", "bash a.sh in /w | bash is part of a shell and can run anything"],
  ["xbash a"],
  ["pytest"],
  ["pytest a"],
  ["pytest -k a", "pytest … in /w | with any further arguments"],
  ["cargo test"],
  ["cargo test x", "cargo test … in /w | with any further arguments"],
  ["cargo testx y"],
  ["cargo build --release", "cargo build … in /w | with any further arguments"],
  ["cargo install x", "cargo install x in /w | cargo is an interpreter and can run anything"],
  ["go vet ./...", "go vet … in /w | with any further arguments"],
  ["mytool"],
  ["mytool run a", "mytool run … in /w | with any further arguments"],
  ["mytool run"],
  ["mytool Run a", "mytool … in /w | with any further arguments"],
  ["mytool a1 b", "mytool … in /w | with any further arguments"],
  ["mytool a-b c", "mytool a-b … in /w | with any further arguments"],
  ["mytool -x", "mytool … in /w | with any further arguments"],
  ["./run.sh", "./run.sh in /w | its program is a file, which may change"],
  ["./run.sh a", "./run.sh a in /w | its program is a file, which may change"],
  ["/bin/ls a", "/bin/ls a in /w | its program is a file, which may change"],
  ["npx tsc", "npx tsc in /w; tsc in /w | npx runs code from packages"],
  ["npx tsc -p a", "npx tsc -p a in /w; tsc -p a in /w | npx runs code from packages"],
  [
    "npm test && pytest a",
    "npm test in /w; pytest a in /w | each of them then runs by itself too, and npm runs commands from the project's files",
  ],
  [
    "npm test; ls",
    "npm test in /w; ls in /w | each of them then runs by itself too, and npm runs commands from the project's files",
  ],
  ["make", "make in /w | make runs commands from the project's files"],
  ["make all", "make all in /w | make runs commands from the project's files"],
  [
    "make && cp a b",
    "make in /w; cp a b in /w | each of them then runs by itself too, and make runs commands from the project's files",
  ],
  [
    "cd sub && npm test",
    "cd sub in /w; npm test in /w/sub | each of them then runs by itself too, and npm runs commands from the project's files",
  ],
  [
    "cd sub && make all",
    "cd sub in /w; make all in /w/sub | each of them then runs by itself too, and make runs commands from the project's files",
  ],
  ["sudo make"],
  ["A=1 make"],
  ["make > out"],
  ["make $x"],
  ["env make", "env make in /w; make in /w | env starts other programs"],
  ["timeout 5 make", "timeout 5 make in /w; make in /w | timeout starts other programs"],
  ["timeout 5 npm test", "timeout 5 npm test in /w; npm test in /w | timeout starts other programs"],
  ["cp a b"],
  ["rm a"],
  ["mytool a /w/out", "mytool a … in /w | with any further arguments"],
  ["curl a.com"],
  ["sort -o out a"],
  ["pytest a > out"],
  [
    "npm test | cat",
    "npm test in /w; cat in /w | each of them then runs by itself too, and npm runs commands from the project's files",
  ],
  [
    "npm test | mytool b",
    "npm test in /w; mytool b in /w | each of them then runs by itself too, and npm runs commands from the project's files",
  ],
];

for (const [text, ...expected] of OFFERS)
  test(`for ${text} ${expected.length === 0 ? "no rule is offered" : `is offered: ${expected.join(", or ")}`}`, async () => {
    const offers = grantOffers(await shellSubject(text), ["/w"]);
    const found = offers.map(({ rule, more = [], warning }) => {
      const rules = [rule, ...more].map(
        ({ command = [], exact, folder }) => `${command.join(" ")}${exact === true ? "" : " …"} in ${folder}`,
      );
      return `${rules.join("; ")} | ${warning}`;
    });
    assert.deepEqual(found, expected);
    for (const { scope } of offers) assert.equal(scope, "always");
  });

for (const [text, label] of [
  ["npm test", "`npm test` in this folder"],
  ["env make", "`env make` in this folder"],
  ["npm test && make", "each command of `npm test && make` in this folder"],
  ["pytest -k a", "`pytest …` in this folder"],
] as const)
  test(`the offer for ${text} is called ${label}`, async () => {
    assert.equal(grantOffers(await shellSubject(text), ["/w"])[0]?.label, label);
  });

for (const [tokens, expected] of [
  [["npm", "test"], true],
  [["npm", "t"], true],
  [["npm", "run", "a:b"], true],
  [["npm", "run", "a b"], false],
  [["npm", "run test"], false],
  [["npm", "run", "-x"], false],
  [["npm", "run", "a/b"], false],
  [["npm", "run"], false],
  [["xnpm", "test"], false],
  [["npm", "tests"], false],
  [["yarn", "run", "a"], false],
] as const)
  test(`${tokens.join(" ")} ${expected ? "is" : "is not"} one named script of the project`, () => {
    assert.equal(isNamedScript(tokens), expected);
  });

test("no rule for good is offered for several commands of one call, or for one that also reaches a host or a server", async () => {
  assert.deepEqual(grantOffers(await shellSubject(["make", "make"]), ["/w"]), []);
  for (const more of [
    { kind: "host", host: "a.com" },
    { kind: "mcp", server: "s", tool: "t" },
  ] as const)
    assert.deepEqual(grantOffers(await shellSubject("make", [more]), ["/w"]), []);
});

test("a command that writes a file which it names gets no rule with any further arguments", async () => {
  const more = { kind: "path", path: "/w/out", access: "write" } as const;
  assert.deepEqual(grantOffers(await shellSubject("mytool run a", [more]), ["/w"]), []);
  const read = { ...more, access: "read" } as const;
  assert.equal(grantOffers(await shellSubject("mytool run a", [read]), ["/w"]).length, 1);
  const suspected = { ...more, suspected: true } as const;
  assert.equal(grantOffers(await shellSubject("mytool run a", [suspected]), ["/w"]).length, 1);
});
