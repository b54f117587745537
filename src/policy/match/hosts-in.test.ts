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
  ["http://a[10-11].c", "urls", "a10.c a11.c"],
  ["a ::", "arguments", "a ::"],
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
  ["http://a.com", "urls", "a.com"],
  ["x http://a.com/b?c", "urls", "a.com"],
  ["http://u:p@a.com:1/x", "urls", "a.com"],
  ["http://[::1]:1/", "urls", "::1"],
  ["http://[::1%lo]/", "urls", "::1"],
  ["://a.com", "urls", "a.com"],
  ["http:///x", "urls", ""],
  ["http://a.com,b", "urls", "a.com"],
  ["git@b.com:x", "urls", "b.com"],
  ["u@[::1]", "urls", "::1"],
  ["/dev/tcp/c.com/1", "urls", "c.com"],
  ["/dev/udp/::1/1", "urls", "::1"],
  ["http://{a.com,b.com}/x", "urls", "a.com b.com"],
  ["http://{http://a.com/x,b.com}", "urls", "a.com b.com"],
  ["http://127.0.0.[1-2]/", "urls", "127.0.0.1 127.0.0.2"],
  ["http://x[1-9]", "urls", "x1 x2 x3 x4 x5 x6 x7 x8 x9"],
  ["http://a.com]x", "urls", "a.com"],
  ["http://a[b", "urls", "a"],
  ["http://[::1]x/", "urls", "::1"],
  ["a.com", "code", "a.com"],
  ["x('a.com:80')", "code", "x a.com 0.0.0.80"],
  ["[::1]", "code", "::1 0.0.0.1"],
  ["[ab:cd]", "code", "ab cd"],
  ["[zz:1]", "code", "zz 0.0.0.1"],
  ["::1", "code", "::1 0.0.0.1"],
  ["a::1", "code", "a::1 0.0.0.1 a"],
  ["1:2:3", "code", "0.0.0.2 0.0.0.3 0.0.0.1"],
  ["-xa.com", "code", "-xa.com a.com .com"],
  ["-sxa.com", "code", "-sxa.com xa.com a.com .com"],
  ["x=0", "code", "x"],
  ["0x0", "code", ""],
  ["connect(00)", "code", "connect 0.0.0.0"],
  ["connect(0x0)", "code", "connect 0.0.0.0"],
  ["connect(0x00.0.00)", "code", "connect 0.0.0.0"],
  ["connect('0.0x0')", "code", "connect 0.0.0.0"],
  ["f(':8080')", "code", "f 0.0.31.144"],
  ["a{b}c@d", "code", "d a b c"],
  ["url.a.com:.insteadOf=x", "code", "url.a.com .insteadof a.com x"],
  ["url.a.com.pushInsteadOf", "code", "url.a.com.pushinsteadof a.com"],
  ["a.insteadOf.com url.com", "code", "a.insteadof.com url.com com"],
  ["--host=a.com", "code", "--host a.com"],
  ["é.com", "code", "xn--9ca.com"],
  ["a:b", "code", "a b"],
  ["a:", "code", "a"],
  ["...", "code", ""],
  [":80", "arguments", "localhost 0.0.0.80"],
  ["http :8080/x", "arguments", "localhost http 0.0.31.144 x"],
  ["x :8080", "arguments", "localhost x 0.0.31.144"],
  ["-xa", "arguments", "-xa a"],
  ["-x", "arguments", "-x"],
  ["{a,b}.com", "arguments", "a.com b.com a b .com"],
  ["curl '{a,b}.com'", "arguments", "a.com b.com curl a b .com"],
  ["//{a,b}.com/x", "arguments", "a.com b.com a b .com x"],
  ["x{a,b}", "arguments", "xa xb x a b"],
  ["[1-2].com", "arguments", "1.com 2.com 1-2 .com"],
  ["a//{b,c}", "arguments", "b c a"],
  ["'{a,b}' c", "arguments", "a b c"],
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

test("a word is compared up to the length of a host with every character encoded, and a longer glob may be any host", () => {
  const word = (length: number) => `${"a".repeat(length - 4)}.com`;
  assert.equal(hostsIn([word(2300)], "code").length, 1);
  assert.equal(hostsIn([word(2301)], "code").length, 0);
  const glob = (length: number) => `http://{a,${"b".repeat(length - 4)}}`;
  const isOpen = (text: string) => hostsIn([text], "urls").some(({ forms }) => forms.length === 0);
  assert.deepEqual([glob(2300), glob(2301)].map(isOpen), [false, true]);
});
