import assert from "node:assert/strict";
import { test } from "node:test";
import { hostsIn, type HostPlaces } from "./hosts-in.ts";

/** The hosts that a text names in a place; `?` is any host. */
const CASES: readonly (readonly [text: string, places: HostPlaces, hosts: string])[] = [
  ["http://a.com/x", "urls", "a.com"],
  ["x://u:p@a.com:80/?q", "urls", "a.com"],
  ["http://", "urls", ""],
  ["http://[::1]:80/x", "urls", "::1"],
  ["http://$h/", "urls", "?"],
  ["http://{a,b}.c/x", "urls", "a.c b.c"],
  ["http://a[1-2].c", "urls", "a1.c a2.c"],
  ["http://{a.c/x,http://b.c/y}", "urls", "a.c b.c"],
  ["http://a/{x,y}", "urls", "a"],
  ["http://[1-999].c", "urls", "?"],
  ["git@a.com:x", "urls", "a.com"],
  ["u@[::1]:x", "urls", "::1"],
  ["a@b=c", "urls", "b"],
  ["/dev/tcp/a.com/80", "urls", "a.com"],
  ["/dev/udp/::1/80", "urls", "::1"],
  ["/dev/tcp/$h/1", "urls", "?"],
  ["a.com", "urls", ""],
  ["http://a http://b", "urls", "a b"],
  ["a.com b.com:80", "arguments", "a.com b.com 0.0.0.80"],
  [":8080/x", "arguments", "localhost 0.0.31.144 x"],
  ["a :80", "arguments", "localhost a 0.0.0.80"],
  ["x:80", "arguments", "x 0.0.0.80"],
  ["-sx10.0.0.1", "arguments", "10.0.0.1"],
  ["-abcdefghijk1.2.3.4", "arguments", "1.2.3.4"],
  ["[::1]", "arguments", "::1 0.0.0.1"],
  ["[::1]:80 [fe80::1]", "arguments", "::1 fe80::1 0.0.0.1 0.0.0.80 fe80"],
  ["::1", "arguments", "::1 0.0.0.1"],
  ["fe80::1:2", "arguments", "fe80::1:2 0.0.0.1 0.0.0.2 fe80"],
  ["0", "arguments", "0.0.0.0"],
  ["x=0", "arguments", "x 0.0.0.0"],
  ["{a,b}.c", "arguments", "a.c b.c a b .c"],
  ["http://{a,b}.c", "arguments", "a.c b.c http a b .c"],
  ["a/b", "arguments", "a b"],
  ["--proxy=a.com", "arguments", "--proxy a.com"],
  ["[a-c].d", "arguments", "a.d b.d c.d a-c .d"],
  ["-", "arguments", ""],
  ["x = 0", "code", "x"],
  ["connect(0)", "code", "connect 0.0.0.0"],
  ["f('a.com', 80)", "code", "f a.com 0.0.0.80"],
  ["0.0", "code", ""],
  ["fetch 0x0.0", "code", "fetch 0.0.0.0"],
  ["a.com:80", "code", "a.com 0.0.0.80"],
  [":80", "code", "0.0.0.80"],
  ["00.5", "code", "0.0.0.5"],
  ["socket 0x0", "code", "socket 0.0.0.0"],
];

for (const [text, places, hosts] of CASES)
  test(`as ${places}, ${text} names ${hosts || "no host"}`, () => {
    const found = hostsIn([text], places).map(
      ({ name, forms }) => name ?? (forms.length > 0 ? forms[0] : "?"),
    );
    assert.equal([...new Set(found)].join(" "), hosts);
  });

test("too many names, and what follows too many options in a cluster, may be any host", () => {
  const isOpen = (text: string, places: HostPlaces = "arguments"): boolean =>
    hostsIn([text], places).some(({ forms }) => forms.length === 0);
  const many = (count: number): string => Array.from({ length: count }, (_, index) => `h${index}`).join(" ");
  assert.equal(isOpen(many(8000)), false);
  assert.equal(isOpen(many(8001)), true);
  assert.equal(isOpen(`-${"s".repeat(64)}`), false);
  assert.equal(isOpen(`-${"s".repeat(65)}`), true);
  assert.equal(isOpen(`-${"s".repeat(65)}`, "code"), false);
});
