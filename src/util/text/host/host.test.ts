import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalHost, readHost } from "./host.ts";

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  "127.0.0.1": [
    "127.1 127.0.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.0.0.1. 127.000.000.001 0X7F.0.0.1",
    "①②⑦.⓪.⓪.① １２７.0.0.1 127。0。0。1 127．0．0．1 127｡0｡0｡1 %31%32%37.0.0.1 127.0.0.1:80",
    "[::ffff:127.0.0.1] [::ffff:7f00:1] ::ffff:7f00:1 [0:0:0:0:0:FFFF:7F00:0001] [::ffff:7f00:1]:80",
  ],
  "0.0.0.0": ["0 0.0 0x0 00 000.000.000.000 [::ffff:0:0]"],
  "::1": ["[::1] ::1 [0:0:0:0:0:0:0:1] [0000::1] [::0.0.0.1] [::1]:80"],
  "::": ["[::] :: [0::0] [::0.0.0.0]"],
  localhost: [
    "localhost LOCALHOST localhost. ｌocalhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc%61lhost localhost:8080 loc\u00adalhost",
  ],
  "xn--bcher-kva.example": ["bücher.example BÜCHER.Example. xn--bcher-kva.example bücher。example"],
  "under_score.test": ["under_score.test Under_Score.test:1"],
};

for (const [name, lists] of Object.entries(SPELLINGS))
  test(`every spelling of ${name} has one canonical form`, () => {
    for (const text of lists.flatMap((list) => list.split(" "))) {
      assert.equal(readHost(text).name, name, text);
      assert.equal(canonicalHost(text), name, text);
    }
  });

test("an IPv6 address also stands for the IPv4 address that a gateway may reach for it", () => {
  for (const text of [
    "64:ff9b::5db8:d822",
    "[64:ff9b::93.184.216.34]",
    "64:ff9b:1::5db8:d822",
    "64:ff9b:1:5db8:d8:2200::",
    "64:ff9b:1:5d:b8:d822::",
    "64:ff9b:1:0:5d:b8d8:2200:0",
    "2002:5db8:d822::",
    "2002:5db8:d822::5",
    "::93.184.216.34",
    "::ffff:0:93.184.216.34",
    "fe80::5efe:93.184.216.34",
    "fe80::200:5efe:93.184.216.34",
  ]) {
    const { name, forms } = readHost(text);
    assert.notEqual(name, "93.184.216.34", text);
    assert.ok(forms.includes("93.184.216.34"), `${text}: ${forms.join(" ")}`);
  }
  assert.deepEqual(readHost("2606:4700::1111").forms, ["2606:4700::1111"]);
});

test("a number with leading zeros is octal for some programs and decimal for others", () => {
  assert.deepEqual(readHost("010.0.0.1").forms, ["8.0.0.1", "10.0.0.1"]);
});

test("a name that two versions of IDNA map differently stands for both", () => {
  assert.deepEqual(readHost("faß.test").forms, ["xn--fa-hia.test", "fass.test"]);
});

test("a zone id leaves the address, but no certain name", () => {
  for (const text of ["[::1%lo]", "::1%lo", "[::1%25lo]:80"])
    assert.deepEqual([readHost(text).name, readHost(text).forms[0]], [undefined, "::1"], text);
});

test("a text that is no host, or is still to be replaced, may be any host", () => {
  const texts = [
    "",
    "a b",
    "x{1}",
    "$HOST",
    "256.1.1.1",
    "[x]",
    "[::1",
    "a/b",
    "u@h",
    "%zz",
    "::g",
    "x".repeat(2400),
  ];
  for (const text of texts) {
    const { name, forms, isOwn } = readHost(text);
    assert.deepEqual([name, forms.length, isOwn], [undefined, 0, true], text);
  }
});

test("this machine is reached by its names, its loopback addresses and the address of no host", () => {
  for (const text of [
    "localhost",
    "a.localhost",
    "ip6-loopback",
    "127.9.9.9",
    "::1",
    "0",
    "::",
    "[::ffff:0:0]",
    "::1%lo",
  ])
    assert.equal(readHost(text).isOwn, true, text);
  for (const text of ["example.com", "10.0.0.1", "notlocalhost", "0.0.0.1", "64:ff9b:1::5db8:d822", "::2"])
    assert.equal(readHost(text).isOwn, false, text);
});
