import { describe, expect, test } from "vitest";
import { readEnv, SettingsError } from "./env";

function problemsOf(from: { [name: string]: string }): string[] {
  try {
    readEnv(from);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

const KEY = "k".repeat(43);
const PUBLIC = { BASE_URL: "https://api.example.com" };

describe("a wrong setting stops the start with its name, what it holds wrong and an example of a right value", () => {
  test.each<[name: string, value: string, says: string]>([
    ["PORT", "http", `"http" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["PORT", "0", `"0" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["PORT", "65536", `"65536" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["PORT", " 3000", `" 3000" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["SANDBOX_PORT", "1e3", `"1e3" is not a whole number between 1 and 65535. Example: SANDBOX_PORT=3010`],
    [
      "BASE_URL",
      "localhost:3000",
      `"localhost:3000" is not an http or https address. Example: BASE_URL=https://api.example.com`,
    ],
    [
      "BASE_URL",
      "ftp://example.com",
      `"ftp://example.com" is not an http or https address. Example: BASE_URL=https://api.example.com`,
    ],
    [
      "AUTH_URL",
      "https://a.example?x",
      "must not hold a query, a fragment or a user name. Example: AUTH_URL=https://auth.example.com",
    ],
    [
      "APP_URL",
      "https://me@a.example",
      "must not hold a query, a fragment or a user name. Example: APP_URL=https://app.example.com",
    ],
    ["SANDBOX", "yes", `"yes" is neither on nor off. Example: SANDBOX=off`],
    ["WORKER", "ON", `"ON" is neither on nor off. Example: WORKER=off`],
    ["PINTEREST_CAROUSEL", "true", `"true" is neither on nor off. Example: PINTEREST_CAROUSEL=on`],
    [
      "YOUTUBE_DAILY_UPLOADS",
      "0",
      `"0" is not a whole number between 1 and 999999999. Example: YOUTUBE_DAILY_UPLOADS=100`,
    ],
    [
      "YOUTUBE_DAILY_UNITS",
      "1e4",
      `"1e4" is not a whole number between 1 and 999999999. Example: YOUTUBE_DAILY_UNITS=10000`,
    ],
    [
      "EGRESS_ALLOW",
      "media.test+10.0.0.7",
      `holds "media.test+10.0.0.7", which is not host+ip+port. Example: EGRESS_ALLOW=media.example.test+10.0.0.7+8080`,
    ],
    [
      "EGRESS_ALLOW",
      "a+10.0.0.7+80,b+c+80",
      `holds "b+c+80", which is not host+ip+port. Example: EGRESS_ALLOW=media.example.test+10.0.0.7+8080`,
    ],
    ["TIME_FACTOR", "0", `"0" is not a number above 0. Example: TIME_FACTOR=60`],
    ["TIME_FACTOR", "-1", `"-1" is not a number above 0. Example: TIME_FACTOR=60`],
    ["RATE_LIMIT_API", "none", `"none" is not a whole number between 1 and 1000000. Example: RATE_LIMIT_API=600`],
    ["RATE_LIMIT_AUTH", "0", `"0" is not a whole number between 1 and 1000000. Example: RATE_LIMIT_AUTH=60`],
    [
      "TRUSTED_PROXIES",
      "10.0.0.0/8,10.0.0.0/33",
      `holds "10.0.0.0/33", which is neither an address nor a network. Example: TRUSTED_PROXIES=10.0.0.0/8`,
    ],
    [
      "TRUSTED_PROXIES",
      "proxy.example",
      `holds "proxy.example", which is neither an address nor a network. Example: TRUSTED_PROXIES=10.0.0.0/8`,
    ],
    [
      "MAIL_FROM",
      "Carillon",
      `"Carillon" is not an e-mail address, alone or behind a name. Example: MAIL_FROM=Carillon <post@example.com>`,
    ],
    [
      "MAIL_FROM",
      "a@example.com\nBcc: b@example.com",
      `"a@example.com\nBcc: b@example.com" is not an e-mail address, alone or behind a name. Example: MAIL_FROM=Carillon <post@example.com>`,
    ],
    ["LOG_LEVEL", "loud", `"loud" is not a log level. Example: LOG_LEVEL=info`],
    [
      "X_API_URL",
      "x.example",
      `"x.example" is not an http or https address. Example: X_API_URL=https://api.example.com`,
    ],
  ])("%s=%s", (name, value, says) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}: ${says}`]);
  });

  test("all of them at once", () => {
    expect(problemsOf({ PORT: "x", SANDBOX: "x", LOG_LEVEL: "x" }).map((line) => line.split(":")[0])).toEqual([
      "PORT",
      "SANDBOX",
      "LOG_LEVEL",
    ]);
  });

  test("the sandbox on the web application's own port", () => {
    expect(problemsOf({ PORT: "3010" })).toEqual([
      `SANDBOX_PORT: "3010" is the web application's own port. Example: SANDBOX_PORT=3020`,
    ]);
    expect(problemsOf({ PORT: "3010", SANDBOX: "off" })).toEqual([]);
  });

  test("one half of a network's credentials without the other", () => {
    expect(problemsOf({ X_CLIENT_ID: "id" })).toEqual([
      "X_CLIENT_SECRET: needs a value, because X_CLIENT_ID is set. Example: X_CLIENT_SECRET=as the network's developer page shows it",
    ]);
    expect(problemsOf({ INSTAGRAM_CLIENT_SECRET: "secret" })[0]).toMatch(/^INSTAGRAM_CLIENT_ID: needs a value/);
  });

  test("some of the S3_ settings without the others", () => {
    expect(
      problemsOf({ S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "media", S3_REGION: "eu-central-1" }),
    ).toEqual([
      "S3_ACCESS_KEY_ID: needs a value, because S3_ENDPOINT is set. Example: S3_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
      "S3_SECRET_ACCESS_KEY: needs a value, because S3_ENDPOINT is set. Example: S3_SECRET_ACCESS_KEY=the key's secret",
    ]);
  });
});

describe("a secret's wrong value is not in the message", () => {
  test.each([
    ["SECRETS_KEY", "tooshort-hunter2", "holds a key shorter than 256 bits (43 characters of base64url)"],
    ["SECRETS_KEY", `${KEY},hunter2`, "holds a key shorter than 256 bits (43 characters of base64url)"],
    ["SECRETS_KEY", `${KEY}hunter2,${KEY}hunter2`, "holds the same key twice"],
    ["DATABASE_URL", "mysql://me:hunter2@db/x", "what it holds is not a PostgreSQL address"],
    ["SMTP_URL", "https://me:hunter2@mail", "what it holds is not an smtp or smtps address"],
    ["TELEGRAM_BOT_TOKEN", "123:hunter2", "what it holds is not a bot token as BotFather gives it"],
    ["BLUESKY_CLIENT_KEY", "hunter2", "what it holds is not a private key of 32 bytes in hexadecimal"],
    ["BASE_URL", "https://me:hunter2@example.com", "must not hold a query, a fragment or a user name"],
  ])("%s=%s", (name, value, says) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${name}: ${says}. Example: ${name}=`);
    expect(problems[0]).not.toContain("hunter2");
  });
});

describe("what only tests need is accepted on a loopback BASE_URL only", () => {
  test.each([
    ["EGRESS_ALLOW", "a+10.0.0.7+80"],
    ["TIME_FACTOR", "60"],
    ["FAIL_POINTS", "announced:kill@2"],
    ["X_API_URL", "http://localhost:3010/x"],
    ["TELEGRAM_API_URL", "http://127.0.0.1:3010/telegram"],
    ["BLUESKY_API_URL", "http://[::1]:3010"],
  ])("%s=%s", (name, value) => {
    const [problem, ...others] = problemsOf({ ...PUBLIC, [name]: value });
    expect(problem).toMatch(
      `${name}: is only accepted while BASE_URL is on a loopback host (it is https://api.example.com)`,
    );
    expect(others).toEqual([]);
    for (const base of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:80", "http://carillon.localhost"]) {
      expect(problemsOf({ BASE_URL: base, [name]: value })).toEqual([]);
    }
  });

  test.each(["http://localhost.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://0.0.0.0"])(
    "%s is no loopback host",
    (base) => {
      expect(problemsOf({ BASE_URL: base, TIME_FACTOR: "60" })).toHaveLength(1);
    },
  );
});

describe("the three modes of a network", () => {
  test("without credentials on loopback it is the sandbox's", () => {
    expect(readEnv({}).networks.x).toEqual({
      mode: "sandbox",
      clientId: "sandbox-x",
      clientSecret: "sandbox-x-secret",
      apiUrl: "http://localhost:3010/x",
    });
    expect(readEnv({ SANDBOX_PORT: "4000" }).sandbox).toEqual({ port: 4000, url: "http://localhost:4000" });
  });

  test("without credentials it is off where there is no sandbox", () => {
    for (const from of [PUBLIC, { SANDBOX: "off" }]) {
      expect(Object.values(readEnv(from).networks)).toEqual(Array(10).fill({ mode: "off" }));
      expect(readEnv(from).sandbox).toBeUndefined();
    }
  });

  test("its own credentials make it real, at its own hosts", () => {
    const own = { X_CLIENT_ID: "id", X_CLIENT_SECRET: "secret" };
    for (const from of [own, { ...own, ...PUBLIC }]) {
      expect(readEnv(from).networks.x).toEqual({
        mode: "real",
        clientId: "id",
        clientSecret: "secret",
        apiUrl: undefined,
      });
    }
    expect(readEnv(own).networks.instagram.mode).toBe("sandbox");
  });

  test("a bot's token is Telegram's credential", () => {
    const token = "123456789:AAExampleExampleExampleExampleExample";
    const from = { ...PUBLIC, TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL: "https://bots.example.com/" };
    expect(readEnv(from).networks.telegram).toEqual({
      mode: "real",
      clientId: "123456789",
      clientSecret: token,
      apiUrl: "https://bots.example.com",
    });
  });
});

describe("Bluesky's credential", () => {
  test("is a key of our own; its client id is the address of our document", () => {
    const key = "0123456789abcdef".repeat(4);
    const own = { ...PUBLIC, APP_URL: "https://app.example.com", BLUESKY_CLIENT_KEY: key };
    expect(readEnv(own).networks.bluesky).toEqual({
      mode: "real",
      clientId: "https://app.example.com/oauth/client/bluesky",
      clientSecret: key,
      apiUrl: undefined,
    });
  });
});

test("nothing set, and everything set to nothing, are the defaults of DECISIONS", () => {
  const { dataDir, networks: _, ...rest } = readEnv({});
  expect(dataDir).toBe(`${process.cwd()}/.data`);
  expect(rest).toEqual({
    port: 3000,
    baseUrl: "http://localhost:3000",
    authUrl: "http://localhost:3000",
    appUrl: "http://localhost:3000",
    isLocal: true,
    databaseUrl: undefined,
    smtpUrl: undefined,
    mailFrom: "carillon@localhost",
    sandbox: { port: 3010, url: "http://localhost:3010" },
    secretsKey: undefined,
    worker: true,
    egressAllow: [],
    timeFactor: 1,
    rateLimits: { api: 600, auth: 60 },
    trustedProxies: undefined,
    pinterestCarousel: false,
    youtubeDaily: { uploads: undefined, units: undefined },
    logLevel: "info",
    listen: { token: undefined, secret: undefined },
  });
  expect(readEnv({ PORT: "", BASE_URL: "", SECRETS_KEY: "", X_CLIENT_ID: "", X_API_URL: "" })).toEqual(readEnv({}));
});

test("Pins of several images are offered where that is switched on", () => {
  const offered = (value: string) => readEnv({ PINTEREST_CAROUSEL: value }).pinterestCarousel;
  expect([offered("on"), offered("off"), offered("")]).toEqual([true, false, false]);
});

test("addresses lose their last slash, and follow PORT and BASE_URL", () => {
  expect(readEnv({ PORT: "4000" }).appUrl).toBe("http://localhost:4000");
  const split = readEnv({ BASE_URL: "https://api.example.com/", APP_URL: "https://app.example.com//" });
  expect([split.baseUrl, split.authUrl, split.appUrl]).toEqual([
    "https://api.example.com",
    "https://api.example.com",
    "https://app.example.com",
  ]);
});
