import assert from "node:assert/strict";
import { test } from "node:test";
import { mayBeTried } from "./may-be-tried.ts";
import { readCommand } from "./reader.ts";

const isTried = (text: string): boolean =>
  mayBeTried(readCommand({ kind: "command", text, cwd: "/w" }, "/h"));

test("a command that may only read is tried in the read-only sandbox", () => {
  const tried = `ls
ls | wc -l
mytool --check
make
npm test
npm run install
pnpm t
yarn lint
bun test
deno test
pip list
cargo test
cargo installed
go vet ./...
gem list
composer show
mvn verify
gradle test
dotnet test
python3 x.py
python3 install
awk '{print}' a.txt
echo installed
sh -c 'ls'
timeout 5 mytool
jq . x.json
sudo ls
terraform plan
X=1
expr 1 + 1
hexdump -C a.bin
mytool docker`;
  assert.deepEqual(
    tried.split("\n").filter((text) => !isTried(text)),
    [],
  );
});

test("a command that certainly writes, reaches the network or ends a process is not tried", () => {
  const acting = `touch x
mkdir x
rm x
cp a b
ls; touch x
touch x; ls
ls; docker ps
echo x > y
ls > y
sed -i s/a/b/ x
curl http://example.com
wget http://example.com
ping h
kill 1
chmod +x a
mount a b
docker ps
podman ps
nerdctl ps
kubectl get pods
docker-compose ps
podman-compose ps
sh -c 'touch x'
timeout 5 touch x`;
  const installers =
    "npm pnpm cnpm yarn bun deno pip pip3 pipx uv poetry cargo go gem bundle bundler composer mvn gradle dotnet";
  const downloads =
    "install i ci add remove uninstall update upgrade publish outdated view info audit create init login link sync fetch get mod restore";
  const installing = installers
    .split(" ")
    .flatMap((name) => downloads.split(" ").map((word) => `${name} ${word}`));
  assert.deepEqual([...acting.split("\n"), ...installing].filter(isTried), []);
});

test("nothing is tried that has no command or cannot be read", () => {
  for (const text of ["", "# a comment", `echo ${"x".repeat(70_000)}`, `${"env ".repeat(40)}ls`])
    assert.equal(isTried(text), false, text);
});
