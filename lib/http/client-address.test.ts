import { describe, expect, test } from "vitest";
import { readEnv } from "../env";
import { clientAddress, subnetOf } from "./client-address";

const trusted = readEnv({ TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7, fd00::/8" }).trustedProxies;

describe("whose X-Forwarded-For is believed", () => {
  test.each<[when: string, remote: string | undefined, forwarded: string | null, address: string | undefined]>([
    ["nobody's by itself", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
    ["a trusted proxy's", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["a chain of trusted ones", "192.0.2.7", "203.0.113.9, 10.0.0.1", "203.0.113.9"],
    ["only as far as it is trusted", "10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"],
    ["a proxy of both families", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["one of IPv6", "fd00::1", "2001:db8::1", "2001:db8::1"],
    ["nothing there", "10.0.0.1", null, "10.0.0.1"],
    ["nonsense there", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["no connection", undefined, "203.0.113.9", undefined],
  ])("%s", (_, remote, forwarded, address) => {
    expect(clientAddress(remote, forwarded, trusted)).toBe(address);
  });

  test("without the setting, nobody's", () => {
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
