import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { type FailPoint, failPoints } from "./jobs/fail-points";
import { type NetworkName, networkNames } from "./platforms";

/** One or more settings hold something that cannot be used; `problems` has a line for each, ready to print. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join("\n"));
    this.name = "SettingsError";
  }
}

/** How a network is reached: its own hosts, the sandbox's stand-in, or not at all. */
export type NetworkSettings =
  | { mode: "real" | "sandbox"; clientId: string; clientSecret: string; apiUrl?: string; configId?: string }
  | { mode: "off" };

type Reader = { [name: string]: string | undefined };

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address stands on this very machine, by its host name alone (no look-up). */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return LOOPBACK.has(hostname) || hostname.endsWith(".localhost");
}

/** `URL.parse`, which Node 20 does not have. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `is not a whole number between ${min} and ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `is not a whole number between ${min} and ${max}`);

const origin = z
  .string()
  .refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""), "is not an http or https address")
  .refine((text) => !/[?#]/.test(text) && !parseUrl(text)?.username, "must not hold a query, a fragment or a user name")
  .transform((text) => text.replace(/\/+$/, ""));

/** One of our own addresses: every path is ours, so it can hold none. */
const ownOrigin = origin.refine((text) => /^\/?$/.test(parseUrl(text)?.pathname ?? "/"), "must not hold a path");

const onOff = z.enum(["on", "off"], "is neither on nor off");
const text = z.string().min(1, "is empty");

/** An address, alone or behind a name. */
const sender = z
  .string()
  .refine(
    (from) => !/\p{Cc}/u.test(from) && /^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from.trim()),
    "is not an e-mail address, alone or behind a name",
  );

const egress = z.string().transform((list, context) =>
  list.split(",").map((entry) => {
    const [host, ip, port, ...rest] = entry.trim().split("+");
    const name = parseUrl(`http://${isIP(host ?? "") === 6 ? `[${host}]` : host}`)?.hostname;
    const isPort = /^\d{1,5}$/.test(port ?? "") && Number(port) >= 1 && Number(port) <= 65_535;
    if (!host || !name || !ip || isIP(ip) === 0 || !isPort || rest.length > 0) {
      context.addIssue({ code: "custom", message: `holds "${entry.trim()}", which is not host+ip+port` });
    }
    // As a URL's host is written, so that the two can be compared.
    return { host: name?.replace(/^\[(.*)\]$/, "$1") ?? "", ip: ip ?? "", port: Number(port) };
  }),
);

const traps = z.string().transform((list, context) =>
  list === "on"
    ? []
    : list.split(",").map((entry) => {
        const [, name, action, nth = "1"] = /^(\w+):(kill|stop)(?:@(\d{1,6}))?$/.exec(entry.trim()) ?? [];
        const point: FailPoint | undefined = failPoints.find((known) => known === name);
        if (!point) context.addIssue({ code: "custom", message: `holds "${entry.trim()}", which is no fail-point` });
        return {
          point: point ?? failPoints[0],
          action: action === "stop" ? "stop" : "kill",
          nth: Number(nth),
        } as const;
      }),
);

const proxies = z.string().transform((list, context) => {
  const trusted = new BlockList();
  for (const entry of list.split(",").map((one) => one.trim())) {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) {
      context.addIssue({ code: "custom", message: `holds "${entry}", which is neither an address nor a network` });
    } else {
      trusted.addSubnet(address, Number(bits ?? most), family === 4 ? "ipv4" : "ipv6");
    }
  }
  return trusted;
});

const keys = z.string().transform((list, context) => {
  const entries = list.split(",").map((key) => key.trim());
  if (entries.some((key) => key.length < 43)) {
    context.addIssue({
      code: "custom",
      message: "holds a key shorter than 256 bits (43 characters of base64url)",
      params: { secret: true },
    });
  }
  if (new Set(entries).size < entries.length) {
    context.addIssue({ code: "custom", message: "holds the same key twice", params: { secret: true } });
  }
  return entries;
});

/** Every setting: how it is read and what a right value looks like. `secret` keeps the wrong value out of the message. */
const settings = {
  PORT: { schema: whole(1, 65535), example: "3000" },
  BASE_URL: { schema: ownOrigin, example: "https://api.example.com" },
  AUTH_URL: { schema: ownOrigin, example: "https://auth.example.com" },
  APP_URL: { schema: ownOrigin, example: "https://app.example.com" },
  DATA_DIR: { schema: text, example: "/var/lib/carillon" },
  DATABASE_URL: {
    schema: z
      .string()
      .refine((v) => /^postgres(ql)?:$/.test(parseUrl(v)?.protocol ?? ""), "is not a PostgreSQL address"),
    example: "postgres://carillon:secret@db.example.com:5432/carillon",
    secret: true,
  },
  S3_ENDPOINT: { schema: origin, example: "https://s3.eu-central-1.amazonaws.com" },
  S3_BUCKET: { schema: text, example: "carillon-media" },
  S3_REGION: { schema: text, example: "eu-central-1" },
  S3_ACCESS_KEY_ID: { schema: text, example: "AKIAIOSFODNN7EXAMPLE" },
  S3_SECRET_ACCESS_KEY: { schema: text, example: "the key's secret", secret: true },
  SMTP_URL: {
    schema: z.string().refine((v) => /^smtps?:$/.test(parseUrl(v)?.protocol ?? ""), "is not an smtp or smtps address"),
    example: "smtps://user:password@mail.example.com:465",
    secret: true,
  },
  SANDBOX: { schema: onOff, example: "off" },
  SANDBOX_PORT: { schema: whole(1, 65535), example: "3010" },
  SECRETS_KEY: { schema: keys, example: "the output of: openssl rand -base64 32", secret: true },
  WORKER: { schema: onOff, example: "off" },
  EGRESS_ALLOW: { schema: egress, example: "media.example.test+10.0.0.7+8080" },
  TIME_FACTOR: {
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, "is not a number above 0")
      .transform(Number)
      .refine((n) => n > 0, "is not a number above 0"),
    example: "60",
  },
  FAIL_POINTS: { schema: traps, example: "announced:kill@2,stored:kill" },
  RATE_LIMIT_API: { schema: whole(1, 1_000_000), example: "600" },
  RATE_LIMIT_AUTH: { schema: whole(1, 1_000_000), example: "60" },
  MAIL_FROM: { schema: sender, example: "Carillon <post@example.com>" },
  TRUSTED_PROXIES: { schema: proxies, example: "10.0.0.0/8" },
  CARILLON_TOKEN: { schema: text, example: "the output of: npm run carillon -- tokens create", secret: true },
  CARILLON_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "is not whsec_ and base64"),
    example: "whsec_ and the output of: openssl rand -base64 32",
    secret: true,
  },
  PINTEREST_CAROUSEL: { schema: onOff, example: "on" },
  YOUTUBE_DAILY_UPLOADS: { schema: whole(1, 999_999_999), example: "100" },
  YOUTUBE_DAILY_UNITS: { schema: whole(1, 999_999_999), example: "10000" },
  LOG_LEVEL: { schema: z.enum(["debug", "info", "warn", "error", "silent"], "is not a log level"), example: "info" },
  TELEGRAM_BOT_TOKEN: {
    schema: z.string().regex(/^\d+:[A-Za-z0-9_-]{10,}$/, "is not a bot token as BotFather gives it"),
    example: "123456789:AAExampleExampleExampleExampleExample",
    secret: true,
  },
  BLUESKY_CLIENT_KEY: {
    schema: z.string().regex(/^(?!0{32}|f{8})[0-9a-f]{64}$/i, "is not a private key of 32 bytes in hexadecimal"),
    example: "the output of: openssl rand -hex 32",
    secret: true,
  },
} satisfies { [name: string]: { schema: z.ZodType; example: string; secret?: boolean } };

type Settings = { [K in keyof typeof settings]?: z.output<(typeof settings)[K]["schema"]> };

function readSettings(from: Reader, problems: string[]): Settings {
  const read: { [name: string]: unknown } = {};
  for (const [name, { schema, example, ...rest }] of Object.entries(settings)) {
    const value = from[name];
    if (value === undefined || value === "") continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) read[name] = parsed.data;
    else
      problems.push(
        problem(name, "secret" in rest ? undefined : value, parsed.error.issues[0]?.message ?? "is wrong", example),
      );
  }
  return read as Settings;
}

function problem(name: string, value: string | undefined, wrong: string, example: string): string {
  const held = value === undefined ? "what it holds" : `"${value}"`;
  return `${name}: ${wrong.startsWith("holds") || wrong.startsWith("must") || wrong.startsWith("needs") ? wrong : `${held} ${wrong}`}. Example: ${name}=${example}`;
}

/** Telegram's only credential is its bot's token; Bluesky knows us by a public document of ours and the key that it names. */
function credentialsOf(name: NetworkName, from: Reader, read: Settings, appUrl: string) {
  const { TELEGRAM_BOT_TOKEN: token, BLUESKY_CLIENT_KEY: key } = read;
  if (name === "telegram") return { clientId: token?.split(":")[0], clientSecret: token };
  if (name === "bluesky") return { clientId: key && `${appUrl}/oauth/client/bluesky`, clientSecret: key };
  const prefix = name.toUpperCase();
  return { clientId: from[`${prefix}_CLIENT_ID`], clientSecret: from[`${prefix}_CLIENT_SECRET`] };
}

function readNetworks(
  from: Reader,
  read: Settings,
  sandbox: boolean,
  sandboxUrl: string,
  appUrl: string,
  problems: string[],
) {
  const networkOf = (name: NetworkName): NetworkSettings => {
    const prefix = name.toUpperCase();
    const apiUrl = from[`${prefix}_API_URL`]?.replace(/\/+$/, "") || undefined;
    if (apiUrl && !/^https?:$/.test(parseUrl(apiUrl)?.protocol ?? "")) {
      problems.push(problem(`${prefix}_API_URL`, apiUrl, "is not an http or https address", `https://api.example.com`));
    }
    const { clientId, clientSecret } = credentialsOf(name, from, read, appUrl);
    // Facebook Login for Business: permissions are kept in a configuration there, and its id stands for them.
    const configId = from[`${prefix}_CONFIG_ID`] || undefined;
    if (clientId && clientSecret) return { mode: "real", clientId, clientSecret, apiUrl, configId };
    if (clientId || clientSecret) {
      const [there, missing] = clientId ? ["ID", "SECRET"] : ["SECRET", "ID"];
      problems.push(
        problem(
          `${prefix}_CLIENT_${missing}`,
          undefined,
          `needs a value, because ${prefix}_CLIENT_${there} is set`,
          "as the network's developer page shows it",
        ),
      );
    }
    if (!sandbox) return { mode: "off" };
    const secret = name === "telegram" ? "1000000001:sandbox-telegram-bot" : `sandbox-${name}-secret`;
    return {
      mode: "sandbox",
      clientId: `sandbox-${name}`,
      clientSecret: secret,
      apiUrl: apiUrl ?? `${sandboxUrl}/${name}`,
      configId,
    };
  };
  return Object.fromEntries(networkNames.map((name) => [name, networkOf(name)])) as Record<
    NetworkName,
    NetworkSettings
  >;
}

const S3_NAMES = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** The bucket that objects are kept in: all five settings, or none. */
function readS3(from: Reader, read: Settings, problems: string[]) {
  const given = S3_NAMES.filter((name) => from[name]);
  if (given.length === 0) return undefined;
  for (const name of S3_NAMES.filter((one) => !from[one])) {
    problems.push(problem(name, undefined, `needs a value, because ${given[0]} is set`, settings[name].example));
  }
  return {
    endpoint: read.S3_ENDPOINT ?? "",
    bucket: read.S3_BUCKET ?? "",
    region: read.S3_REGION ?? "",
    accessKeyId: read.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: read.S3_SECRET_ACCESS_KEY ?? "",
  };
}

/**
 * Reads and validates every setting of DECISIONS ("Addresses and settings").
 * @throws SettingsError naming each wrong setting, what is wrong with it and an example of a right value
 */
export function readEnv(from: Reader) {
  const problems: string[] = [];
  const read = readSettings(from, problems);
  const port = read.PORT ?? 3000;
  const baseUrl = read.BASE_URL ?? `http://localhost:${port}`;
  const local = isLoopback(baseUrl);
  const sandbox = (read.SANDBOX ?? "on") === "on" && local;
  const sandboxPort = read.SANDBOX_PORT ?? 3010;
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  if (sandbox && sandboxPort === port) {
    problems.push(problem("SANDBOX_PORT", String(sandboxPort), "is the web application's own port", String(port + 10)));
  }
  const appUrl = read.APP_URL ?? baseUrl;
  const networks = readNetworks(from, read, sandbox, sandboxUrl, appUrl, problems);
  if (!local) {
    const onlyLocal = ["EGRESS_ALLOW", "TIME_FACTOR", "FAIL_POINTS"].filter((name) => from[name]);
    const simulated = networkNames
      .map((name) => `${name.toUpperCase()}_API_URL`)
      .filter((name) => URL.canParse(from[name] ?? "") && isLoopback(from[name] ?? ""));
    for (const name of [...onlyLocal, ...simulated]) {
      const wrong = `is only accepted while BASE_URL is on a loopback host (it is ${baseUrl})`;
      problems.push(`${name}: ${wrong}. Leave it unset, or for example: BASE_URL=http://localhost:${port}`);
    }
  }
  const s3 = readS3(from, read, problems);
  if (problems.length > 0) throw new SettingsError(problems);

  return {
    port,
    baseUrl,
    authUrl: read.AUTH_URL ?? baseUrl,
    appUrl,
    isLocal: local,
    dataDir: resolve(read.DATA_DIR ?? ".data"),
    databaseUrl: read.DATABASE_URL,
    s3,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM ?? "carillon@localhost",
    sandbox: sandbox ? { port: sandboxPort, url: sandboxUrl } : undefined,
    secretsKey: read.SECRETS_KEY,
    worker: (read.WORKER ?? "on") === "on",
    egressAllow: read.EGRESS_ALLOW ?? [],
    timeFactor: read.TIME_FACTOR ?? 1,
    failPoints: read.FAIL_POINTS,
    rateLimits: { api: read.RATE_LIMIT_API ?? 600, auth: read.RATE_LIMIT_AUTH ?? 60 },
    trustedProxies: read.TRUSTED_PROXIES,
    /** Whether Pins of several images are offered. */
    pinterestCarousel: read.PINTEREST_CAROUSEL === "on",
    /** What Google granted this service's project in a day; undefined: what every project has. */
    youtubeDaily: { uploads: read.YOUTUBE_DAILY_UPLOADS, units: read.YOUTUBE_DAILY_UNITS },
    /** For `carillon listen`: whom it asks as, and what it signs with. */
    listen: { token: read.CARILLON_TOKEN, secret: read.CARILLON_WEBHOOK_SECRET },
    // On a terminal the addresses that were printed should stay in sight; elsewhere every request is logged.
    logLevel: read.LOG_LEVEL ?? (process.stderr.isTTY ? "warn" : "info"),
    networks,
  } as const;
}

export type Env = ReturnType<typeof readEnv>;

/** The settings of this process, read once. Nothing else reads `process.env`. */
export const env: Env = readEnv(process.env);

// next-auth reads its address from here and nowhere else; left unset it would guess one.
process.env.NEXTAUTH_URL = env.appUrl;
