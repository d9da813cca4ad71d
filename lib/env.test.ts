import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readEnv, SettingsError } from "./env";
import { parseUrl } from "./env/parse-url";

function problemsOf(from: { [name: string]: string }): string[] {
  try {
    readEnv(from);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

const KEY = "dGhpcyBrZXkgaXMgb25seSBmb3IgdGVzdHM6IDdRa1o";
const PATTERN = "contains a key that is easy to guess because it is a pattern or has few different characters";
const PUBLIC = { BASE_URL: "https://api.example.com" };

describe("a wrong setting is reported with its name, its value, the problem and an example", () => {
  test.each<[name: string, value: string, expected: string]>([
    ["PORT", "http", `"http" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["PORT", "0", `"0" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["PORT", "65536", `"65536" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["PORT", " 3000", `" 3000" is not a whole number between 1 and 65535. Example: PORT=3000`],
    ["SANDBOX_PORT", "1e3", `"1e3" is not a whole number between 1 and 65535. Example: SANDBOX_PORT=3010`],
    [
      "BASE_URL",
      "localhost:3000",
      `"localhost:3000" is not an http or https URL. Example: BASE_URL=https://api.example.com`,
    ],
    [
      "BASE_URL",
      "ftp://example.com",
      `"ftp://example.com" is not an http or https URL. Example: BASE_URL=https://api.example.com`,
    ],
    [
      "AUTH_URL",
      "https://a.example?x",
      "must not contain a query, a fragment or a user name. Example: AUTH_URL=https://auth.example.com",
    ],
    [
      "APP_URL",
      "https://me@a.example",
      "must not contain a query, a fragment or a user name. Example: APP_URL=https://app.example.com",
    ],
    ["SANDBOX", "yes", `"yes" is not on or off. Example: SANDBOX=off`],
    ["WORKER", "ON", `"ON" is not on or off. Example: WORKER=off`],
    ["PINTEREST_CAROUSEL", "true", `"true" is not on or off. Example: PINTEREST_CAROUSEL=off`],
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
      `contains "media.test+10.0.0.7", which is not in the form host+ip+port. Example: EGRESS_ALLOW=media.example.test+10.0.0.7+8080`,
    ],
    [
      "EGRESS_ALLOW",
      "a+10.0.0.7+80,b+c+80",
      `contains "b+c+80", which is not in the form host+ip+port. Example: EGRESS_ALLOW=media.example.test+10.0.0.7+8080`,
    ],
    ["TIME_FACTOR", "0", `"0" is not a number above 0. Example: TIME_FACTOR=60`],
    ["TIME_FACTOR", "-1", `"-1" is not a number above 0. Example: TIME_FACTOR=60`],
    ["RATE_LIMIT_API", "none", `"none" is not a whole number between 1 and 1000000. Example: RATE_LIMIT_API=600`],
    ["RATE_LIMIT_AUTH", "0", `"0" is not a whole number between 1 and 1000000. Example: RATE_LIMIT_AUTH=60`],
    [
      "TRUSTED_PROXIES",
      "10.0.0.0/8,10.0.0.0/33",
      `contains "10.0.0.0/33", which is not an IP address or a network. Example: TRUSTED_PROXIES=10.0.0.0/8`,
    ],
    [
      "TRUSTED_PROXIES",
      "proxy.example",
      `contains "proxy.example", which is not an IP address or a network. Example: TRUSTED_PROXIES=10.0.0.0/8`,
    ],
    [
      "MAIL_FROM",
      "Carillon",
      `"Carillon" is not an email address or a name followed by <address>. Example: MAIL_FROM=Carillon <post@example.com>`,
    ],
    [
      "MAIL_FROM",
      "a@example.com\nBcc: b@example.com",
      `"a@example.com\nBcc: b@example.com" is not an email address or a name followed by <address>. Example: MAIL_FROM=Carillon <post@example.com>`,
    ],
    ["LOG_LEVEL", "loud", `"loud" is not a log level. Example: LOG_LEVEL=info`],
    ["X_API_URL", "x.example", `"x.example" is not an http or https URL. Example: X_API_URL=https://api.example.com`],
    [
      "X_API_URL",
      "https://x.example?a",
      "must not contain a query, a fragment or a user name. Example: X_API_URL=https://api.example.com",
    ],
    ["DATA_DIR", " ", "must not begin or end with a space or a line break. Example: DATA_DIR=/var/lib/carillon"],
    [
      "CARILLON_TOKEN",
      "token\n",
      "must not begin or end with a space or a line break. Example: CARILLON_TOKEN=the output of: npm run carillon -- tokens create",
    ],
    [
      "METRICS_TOKEN",
      "a token with spaces",
      "must contain only ASCII characters without spaces. Example: METRICS_TOKEN=the output of: openssl rand -hex 32",
    ],
    [
      "SMTP_URL",
      "smtp:mail.example.com",
      "the value is not an smtp or smtps URL. Example: SMTP_URL=smtps://user:password@mail.example.com:465",
    ],
    [
      "APP_URL",
      "https://:words@a.example",
      "must not contain a query, a fragment or a user name. Example: APP_URL=https://app.example.com",
    ],
  ])("%s=%s", (name, value, expected) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}: ${expected}`]);
  });

  test("reports all wrong settings at once", () => {
    expect(problemsOf({ PORT: "x", SANDBOX: "x", LOG_LEVEL: "x" }).map((line) => line.split(":")[0])).toEqual([
      "PORT",
      "LOG_LEVEL",
      "SANDBOX",
    ]);
  });

  test("reports METRICS_PORT if it equals PORT", () => {
    expect(problemsOf({ METRICS_PORT: "3000" })).toEqual([
      `METRICS_PORT: "3000" is also the value of PORT. Example: METRICS_PORT=3020`,
    ]);
  });

  test("reports SANDBOX_PORT if it equals PORT", () => {
    expect(problemsOf({ PORT: "3010" })).toEqual([
      `SANDBOX_PORT: "3010" is also the value of PORT. Example: SANDBOX_PORT=3020`,
    ]);
    expect(problemsOf({ PORT: "3010", SANDBOX: "off" })).toEqual([]);
  });

  test("reports a client ID without a client secret, and the reverse", () => {
    expect(problemsOf({ X_CLIENT_ID: "id" })).toEqual([
      "X_CLIENT_SECRET: is required because X_CLIENT_ID is set. Example: X_CLIENT_SECRET=the value from the network's developer page",
    ]);
    expect(problemsOf({ INSTAGRAM_CLIENT_SECRET: "secret" })[0]).toMatch(/^INSTAGRAM_CLIENT_ID: is required/);
  });

  test("reports credentials of a network that begin or end with a space or a line break", () => {
    expect(problemsOf({ X_CLIENT_ID: " ", X_CLIENT_SECRET: "secret\n" })).toEqual([
      "X_CLIENT_ID: must not begin or end with a space or a line break. Example: X_CLIENT_ID=the value from the network's developer page",
      "X_CLIENT_SECRET: must not begin or end with a space or a line break. Example: X_CLIENT_SECRET=the value from the network's developer page",
    ]);
  });

  test("reports DATABASE_DIRECT_URL without DATABASE_URL, with which the embedded database would be used", () => {
    expect(problemsOf({ DATABASE_DIRECT_URL: "postgres://a:b@db.example.com/c" })).toEqual([
      "DATABASE_URL: is required because DATABASE_DIRECT_URL is set. Example: DATABASE_URL=postgres://carillon:secret@db.example.com:5432/carillon",
    ]);
  });

  test.each([
    ["S3_ENDPOINT", "s3.example.com", `"s3.example.com" is not an http or https URL`],
    ["S3_BUCKET", "s3://media", `"s3://media" is not the name of a bucket, which has letters`],
    ["S3_BUCKET", "media/files", `"media/files" is not the name of a bucket, which has letters`],
    ["S3_BUCKET", "..", `".." is not the name of a bucket, which has letters`],
    ["S3_REGION", "eu central", "must contain only ASCII characters without spaces"],
    ["S3_ACCESS_KEY_ID", "A\nB", "must contain only ASCII characters without spaces"],
    ["S3_SECRET_ACCESS_KEY", "secret\n", "must not begin or end with a space or a line break"],
  ])("%s=%s", (name, value, wrong) => {
    const bucket = { S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "media", S3_REGION: "eu-central-1" };
    const all = { ...bucket, S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
    expect(problemsOf(all)).toEqual([]);
    expect(problemsOf({ ...all, [name]: value })).toEqual([expect.stringContaining(`${name}: ${wrong}`)]);
  });

  test("reports the missing S3_ settings if some are set", () => {
    expect(
      problemsOf({ S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "media", S3_REGION: "eu-central-1" }),
    ).toEqual([
      "S3_ACCESS_KEY_ID: is required because S3_ENDPOINT is set. Example: S3_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
      "S3_SECRET_ACCESS_KEY: is required because S3_ENDPOINT is set. Example: S3_SECRET_ACCESS_KEY=the key's secret",
    ]);
  });
});

const NOT_ENCODED =
  "the value is not a correct URL. Check its port, and write / ? and # in a user name or a password as %2F %3F and %23";

describe("the message does not contain the wrong value of a secret setting", () => {
  test.each([
    ["SECRETS_KEY", "tooshort-hunter2", "contains a key shorter than 256 bits (43 characters of base64url)"],
    ["SECRETS_KEY", `${KEY},hunter2`, "contains a key shorter than 256 bits (43 characters of base64url)"],
    ["SECRETS_KEY", `${KEY}hunter2,${KEY}hunter2`, "contains the same key twice"],
    ["SECRETS_KEY", "hunter2".repeat(7), PATTERN],
    ["SECRETS_KEY", "hunter2!xQ9".repeat(7).slice(0, 43), PATTERN],
    ["SECRETS_KEY", `${KEY},${"0".repeat(64)}hunter2`, PATTERN],
    ["SECRETS_KEY", "abcdefghijklmnopqrstuvwxyz0123456789hunter2", PATTERN],
    ["SECRETS_KEY", "abcdefghijklmnopqrstuvwxyz".repeat(2), PATTERN],
    ["SECRETS_KEY", "0123456789abcdef".repeat(4).slice(0, 63), PATTERN],
    ["DATABASE_URL", "mysql://me:hunter2@db/x", "the value is not a PostgreSQL URL"],
    ["DATABASE_URL", "postgres:hunter2", "the value is not a PostgreSQL URL"],
    ["DATABASE_URL", " postgres://me:hunter2@db/x", "the value is not a PostgreSQL URL"],
    ["DATABASE_URL", "postgres://", "must contain the host of the database"],
    ["DATABASE_URL", "postgres:///hunter2", "must contain the host of the database"],
    ["DATABASE_URL", "postgres://me:hunt/er2@db/x", NOT_ENCODED],
    ["DATABASE_URL", "postgres://me:hunter2@db:99999/x", NOT_ENCODED],
    ["SMTP_URL", "smtps://me:hunter2#@mail", NOT_ENCODED],
    ["SMTP_URL", "https://me:hunter2@mail", "the value is not an smtp or smtps URL"],
    ["TELEGRAM_BOT_TOKEN", "123:hunter2", "the value is not a bot token as BotFather shows it"],
    ["BLUESKY_CLIENT_KEY", "hunter2", "the value is not a 32-byte private key in hexadecimal"],
    ["BASE_URL", "https://me:hunter2@example.com", "must not contain a query, a fragment or a user name"],
  ])("%s=%s", (name, value, expected) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${name}: ${expected}. Example: ${name}=`);
    expect(problems[0]).not.toContain("hunter2");
  });
});

test("a database can have a socket instead of a host", () => {
  expect(problemsOf({ DATABASE_URL: "postgres:///carillon?host=/run/postgresql" })).toEqual([]);
  expect(problemsOf({ DATABASE_URL: "postgres://%2Frun%2Fpostgresql/carillon" })).toEqual([]);
});

describe("settings for tests are allowed only if all three addresses are on a loopback host", () => {
  test.each([
    ["EGRESS_ALLOW", "a+10.0.0.7+80"],
    ["TIME_FACTOR", "60"],
    ["FAIL_POINTS", "announced:kill@2"],
    ["X_API_URL", "http://localhost:3010/x"],
    ["TELEGRAM_API_URL", "http://127.0.0.1:3010/telegram"],
    ["BLUESKY_API_URL", "http://[::1]:3010"],
    ["X_API_URL", "http://10.0.0.7"],
    ["FACEBOOK_API_URL", "http://[fd00::1]:3010"],
    ["THREADS_API_URL", "http://169.254.169.254"],
    ["X_API_URL", "http://localhost.:3010/x"],
    ["X_API_URL", "http://[::ffff:127.0.0.1]:3010/x"],
    ["TELEGRAM_API_URL", "http://localhost.:3010/telegram"],
    ["TIKTOK_API_URL", "http://sandbox:3010/tiktok"],
    ["LINKEDIN_API_URL", "https://networks.internal/linkedin"],
  ])("%s=%s", (name, value) => {
    const [problem, ...others] = problemsOf({ ...PUBLIC, [name]: value });
    expect(problem).toMatch(
      `${name}: is only allowed while BASE_URL is on a loopback host (BASE_URL is https://api.example.com)`,
    );
    expect(others).toEqual([]);
    for (const base of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:80", "http://carillon.localhost"]) {
      expect(problemsOf({ BASE_URL: base, [name]: value })).toEqual([]);
    }
    for (const address of ["AUTH_URL", "APP_URL"]) {
      const wrong = `${name}: is only allowed while ${address} is on a loopback host (${address} is https://app.example.com)`;
      expect(problemsOf({ [address]: "https://app.example.com", [name]: value })[0]).toMatch(wrong);
    }
  });

  test("but a network's public address and an own Telegram server in a private network are allowed", () => {
    expect(problemsOf({ ...PUBLIC, X_API_URL: "https://api.x.com", TELEGRAM_API_URL: "http://10.0.0.7:8081" })).toEqual(
      [],
    );
  });

  test.each(["http://localhost.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://0.0.0.0"])(
    "%s is not a loopback host",
    (base) => {
      expect(problemsOf({ BASE_URL: base, TIME_FACTOR: "60" })).toHaveLength(1);
    },
  );
});

test.each([32, 48, 64])("keys of %i random bytes are accepted, in base64url and in hexadecimal", (bytes) => {
  for (let count = 0; count < 2_000; count++) {
    const key = randomBytes(bytes);
    const keys = [key.toString("base64url"), key.toString("hex")];
    expect([key.toString("hex"), problemsOf({ SECRETS_KEY: keys.join(",") })]).toEqual([key.toString("hex"), []]);
  }
});

describe("the web port", () => {
  test("binds to both loopback addresses if all three addresses are on this machine, and to all otherwise", () => {
    expect(readEnv({}).hosts).toEqual(["127.0.0.1", "::1"]);
    for (const name of ["BASE_URL", "AUTH_URL", "APP_URL"]) {
      expect([name, readEnv({ [name]: "https://carillon.example.com" }).hosts]).toEqual([name, ["0.0.0.0"]]);
    }
  });

  test.each([
    [{ HOST: "0.0.0.0" }, "0.0.0.0"],
    [{ HOST: "::" }, "::"],
    [{ ...PUBLIC, HOST: "127.0.0.1" }, "127.0.0.1"],
  ])("binds to HOST: %j", (from, host) => {
    expect(readEnv(from).hosts).toEqual([host]);
  });
});

describe("the mode of a network", () => {
  test("is sandbox without credentials on a loopback host", () => {
    expect(readEnv({}).networks.x).toEqual({
      mode: "sandbox",
      clientId: "sandbox-x",
      clientSecret: "sandbox-x-secret",
      apiUrl: "http://localhost:3010/x",
    });
    expect(readEnv({ SANDBOX_PORT: "4000" }).sandbox).toEqual({ port: 4000, url: "http://localhost:4000" });
  });

  test("is off without credentials if the sandbox is off", () => {
    for (const from of [PUBLIC, { SANDBOX: "off" }]) {
      expect(Object.values(readEnv(from).networks)).toEqual(Array(10).fill({ mode: "off" }));
      expect(readEnv(from).sandbox).toBeUndefined();
    }
  });

  test("is real with credentials, at the network's own hosts", () => {
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

  test("uses the bot token as Telegram's credential", () => {
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

describe("Bluesky", () => {
  test("uses our key, and the URL of our client document as client ID", () => {
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

test("settings that are missing or empty have the documented defaults", () => {
  const { dataDir, networks: _, ...rest } = readEnv({});
  expect(dataDir).toBe(`${process.cwd()}/.data`);
  expect(rest).toEqual({
    port: 3000,
    baseUrl: "http://localhost:3000",
    authUrl: "http://localhost:3000",
    appUrl: "http://localhost:3000",
    mediaUrl: "http://localhost:3000",
    isAddressSet: false,
    isLocal: true,
    hosts: ["127.0.0.1", "::1"],
    databaseUrl: undefined,
    databasePool: 20,
    needsStaffFactor: false,
    smtpUrl: undefined,
    securityContacts: ["mailto:security@localhost"],
    mailFrom: "carillon@localhost",
    sandbox: { port: 3010, url: "http://localhost:3010" },
    secretsKey: undefined,
    worker: true,
    egressAllow: [],
    timeFactor: 1,
    rateLimits: { api: 600, auth: 60 },
    metrics: { token: undefined, port: undefined },
    otlpEndpoint: undefined,
    databaseNotify: true,
    retention: { schedulesDays: undefined, attemptsDays: undefined, auditDays: undefined },
    connectionsPerAddress: 500,
    agentsMayPublish: false,
    quotas: { mediaBytes: 20 * 1024 ** 3, openGrants: 1_000, queuedImports: 5_000, publicationsPerDay: 10_000 },
    reservedDiskBytes: 512 * 1024 ** 2,
    trustedProxies: undefined,
    pinterestCarousel: true,
    threadsLocations: true,
    facebookBusinessPages: true,
    comments: { facebook: true, instagram: true },
    linkedinPages: true,
    tiktokVideoList: true,
    youtubeManage: true,
    tiktokVideoUpload: true,
    youtubeDaily: { uploads: undefined, units: undefined },
    logLevel: "info",
    listen: { token: undefined, secret: undefined },
  });
  expect(readEnv({ PORT: "", BASE_URL: "", SECRETS_KEY: "", X_CLIENT_ID: "", X_API_URL: "" })).toEqual(readEnv({}));
});

test("PINTEREST_CAROUSEL=off offers no Pins with several images", () => {
  const offered = (value: string) => readEnv({ PINTEREST_CAROUSEL: value }).pinterestCarousel;
  expect([offered("on"), offered("off"), offered("")]).toEqual([true, false, true]);
});

test("URLs lose their trailing slash, and default to PORT and BASE_URL", () => {
  expect(readEnv({ PORT: "4000" }).appUrl).toBe("http://localhost:4000");
  const split = readEnv({ BASE_URL: "https://api.example.com/", APP_URL: "https://app.example.com//" });
  expect([split.baseUrl, split.authUrl, split.appUrl]).toEqual([
    "https://api.example.com",
    "https://api.example.com",
    "https://app.example.com",
  ]);
});

test("URLs have the form in which browsers send them, so that they can be compared with an Origin", () => {
  const written = { BASE_URL: " HTTPS://Api.Example.com:443/\n", APP_URL: "https://bücher.example" };
  const { baseUrl, appUrl, s3 } = readEnv({
    ...written,
    ...{ S3_ENDPOINT: "https://S3.example.com/files/ ", S3_BUCKET: "b", S3_REGION: "r" },
    ...{ S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" },
  });
  expect([baseUrl, appUrl]).toEqual(["https://api.example.com", "https://xn--bcher-kva.example"]);
  expect(s3?.endpoint).toBe("https://s3.example.com/files");
});

test("a URL whose host has a letter such as ü can be parsed however often it was parsed before", () => {
  // `URL.canParse` of Node 20 answers false once its calls have been compiled.
  const hosts = Array.from({ length: 20_000 }, () => parseUrl("https://bücher.example")?.host);
  expect(new Set(hosts)).toEqual(new Set(["xn--bcher-kva.example"]));
});
