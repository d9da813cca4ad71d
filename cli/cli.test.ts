import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { main } from "../cli";
import { auditLog, db } from "../lib/db";
import { env } from "../lib/env";
import { listVisiblePartners } from "../lib/partners";
import { as, newPerson, nobody, readResponse } from "../lib/testing";
import { addAuthenticator, beginAuthenticator, getAddressOwner, listSessions, signInWithPassword } from "../lib/users";
import { codeAt } from "../lib/users/testing/authenticator-app";
import { newSession } from "../lib/users/testing/sessions";
import { authenticate, registerUser } from "../lib/users/users";
import { commands } from "./commands";
import { checkSetup } from "./doctor";

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TOKEN = expect.stringMatching(/^[\w-]{20,}$/);

let out: string[];
let errors: string[];

beforeEach(() => {
  [out, errors] = [[], []];
  vi.spyOn(console, "log").mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, "error").mockImplementation((text) => void errors.push(String(text)));
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

/** Runs a command and returns its exit code and both outputs. */
async function run(...argv: string[]) {
  [out, errors, process.exitCode] = [[], [], undefined];
  await main(argv);
  return { code: process.exitCode ?? 0, out: out.join("\n"), errors: errors.join("\n") };
}

/** Runs a command that must succeed and print exactly one line of JSON. */
async function done(...argv: string[]): Promise<unknown> {
  const { code, out, errors } = await run(...argv);
  expect([code, errors]).toEqual([0, ""]);
  return JSON.parse(out);
}

async function newUser(): Promise<{ email: string; id: string }> {
  const email = `${randomUUID()}@example.com`;
  const { id } = (await done("users", "create", "--email", email, "--password", "a long password")) as { id: string };
  return { email, id };
}

describe("0: does its work and prints one JSON object", () => {
  test("users create, suspend, resume", async () => {
    const email = `${randomUUID()}@example.com`;
    const args = ["--email", email, "--password", "a long password", "--name", "Ada", "--role", "staff"];
    const user = (await done("users", "create", ...args)) as { id: string };
    expect(user).toEqual({ id: UUID, email, role: "staff" });
    const caller = as(user.id);
    expect((await readResponse(caller.get("/v1/me")))[1]).toEqual({ id: user.id, email, name: "Ada", role: "staff" });
    expect(await done("users", "suspend", user.id)).toEqual({ id: user.id, suspended: true });
    expect((await caller.get("/v1/me")).status).toBe(403);
    expect(await done("users", "resume", user.id)).toEqual({ id: user.id, suspended: false });
    expect((await caller.get("/v1/me")).status).toBe(200);
  });

  test("migrate: lists the migrations that it applied", async () => {
    expect(await done("migrate")).toEqual({ applied: [] });
  });

  test("users remove-factors: the password alone signs in again, sessions stay, and the audit log names the operator", async () => {
    const { email, id } = await newUser();
    const session = await newSession(id);
    const { secret, ticket } = await beginAuthenticator(session.user);
    await addAuthenticator(session, ticket, await codeAt(secret, Date.now()));
    const signIn = async () => (await signInWithPassword(new Headers(), email, "a long password")).kind;
    expect(await signIn()).toBe("secondStep");
    expect(await done("users", "remove-factors", "--email", email)).toEqual({ id, removed: 1 });
    expect(await signIn()).toBe("done");
    expect((await listSessions(id)).map((one) => one.id)).toEqual([session.id]);
    const removed = and(eq(auditLog.subject, id), eq(auditLog.action, "factor.removed"));
    const lines = await db.select().from(auditLog).where(removed);
    expect(lines.map(({ actorId, details }) => [actorId, details])).toEqual([[null, { kind: "authenticator" }]]);
    expect(await done("users", "remove-factors", "--email", email)).toEqual({ id, removed: 0 });
  });

  test("clients create, suspend, resume", async () => {
    const redirect = ["--redirect-uri", "https://a.example/cb", "--redirect-uri", "https://b.example/cb"];
    const client = (await done("clients", "create", "--name", "App", ...redirect)) as { clientId: string };
    expect(client).toEqual({ clientId: TOKEN, clientSecret: TOKEN });
    const { clientId } = client;
    expect(await done("clients", "suspend", clientId)).toEqual({ clientId, suspended: true });
    expect(await done("clients", "resume", clientId)).toEqual({ clientId, suspended: false });
    const publicOne = await done("clients", "create", "--name", "App", ...redirect, "--type", "public");
    expect(publicOne).toEqual({ clientId: TOKEN });
  });

  test("partners create, suspend, resume", async () => {
    const partner = (await done("partners", "create", "--name", "Acme")) as { clientId: string; clientSecret: string };
    expect(partner).toEqual({ clientId: TOKEN, clientSecret: TOKEN });
    const { clientId, clientSecret } = partner;
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const ask = async () => (await nobody.post("/oauth/token", body)).status;
    expect(await ask()).toBe(200);
    expect(await done("partners", "suspend", clientId)).toEqual({ clientId, suspended: true });
    expect(await ask()).toBe(401);
    expect(await done("partners", "resume", clientId)).toEqual({ clientId, suspended: false });
    expect(await ask()).toBe(200);
  });

  test("partners brand, attempts", async () => {
    const { clientId } = (await done("partners", "create", "--name", "Acme")) as { clientId: string };
    const brand = (...set: string[]) => done("partners", "brand", "--client", clientId, ...set);
    const none = { displayName: null, accent: null, accentDark: null, language: null, homeUrl: null, logoUrl: null };
    const set = ["--name", "Acme Planner", "--accent", "#7a1fa2", "--language", "de", "--home-url", "acme://home"];
    const after = { displayName: "Acme Planner", accent: "#7a1fa2", language: "de", homeUrl: "acme://home" };
    expect(await brand(...set)).toEqual({ ...none, ...after });
    expect(await brand("--accent", "", "--language", "")).toEqual({ ...none, ...after, accent: null, language: null });
    expect(await done("partners", "attempts", "--client", clientId)).toEqual({ attempts: [] });
    const unreadable = await run("partners", "brand", "--client", clientId, "--accent", "#ffff00");
    expect([unreadable.code, unreadable.errors]).toEqual([1, expect.stringMatching(/^accent is not readable/)]);
    const absent = await run("partners", "brand", "--client", clientId, "--logo", "/no/such/file.png");
    expect([absent.code, absent.errors]).toEqual([2, expect.stringContaining("--logo cannot be read")]);
    const code = await run("partners", "attempts", "--client", clientId, "--code", "AAAAA-AAAAA");
    expect([code.code, code.errors]).toEqual([1, expect.stringContaining("Attempt not found: AAAAA-AAAAA")]);
  });

  test("partners settings, which are off unless switched on", async () => {
    const { clientId } = (await done("partners", "create", "--name", "Acme")) as { clientId: string };
    const settings = (...set: string[]) => done("partners", "settings", "--client", clientId, ...set);
    expect(await settings()).toEqual({ interstitial: false, hold: false });
    expect(await settings("--hold", "on")).toEqual({ interstitial: false, hold: true });
    expect(await settings("--interstitial", "on", "--hold", "off")).toEqual({ interstitial: true, hold: false });
    const wrong = await run("partners", "settings", "--client", clientId, "--hold", "yes");
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining("--hold must be one of on, off, not yes")]);
  });

  test("partners add-member, which can be repeated", async () => {
    const { clientId } = (await done("partners", "create", "--name", "Acme")) as { clientId: string };
    const { email } = await newUser();
    const user = await getAddressOwner(email);
    expect(await listVisiblePartners(user)).toEqual([]);
    for (const _ of ["once", "again"]) {
      const said = await done("partners", "add-member", "--partner", clientId, "--user", email);
      expect(said).toEqual({ partner: clientId, user: email, role: "owner" });
    }
    expect(await listVisiblePartners(user)).toMatchObject([{ clientId, name: "Acme" }]);
  });

  test("tokens create, with scopes and lifetime", async () => {
    const { email } = await newUser();
    const args = ["--user", email, "--scope", "posts.read service-api/accounts.read", "--ttl", "90"];
    const token = (await done("tokens", "create", ...args)) as { access_token: string };
    expect(token).toEqual({ access_token: expect.any(String), expires_in: 90 });
    const bearer = { authorization: `Bearer ${token.access_token}` };
    expect((await nobody.get("/v1/posts", bearer)).status).toBe(200);
    expect((await nobody.get("/v1/media", bearer)).status).toBe(403);
    expect(await done("tokens", "create", "--user", email)).toMatchObject({ expires_in: 3600 });
  });

  test("accounts connect-sandbox", async () => {
    const [{ email, id }, person] = [await newUser(), newPerson()];
    const args = ["--user", email, "--platform", "X_TWITTER", "--person", person];
    const heads: string[] = [];
    const keepHead = (message: unknown) => void heads.push((message as { headers: string }).headers.toLowerCase());
    subscribe("undici:client:sendHeaders", keepHead);
    const account = await done("accounts", "connect-sandbox", ...args);
    unsubscribe("undici:client:sendHeaders", keepHead);
    expect(account).toMatchObject({ platform: "X_TWITTER", accountUsername: person });
    // An idle connection would keep the process running after it has printed.
    expect(heads.length).toBeGreaterThan(2);
    expect(heads.filter((head) => !head.includes("connection: close"))).toEqual([]);
    expect(await readResponse(as(id).get("/v1/accounts"))).toEqual([200, [account]]);
  });

  test("keys rotate", async () => {
    const { kid } = (await done("keys", "rotate")) as { kid: string };
    const [, { keys }] = (await readResponse(nobody.get("/.well-known/jwks.json"))) as [
      number,
      { keys: { kid: string }[] },
    ];
    expect(keys.map((key) => key.kid)).toContain(kid);
  });

  test("doctor", async () => {
    expect(await done("doctor")).toEqual({
      baseUrl: process.env.BASE_URL,
      authUrl: process.env.BASE_URL,
      appUrl: process.env.BASE_URL,
      dataDir: process.env.DATA_DIR,
      database: "DATABASE_URL",
      objects: "DATA_DIR",
      mail: "written to DATA_DIR/mail",
      worker: "in the web process",
      secrets: "SECRETS_KEY",
      sandbox: `http://localhost:${process.env.SANDBOX_PORT}`,
      quotas: [],
      keys: [{ key: 1, values: expect.any(Number) }],
      versionsAsOf: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      networks: expect.arrayContaining([
        { platform: "INSTAGRAM", mode: "sandbox", apiVersion: "v26.0", endOfLife: "not announced" },
      ]),
      problems: [
        {
          severity: "warning",
          problem: expect.stringMatching(/^APP_URL is not public/),
          fix: expect.stringMatching(/^Set APP_URL/),
        },
      ],
    });
    const { networks } = await checkSetup();
    for (const { apiVersion, endOfLife } of networks) {
      expect(apiVersion).toMatch(/\d/);
      expect(endOfLife).toMatch(/^(not announced|20\d\d-\d\d-\d\d)$/);
    }
  });
});

describe("0: --help, on standard output", () => {
  test.each(Object.entries(commands))("%s", async (name, { options = {}, argument }) => {
    const { code, out, errors } = await run(...name.split(" "), "--help");
    expect([code, errors]).toEqual([0, ""]);
    for (const part of ["Usage:", "Prints:", `Example:\n  npm run carillon -- ${name}`, argument ?? ""]) {
      expect(out).toContain(part);
    }
    for (const option of Object.keys(options)) expect(out).toContain(`  --${option} `);
  });

  test.each([[["--help"]], [["-h"]], [["help"]]])("%j lists every command", async (argv) => {
    const { code, out, errors } = await run(...argv);
    expect([code, errors]).toEqual([0, ""]);
    for (const name of Object.keys(commands)) expect(out).toContain(`\n  ${name} `);
  });

  test("the first word of a command lists the commands that begin with it", async () => {
    const { code, out } = await run("users", "--help");
    expect([code, out.includes("users resume"), out.includes("keys rotate")]).toEqual([0, true, false]);
  });
});

test("users create --password - reads the password from standard input", async () => {
  const email = `${randomUUID()}@example.com`;
  const before = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  Object.defineProperty(process, "stdin", { value: Readable.from(["a piped password\n"]), configurable: true });
  try {
    await done("users", "create", "--email", email, "--password", "-");
  } finally {
    Object.defineProperty(process, "stdin", before);
  }
  expect(await authenticate(email, "a piped password")).toMatchObject({ email });
});

describe("exit code 2 for wrong arguments, with the reason on standard error", () => {
  const create = ["users", "create", "--email", "a@example.com", "--password", "a long password"];

  test.each<[argv: string[], says: string]>([
    [[], "command is missing"],
    [["nothing"], "unknown command: nothing"],
    [["users"], "unknown command: users"],
    [["users", "remove"], "unknown command: users remove"],
    [["toString"], "unknown command: toString"],
    [["users", "create"], "--email is missing; --password is missing"],
    [[...create, "--colour", "red"], "Unknown option '--colour'"],
    [[...create, "--email", "b@example.com"], "--email is given twice"],
    [[...create, "more"], "unexpected argument: more"],
    [[...create, "--role", "king"], "--role must be one of user, staff, not king"],
    [["doctor", "x"], "NETWORK needs --live"],
    [["doctor", "--live", "--account", "1"], "--account needs --live NETWORK"],
    [["doctor", "--live", "x", "--account", "one"], "--account must be a number, not one"],
    [["doctor", "--live", "myspace"], "NETWORK must be one of x, "],
    [["doctor", "--live", "x", "bluesky"], "unexpected argument: bluesky"],
    [["users", "suspend"], "ID is missing"],
    [["users", "suspend", "a", "b"], "unexpected argument: b"],
    [["clients", "create", "--name", "A"], "--redirect-uri is missing"],
    [["tokens", "create", "--user", "a@example.com", "--scope", "everything"], "--scope contains an unknown scope"],
    [
      ["tokens", "create", "--user", "a@example.com", "--ttl", "soon"],
      "--ttl must be a whole number of seconds, not soon",
    ],
    [["accounts", "connect-sandbox", "--user", "a@example.com", "--platform", "MYSPACE"], "--platform must be one of"],
    [["doctor", "--quick"], "Unknown option '--quick'"],
    [["restore", "finish"], "--taken-at is missing"],
    [["restore", "finish", "--taken-at", "2026-02-30T03:00:00Z"], "--taken-at must be an instant such as"],
    [["restore", "finish", "--taken-at", "2026-02-28T03:00:00"], "--taken-at must be an instant such as"],
    [["restore", "finish", "--taken-at", "9000-01-01T03:00:00+01:00"], "--taken-at must be in the past"],
  ])("%j", async (argv, says) => {
    const { code, out, errors } = await run(...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(errors.split("\n")[0]).toContain(says);
    expect(errors.toLowerCase()).toContain("usage:");
  });
});

test("wrong values are refused before the database is opened", async () => {
  const commandLines = [
    "users create --email a@example.com --password abcdefgh --role king",
    "clients create --name A --redirect-uri https://a.example --type odd",
    "tokens create --user a@example.com --ttl soon",
    "tokens create --user a@example.com --scope everything",
    "accounts connect-sandbox --user a@example.com --platform MYSPACE",
    "keys reseal --cookies eat",
    "installation accept everything",
    "restore finish --taken-at soon",
    "partners add-member --partner P --user a@example.com --role king",
    "partners brand --client P --language klingon",
    "partners brand --client P --logo /no/such/file.png",
    "partners settings --client P --hold maybe",
    "doctor --live myspace",
  ].map((line) => line.split(" "));
  const script = `const { main } = await import("./cli.ts");
    const codes = [];
    for (const argv of ${JSON.stringify(commandLines)}) {
      process.exitCode = 0;
      codes.push(await main(argv).then(() => process.exitCode, ({ name }) => name));
    }
    codes.push(await main(["keys", "rotate"]).then(() => "done", ({ name }) => name));
    console.log(JSON.stringify(codes));
    process.exit(0);`;
  const env = { ...process.env, DATABASE_URL: "postgres://127.0.0.1:1/none", DATABASE_DIRECT_URL: "" };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", script],
    { env },
  );
  expect(JSON.parse(stdout)).toEqual([...commandLines.map(() => 2), "SettingsError"]);
});

test("doctor --live exits with 1 if something failed, and still prints its report", async () => {
  const { reservedDiskBytes } = env;
  onTestFinished(() => void Object.assign(env, { reservedDiskBytes }));
  Object.assign(env, { reservedDiskBytes: Number.MAX_SAFE_INTEGER });
  const { code, out, errors } = await run("doctor", "--live");
  expect([code, errors]).toEqual([1, ""]);
  expect(JSON.parse(out).problems).toContainEqual(
    expect.objectContaining({ severity: "failure", problem: expect.stringMatching(/^The disk of DATA_DIR has /) }),
  );
});

describe("exit code 1 for a failed command, with the reason on standard error", () => {
  test.each([["partners add-member"], ["tokens create"], ["users remove-factors"]])(
    "%s for an address that nobody has confirmed",
    async (name) => {
      const email = `${randomUUID()}@example.com`;
      await registerUser({ email, password: "a long password" }, false);
      const { clientId } = (await done("partners", "create", "--name", "Acme")) as { clientId: string };
      const of = { "partners add-member": ["--partner", clientId, "--user"], "tokens create": ["--user"] }[name];
      const { code, out, errors } = await run(...name.split(" "), ...(of ?? ["--email"]), email);
      const reason = `Nobody has confirmed the address ${email} yet, so the account may belong to somebody else`;
      expect([code, out, errors]).toEqual([1, "", expect.stringContaining(reason)]);
    },
  );

  test("accounts connect-sandbox of an account that another user has connected", async () => {
    const [first, second, person] = [await newUser(), await newUser(), newPerson()];
    const args = ["accounts", "connect-sandbox", "--platform", "X_TWITTER", "--person", person, "--user"];
    await done(...args, first.email);
    expect(await run(...args, second.email)).toEqual({
      code: 1,
      out: "",
      errors: "This X account was already used by another user of this service",
    });
  });

  test("unknown, duplicate or invalid values", async () => {
    const { email } = await newUser();
    for (const [argv, says] of [
      [["users", "create", "--email", email, "--password", "a long password"], `email is already registered: ${email}`],
      [["users", "create", "--email", "nope", "--password", "a"], "email must be an email address; password must have"],
      [["users", "suspend", "nobody"], "User not found: nobody"],
      [["clients", "resume", "-Y_id"], "Client not found: -Y_id"],
      [["clients", "suspend", "nobody"], "Client not found: nobody"],
      [["partners", "suspend", "nobody"], "Partner not found: nobody"],
      [["partners", "add-member", "--partner", "nobody", "--user", "x@example.com"], "Partner not found: nobody"],
      [["clients", "create", "--name", "A", "--redirect-uri", "nowhere"], "redirect"],
      [["tokens", "create", "--user", "nobody@example.com"], "User not found: nobody@example.com"],
      [["accounts", "connect-sandbox", "--user", "nobody@example.com", "--platform", "X_TWITTER"], "User not found"],
    ] as const) {
      const { code, out, errors } = await run(...argv);
      expect([code, out, errors], argv.join(" ")).toEqual([1, "", expect.stringContaining(says)]);
    }
  });
});
