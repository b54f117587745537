import assert from "node:assert/strict";
import { test } from "node:test";
import { reachOf } from "./addresses.ts";

for (const [address, reach] of [
  ["93.184.216.34", "public"],
  ["2606:4700::1111", "public"],
  ["10.0.0.1", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.1", "public"],
  ["100.64.0.1", "private"],
  ["fd00:ec2::254", "private"],
  ["127.8.8.8", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:10.0.0.1", "private"],
  ["169.254.169.254", "reserved"],
  ["::ffff:169.254.169.254", "reserved"],
  ["fe80::1", "reserved"],
  ["0.0.0.0", "reserved"],
  ["::", "reserved"],
  ["224.0.0.1", "reserved"],
  ["240.0.0.1", "reserved"],
  ["192.0.0.192", "reserved"],
  ["198.18.0.1", "private"],
  ["0:0:0:0:0:0:0:1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["::127.0.0.1", "reserved"],
  ["::ffff:93.184.216.34", "public"],
  ["64:ff9b::93.184.216.34", "public"],
  ["64:ff9b::127.0.0.1", "loopback"],
  ["64:ff9b::a9fe:a9fe", "reserved"],
  ["64:ff9b:1::a00:1", "reserved"],
  ["2002:7f00:1::", "reserved"],
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "reserved"],
  ["fe80::1%eth0", "reserved"],
  ["fec0::1", "reserved"],
  ["::ffff:0:127.0.0.1", "reserved"],
  ["5f00::1", "reserved"],
  ["2001:4860:4860::8888", "public"],
] as const) {
  test(`${address} is a ${reach} address`, () => {
    assert.equal(reachOf(address), reach);
  });
}
