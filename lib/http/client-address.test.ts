import { describe, expect, test } from "vitest";
import { readEnv } from "../env";
import { clientAddress, subnetOf } from "./client-address";

const trusted = readEnv({ TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7, fd00::/8" }).trustedProxies;

describe("which X-Forwarded-For headers count", () => {
  test.each<[when: string, remote: string | undefined, forwarded: string | null, address: string | undefined]>([
    ["none without a trusted proxy", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
    ["that of a trusted proxy", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["that of a chain of trusted proxies", "192.0.2.7", "203.0.113.9, 10.0.0.1", "203.0.113.9"],
    ["only the part after the first untrusted address", "10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"],
    ["that of an IPv4 proxy on a dual-stack socket", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["that of an IPv6 proxy", "fd00::1", "2001:db8::1", "2001:db8::1"],
    ["no header", "10.0.0.1", null, "10.0.0.1"],
    ["a header that is not a list of addresses", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["no connection", undefined, "203.0.113.9", undefined],
  ])("%s", (_, remote, forwarded, address) => {
    expect(clientAddress(remote, forwarded, trusted)).toBe(address);
  });

  test("without TRUSTED_PROXIES, none", () => {
    expect(clientAddress("10.0.0.1", "203.0.113.9", undefined)).toBe("10.0.0.1");
  });
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s counts as %s", (address, network) => {
  expect(subnetOf(address)).toBe(network);
});
