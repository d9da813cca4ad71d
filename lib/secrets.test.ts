import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import {
  challengeOf,
  fromBase64Url,
  isMacOf,
  macOf,
  randomToken,
  retiredPurposes,
  seal,
  secretFor,
  unseal,
} from "./secrets";

const ABOUT = "accounts.tokens X_TWITTER 17";

describe("a sealed value", () => {
  test("opens for the purpose it was sealed for, and is different each time", () => {
    const [first, second] = [1, 2].map(() => seal("account tokens", ABOUT, "tökens 🔑"));
    expect(unseal("account tokens", ABOUT, first as Buffer)).toBe("tökens 🔑");
    expect(first?.equals(second as Buffer)).toBe(false);
    expect(first?.includes("kens")).toBe(false);
  });

  test("does not open in another row, column or purpose", () => {
    const sealed = seal("account tokens", ABOUT, "secret");
    expect(() => unseal("account tokens", "accounts.tokens X_TWITTER 18", sealed)).toThrow();
    expect(() => unseal("account tokens", "", sealed)).toThrow();
    expect(() => unseal("connect attempt", ABOUT, sealed)).toThrow("needs a key that SECRETS_KEY no longer contains");
  });

  test("does not open if any bit is changed or bytes are missing", () => {
    const sealed = seal("account tokens", ABOUT, "secret");
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => unseal("account tokens", ABOUT, changed), `byte ${index}`).toThrow();
    }
    for (const length of [0, 3, 4, 16, 20, 31, 32, sealed.length - 1]) {
      expect(() => unseal("account tokens", ABOUT, sealed.subarray(0, length)), `${length} bytes`).toThrow();
    }
  });
});

describe("a MAC", () => {
  const { keyId, mac } = macOf("connect state", "data");

  test("is valid only for the same data, key and purpose", () => {
    expect(isMacOf("connect state", "data", keyId, mac)).toBe(true);
    expect(isMacOf("connect state", "Data", keyId, mac)).toBe(false);
    expect(isMacOf("media address", "data", keyId, mac)).toBe(false);
    expect(isMacOf("connect state", "data", "00000000", mac)).toBe(false);
    expect(isMacOf("connect state", "data", keyId.toUpperCase(), mac)).toBe(/^\d+$/.test(keyId));
  });

  test.each([
    ["padding", `${mac}=`],
    ["the other alphabet", `+${mac.slice(1)}`],
    ["a space", ` ${mac}`],
    ["a missing character", mac.slice(0, -1)],
    ["nothing", ""],
    ["other unused bits in the last character", mac.slice(0, -1) + otherSpelling(mac.slice(-1))],
  ])("is accepted in one encoding only: %s", (_, given) => {
    expect(isMacOf("connect state", "data", keyId, given)).toBe(false);
  });
});

/** 43 characters carry 258 bits. The lowest two bits of the last character are unused, and a lenient decoder ignores them. */
function otherSpelling(last: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[alphabet.indexOf(last) ^ 1] ?? "";
}

test("every purpose has its own key", () => {
  const purposes = ["account tokens", "connect attempt", "connect state", "media address", "session"];
  expect(new Set(purposes.map((purpose) => secretFor(purpose as "session"))).size).toBe(purposes.length);
});

test("random tokens have 256 bits and differ", () => {
  const tokens = Array.from({ length: 1000 }, () => randomToken());
  expect(new Set(tokens).size).toBe(1000);
  expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
});

test("base64url is decoded strictly", () => {
  expect(fromBase64Url("AQID_-")?.length).toBe(4);
  for (const text of ["AQID==", "AQ+D", "AQ/D", "AQ D", "AQ\n"]) expect(fromBase64Url(text)).toBeUndefined();
});

test("the PKCE challenge matches the example of RFC 7636, appendix B", () => {
  expect(challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  );
});

describe("with different settings", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "carillon-secrets-"));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  /** Loads the module as a process with these settings would: settings are read and keys are derived only once. */
  async function secretsWith(settings: { [name: string]: string }): Promise<typeof import("./secrets")> {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (key.description?.startsWith("carillon.secrets.")) Reflect.deleteProperty(globalThis, key);
    }
    vi.resetModules();
    return import("./secrets");
  }

  test("rotation: a key added at the front seals new values, the old key still opens old ones, and a removed key does not", async () => {
    const [old, fresh] = [randomToken(), randomToken()];
    const before = (await secretsWith({ SECRETS_KEY: old })).seal("account tokens", "row", "kept");
    const both = await secretsWith({ SECRETS_KEY: `${fresh},${old}` });
    expect(both.unseal("account tokens", "row", before)).toBe("kept");
    expect(both.secretsFor("session")).toHaveLength(2);
    const after = both.seal("account tokens", "row", "kept");
    const last = await secretsWith({ SECRETS_KEY: fresh });
    expect(last.unseal("account tokens", "row", after)).toBe("kept");
    expect(() => last.unseal("account tokens", "row", before)).toThrow("SECRETS_KEY no longer contains");
  });

  test("every purpose whose signatures leave the database keeps its key when SECRETS_KEY is replaced", () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
    const sources = files.filter((file) => /(?<!\.test)\.ts$/.test(file));
    const verified = sources.flatMap((file) => {
      const text = readFileSync(join(import.meta.dirname, file), "utf8");
      return [...text.matchAll(/\bisMacOf\(\s*"([^"]+)"/g)].map(([, purpose]) => purpose ?? "");
    });
    expect(verified.length).toBeGreaterThan(5);
    expect(retiredPurposes).toEqual(expect.arrayContaining([...new Set(verified)]));
  });

  test("a retired key still verifies what it made, only for its purpose, and makes nothing new", async () => {
    const [old, fresh] = [randomToken(), randomToken()];
    const made = (await secretsWith({ SECRETS_KEY: old })).macOf("unsubscribe", "link");
    const both = await secretsWith({ SECRETS_KEY: `${fresh},${old}` });
    const [older] = both.olderKeysOf("unsubscribe").map(({ secret }) => secret);
    const last = await secretsWith({ SECRETS_KEY: fresh });
    const isValid = () => last.isMacOf("unsubscribe", "link", made.keyId, made.mac);
    expect(isValid()).toBe(false);
    last.acceptRetiredKey("session", older ?? Buffer.alloc(0));
    expect([isValid(), last.secretsFor("session")[0]]).toEqual([false, last.secretFor("session")]);
    last.acceptRetiredKey("unsubscribe", older ?? Buffer.alloc(0));
    expect([isValid(), last.macOf("unsubscribe", "link").keyId === made.keyId]).toEqual([true, false]);
  });

  test("what a retired key sealed and named is still found, and new names come from the newest key", async () => {
    const [old, fresh] = [randomToken(), randomToken()];
    const before = await secretsWith({ SECRETS_KEY: old });
    const [sealed, [name]] = [before.seal("known browser", "row", "kept"), before.macsOf("known browser", "name")];
    const both = await secretsWith({ SECRETS_KEY: `${fresh},${old}` });
    const names = both.macsOf("known browser", "name");
    expect(names).toEqual([both.macOf("known browser", "name").mac, name]);
    const [older] = both.olderKeysOf("known browser").map(({ secret }) => secret);
    const last = await secretsWith({ SECRETS_KEY: fresh });
    expect(last.macsOf("known browser", "name")).toEqual(names.slice(0, 1));
    expect(() => last.unseal("known browser", "row", sealed)).toThrow("SECRETS_KEY no longer contains");
    last.acceptRetiredKey("known browser", older ?? Buffer.alloc(0));
    expect([last.unseal("known browser", "row", sealed), last.macsOf("known browser", "name")]).toEqual([
      "kept",
      names,
    ]);
  });

  test("without SECRETS_KEY, a key is generated, readable only by its owner, and kept", async () => {
    const none = { SECRETS_KEY: "", DATA_DIR: dataDir };
    const sealed = (await secretsWith(none)).seal("account tokens", "row", "kept");
    const file = join(dataDir, "secrets", "key");
    expect(readFileSync(file, "utf8").trim()).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "secrets")).mode & 0o777).toBe(0o700);
    expect((await secretsWith(none)).unseal("account tokens", "row", sealed)).toBe("kept");
    expect(readdirSync(join(dataDir, "secrets"))).toEqual(["key"]);
  });

  test("an empty file, as a full disk leaves it, is refused, because the key could be guessed", async () => {
    const none = { SECRETS_KEY: "", DATA_DIR: join(dataDir, "full") };
    const folder = join(none.DATA_DIR, "secrets");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "key"), "");
    const { seal } = await secretsWith(none);
    expect(() => seal("account tokens", "row", "kept")).toThrow(`the key in ${folder}/key is empty or cut off`);
  });
});
