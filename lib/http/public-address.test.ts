import { describe, expect, test } from "vitest";
import { isPublicAddress, normalAddress } from "./public-address";

describe("an address that anybody may be reached at", () => {
  test.each(["8.8.8.8", "1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1"])(
    "%s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  test.each(["2606:4700::1111", "2a00:1450:4001:80b::200e", "2001:200::1", "2001:4860:4860::8888"])("%s", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe("an address of a special-purpose block is not public", () => {
  test.each([
    ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0"],
    ...[
      "127.255.255.255",
      "169.254.0.0",
      "169.254.169.254",
      "172.16.0.0",
      "172.31.255.255",
      "192.0.0.0",
      "192.0.0.255",
    ],
    ...["192.0.2.0", "192.0.2.255", "192.31.196.0", "192.52.193.0", "192.88.99.0", "192.168.0.0", "192.168.255.255"],
    ...[
      "192.175.48.0",
      "198.18.0.0",
      "198.19.255.255",
      "198.51.100.0",
      "203.0.113.255",
      "224.0.0.0",
      "239.255.255.255",
    ],
    ...["240.0.0.0", "255.255.255.255"],
  ])("%s", (address) => expect(isPublicAddress(address)).toBe(false));
  test.each([
    ...["::", "::1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1", "100::1"],
    ...["100:0:0:1::1", "1fff:ffff::1", "4000::1", "2001::1", "2001:1::1", "2001:2::1", "2001:10::1", "2001:20::1"],
    ...["2001:db8::1", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1"],
    ...["fe80::1%eth0"],
  ])("%s", (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(["", "localhost", "8.8.8.8.8", "8.8.8.8/8", "[2606:4700::1111]"])("no address: %j", (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

test("an address has one spelling", () => {
  expect(normalAddress("0:0:0:0:0:0:0:1")).toBe(normalAddress("::1"));
  expect(normalAddress("127.0.0.1")).not.toBe(normalAddress("::ffff:127.0.0.1"));
});
