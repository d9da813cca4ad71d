import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DNS_OPTIONS, isPublicAddress, normalAddress, resolveByDns, resolveBySystem } from "./egress-guard";

const [A, AAAA] = [1, 28];
const [NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME] = [0, 2, 3];
const ADDRESS = "203.0.113.7";
const LONG_ADDRESS = "2001:db8::7";

/** The records of each name. Any other name belongs to a server that never answers. */
const zone: { [name: string]: { a?: string; aaaa?: string; code?: number } } = {
  "both.example": { a: ADDRESS, aaaa: LONG_ADDRESS },
  "old.example": { a: ADDRESS },
  "new.example": { aaaa: LONG_ADDRESS },
  "nothing.example": {},
  "unknown.example": { code: NO_SUCH_NAME },
  "broken.example": { code: SERVER_FAILURE },
};

const server = createSocket("udp4");
const resolver = new Resolver(DNS_OPTIONS);

beforeAll(async () => {
  server.on("message", (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, port, address);
  });
  await new Promise<void>((ready) => server.bind(0, "127.0.0.1", ready));
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => server.close());

/** The answer to one DNS question in wire format (RFC 1035, section 4). */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + size).toString());
    at += 1 + size;
  }
  const entry = zone[labels.join(".")];
  if (!entry) return undefined;
  const kind = query.readUInt16BE(at + 1);
  const bytes = kind === A && entry.a ? bytesOf(entry.a) : kind === AAAA && entry.aaaa ? longBytes : undefined;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 + (entry.code ?? NO_ERROR), 2);
  head.writeUInt16BE(bytes ? 1 : 0, 6);
  head.fill(0, 8); // neither authorities nor the additional record that c-ares sends
  const question = query.subarray(12, at + 5);
  if (!bytes) return Buffer.concat([head, question]);
  const record = Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([head, question, record, bytes]);
}

const bytesOf = (address: string) => Buffer.from(address.split(".").map(Number));
const longBytes = Buffer.from("20010db8000000000000000000000007", "hex");

const refusal = (name: string) => resolveByDns(name, resolver).then(String, ({ code }) => code);

describe("the addresses of a name", () => {
  test.each([
    ["both.example", [ADDRESS, LONG_ADDRESS]],
    ["old.example", [ADDRESS]],
    ["new.example", [LONG_ADDRESS]],
  ])("%s", async (name, addresses) => {
    expect(await resolveByDns(name, resolver)).toEqual(addresses);
  });

  test.each([
    ["unknown.example", "ENOTFOUND"],
    ["nothing.example", "ENODATA"],
    ["broken.example", "ESERVFAIL"],
  ])("%s has none", async (name, code) => {
    expect(await refusal(name)).toBe(code);
  });

  test.each(["localhost", "LOCALHOST"])("the system's resolver resolves %s", async (name) => {
    expect(await resolveByDns(name, resolver)).toEqual(await resolveBySystem(name));
  });
});

test("names with unresponsive servers delay no other name, and fail after a timeout", async () => {
  const silent = Array.from({ length: 20 }, (_, index) => refusal(`silent${index}.example`));
  const first = await Promise.race([...silent, resolveBySystem("localhost")]);
  expect(first).toContain("127.0.0.1");
  expect(new Set(await Promise.all(silent))).toEqual(new Set(["ETIMEOUT"]));
});

describe("a public address", () => {
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
    ...["240.0.0.0", "255.255.255.255", "168.63.129.16"],
  ])("%s", (address) => expect(isPublicAddress(address)).toBe(false));
  test.each([
    ...["::", "::1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1", "100::1"],
    ...["100:0:0:1::1", "1fff:ffff::1", "4000::1", "2001::1", "2001:1::1", "2001:2::1", "2001:10::1", "2001:20::1"],
    ...["2001:db8::1", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1"],
    ...["fe80::1%eth0"],
  ])("%s", (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(["", "localhost", "8.8.8.8.8", "8.8.8.8/8", "[2606:4700::1111]"])("not an address: %j", (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

test("each address has one normalized spelling", () => {
  expect(normalAddress("0:0:0:0:0:0:0:1")).toBe(normalAddress("::1"));
  expect(normalAddress("127.0.0.1")).not.toBe(normalAddress("::ffff:127.0.0.1"));
});
