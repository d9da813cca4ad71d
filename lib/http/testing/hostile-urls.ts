import { networkInterfaces } from "node:os";

/** A URL that must be rejected, with the expected error code. */
export type Hostile = { url: string; refusal: "INVALID_URL" | "BLOCKED_ADDRESS" };

/** Names that resolve to internal addresses. One public address among them makes no difference. */
export const hostileNames: { [name: string]: string[] } = {
  "inside.test": ["10.0.0.5"],
  "loopback.test": ["127.0.0.1"],
  "loopback6.test": ["::1"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "mixed6.test": ["2606:4700::1111", "::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "zone.test": ["fe80::1%lo"],
  "nat64.test": ["64:ff9b::7f00:1"],
  "metadata.test": ["169.254.169.254"],
  "unspecified.test": ["0.0.0.0"],
  "local.test": ["192.168.1.1"],
  "garbage.test": ["not an address"],
  "xn--bcher-kva.test": ["172.16.0.9"],
};

/** IPv4 hosts in every spelling that the WHATWG parser accepts, and blocks of the special-purpose registry. */
const V4 = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
  ],
  ...["0x7F.0x0.0x0.0x1", "127.255.255.254", "127.000.000.001", "%31%32%37.0.0.1", "１２７.０.０.１", "127。0。0。1"],
  ...["①②⑦.0.0.1", "0", "0.0.0.0", "0x0", "00", "0.1.2.3", "10.0.0.1", "10.255.255.255", "167772161", "0xA000001"],
  ...[
    "100.64.0.1",
    "100.127.255.254",
    "169.254.0.1",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
  ],
  ...["172.16.0.1", "172.31.255.254", "192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.31.196.1"],
  ...["192.52.193.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "3232235521", "192.175.48.1", "198.18.0.1"],
  ...["198.19.255.254", "198.51.100.1", "203.0.113.1", "224.0.0.1", "233.252.0.1", "239.255.255.255", "240.0.0.1"],
  ...["255.255.255.254", "255.255.255.255", "4294967295", "0xffffffff", "168.63.129.16"],
];

const V6 = [
  ...["::1", "::", "0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0001", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  ...["::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "::127.0.0.1", "::7f00:1", "::ffff:8.8.8.8", "64:ff9b::127.0.0.1"],
  ...["64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "100::1", "100:0:0:1::1", "2001::1", "2001:0:7f00:1::1", "2001:2::1"],
  ...["2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:db8::1", "2002:7f00:1::1"],
  ...["2002::1", "2620:4f:8000::1", "3fff::1", "4000::1", "5f00::1", "8000::1", "fc00::1", "fd12:3456:789a::1"],
  ...["fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "1::1", "e000::1", "fd00:ec2::254"],
];

/** Texts that are not valid URLs for a call. `host` itself is a valid host. */
const malformed = (host: string) => [
  ...["", " ", "x", "//x", "/etc/passwd", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:70/_x"],
  ...["dict://127.0.0.1:11211/stats", "data:image/png;base64,AAAA", "blob:http://127.0.0.1/1", "javascript:alert(1)"],
  ...[
    "unix:/var/run/docker.sock",
    "ws://127.0.0.1/",
    "jar:http://127.0.0.1!/",
    "ldap://127.0.0.1/",
    "http:",
    "http://",
  ],
  ...["http:///", "https://", "http://?x", "http://#", "http://:80/", "http://[::1", "http://[::1%25lo]/"],
  ...["http://[v1.x]/", "http://127.0.0.256/", "http://1.2.3.4.5/", "http://999999999999/", "http://0x100000000/"],
  ...["http://a b/", `http://${host}/a b`, `http://${host}\\@127.0.0.1/`, "http:\\\\127.0.0.1\\", "http:127.0.0.1"],
  ...["http:/127.0.0.1/", ` http://${host}/`, `http://${host}/\n`, `http://${host}/\r\nHost:127.0.0.1`, "http://%00/"],
  ...[`ht\ttp://${host}/`, `http://${host}\t/`, "http://<script>/", "http://a^b/", "http://a|b/", "http://xn--/"],
  ...[`http://user@${host}/`, `http://user:password@${host}/`, `http://@${host}/`, `http://:@${host}/`],
  ...[`http://${host}@127.0.0.1/`, `http://127.0.0.1:80@${host}/`, `http://user%40${host}@127.0.0.1/`],
  ...[
    `http://${host}:22/`,
    `http://${host}:25/`,
    `http://${host}:5432/`,
    `http://${host}:6379/`,
    `http://${host}:9200/`,
  ],
  ...[
    `http://${host}:11211/`,
    `http://${host}:27017/`,
    `http://${host}:6667/`,
    `http://${host}:0/`,
    `http://${host}:53/`,
  ],
  ...[
    `https://${host}:23/`,
    `http://${host}:10080/`,
    `http://${host}:65536/`,
    `http://${host}:-1/`,
    `http://${host}:x/`,
  ],
  ...[`http://${host}/${"a".repeat(2048)}`],
];

/** The addresses of the network interfaces of this machine. */
function ownAddresses(): string[] {
  const found = Object.values(networkInterfaces()).flatMap((cards) => cards ?? []);
  return found.map(({ address, family }) => (family === "IPv6" ? `[${address.replace(/%.*/, "")}]` : address));
}

/** URLs that must never lead to a connection. Those that could be reached use `port`, so that a listener there would notice. */
export function hostileUrls(port: number): Hostile[] {
  const hosts = [...V4, ...V6.map((address) => `[${address}]`), ...ownAddresses()];
  return [
    ...malformed("93.184.216.34").map((url) => ({ url, refusal: "INVALID_URL" }) as const),
    ...hosts.map((host) => ({ url: `http://${host}:${port}/`, refusal: "BLOCKED_ADDRESS" }) as const),
    ...["127.0.0.1", "[::1]", "10.0.0.1"].map(
      (host) => ({ url: `HTTPS://${host}:${port}/a.png?b#c`, refusal: "BLOCKED_ADDRESS" }) as const,
    ),
  ];
}
