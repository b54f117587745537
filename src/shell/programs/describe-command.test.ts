import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../test/support/generators/command-words.ts";
import { describeCommand } from "./describe-command.ts";

for (const text of ["npm --version", "pip --version", "cmake --version", "node --version"]) {
  test(`${text} is proven read-only`, () => assert.equal(describeCommand(commandOf(text)).isReadOnly, true));
}

for (const text of ["git grep --untracked x", "git grep --no-index x ."])
  test(`${text} is not proven read-only: it reads files that git has not stored`, () => {
    assert.equal(describeCommand(commandOf(text)).isReadOnly, false);
  });

for (const [text, what] of [
  ["yarn --version", "the release that .yarnrc.yml names"],
  ["yarn list", "the release that .yarnrc.yml names"],
  ["npm ls", "plugins, and it writes logs"],
  ["pnpm ls", ".pnpmfile.cjs"],
  ["pnpm --version", "the release that package.json names"],
  ["poetry --version", "plugins of the project"],
  ["mvn --version", "the agents that .mvn/jvm.config names"],
  ["sbt --version", "the agents that .jvmopts names"],
  ["bazel --version", "tools/bazel"],
  ["tox --version", "toxfile.py"],
  ["nx --version", "the nx of node_modules"],
  ["dotnet --version", "the SDK whose folder global.json names"],
] as const) {
  test(`${text} is not proven read-only: it starts ${what}`, () => {
    assert.equal(describeCommand(commandOf(text)).isReadOnly, false);
  });
}

for (const [text, listed] of [
  ["tree -o out", "-o"],
  ["tree -Lo 1 out", "-Lo"],
  ["tree -aPo x out", "-aPo"],
  ["tree -LR 1", "-LR"],
  ["ssh -F file host", "-F"],
  ["go test -exec ./x ./...", "-exec"],
  ["go build --toolexec=./x", "--toolexec=./x"],
  ["go vet -vettool=./x", "-vettool=./x"],
  ["go build -ldflags -extld=./x", "-ldflags"],
  ["go build -o out", "-o"],
  ["gcc -wrapper ./x a.c", "-wrapper"],
  ["gcc -fplugin=./x.so a.c", "-fplugin=./x.so"],
  ["gcc -Bfolder a.c", "-Bfolder"],
  ["gcc a.c -o out", "-o"],
  ["rustc -Clinker=./x a.rs", "-Clinker=./x"],
  ["kubectl get pods --kubeconfig=file", "--kubeconfig=file"],
  ["docker --config folder ps", "--config"],
  ["kubectl apply -f x --kubeconfig file", "--kubeconfig"],
  ["helm list --kubeconfig file", "--kubeconfig"],
  ["npm test --userconfig=file", "--userconfig=file"],
  ["npm test --script-shell=./x", "--script-shell=./x"],
  ["npm install --script-shell ./x", "--script-shell"],
  ["npm exec --script-shell ./x y", "--script-shell"],
  ["cargo tree --config build.rustc-wrapper=./x", "--config"],
  ["go env -w GOFLAGS=x", "-w"],
  ["ssh -I lib.so host", "-I"],
  ["scp -F file a host:b", "-F"],
  ["uniq a b", "b"],
] as const) {
  test(`in ${text} the option ${listed} is allowed only if the rule names it`, () => {
    const { isReadOnly, listedFlags } = describeCommand(commandOf(text));
    assert.deepEqual([isReadOnly, listedFlags.includes(listed)], [false, true]);
  });
}

test("a format with a signature starts the program that verifies it, also for branches", () => {
  assert.equal(describeCommand(commandOf("git branch --format=%(signature)")).isReadOnly, false);
});
