import { z } from "zod";
import {
  armedFailPoints,
  bucketName,
  databaseUrl,
  egress,
  keys,
  mailServer,
  onOff,
  origin,
  ownOrigin,
  proxies,
  securityContacts,
  sender,
  text,
  whole,
  word,
} from "./parsers";

/** Environment variables by name. */
export type Variables = { [name: string]: string | undefined };

type Setting = {
  schema: z.ZodType;
  /** The section of docs/settings.md. */
  group: (typeof settingGroups)[number];
  /** The value used when the setting is not set, as text for docs/settings.md. */
  default: string;
  /** What the setting does, in one or two sentences (Markdown). */
  about: string;
  /** A correct value, quoted in problem messages. */
  example: string;
  /** Keeps a wrong value out of the problem message. */
  secret?: true;
};

export const settingGroups = [
  "Addresses",
  "Data",
  "Media store",
  "Processes",
  "Limits and proxies",
  "Sign-in",
  "Mail",
  "Networks",
  "Simulated networks",
  "Command line",
  "Tests",
] as const;

const loopbackOnly = "Allowed only while `BASE_URL`, `AUTH_URL` and `APP_URL` are on a loopback host.";

/** Every setting. docs/settings.md and .env.example are generated from this table by `node bin/settings-docs.mjs`. */
export const envSettings = {
  PORT: {
    ...{ schema: whole(1, 65535), group: "Addresses", default: "3000", example: "3000" },
    about: "Port of the web process, which serves the dashboard, `/v1`, `/authorize` and `/oauth`.",
  },
  HOST: {
    schema: z.string().regex(/^[\w.:%-]+$/, "is not an IP address or a host name"),
    ...{ group: "Addresses", default: "loopback, or `0.0.0.0` if an address below is public", example: "0.0.0.0" },
    about: "Address that the web port binds to. `::` accepts IPv4 and IPv6.",
  },
  BASE_URL: {
    ...{ schema: ownOrigin, group: "Addresses", default: "http://localhost:$PORT", example: "https://api.example.com" },
    about: "Public URL of the API. If it, `AUTH_URL` or `APP_URL` is not on a loopback host, the sandbox is off.",
  },
  AUTH_URL: {
    ...{ schema: ownOrigin, group: "Addresses", default: "$BASE_URL", example: "https://auth.example.com" },
    about: "Public URL of the authorization server.",
  },
  APP_URL: {
    ...{ schema: ownOrigin, group: "Addresses", default: "$BASE_URL", example: "https://app.example.com" },
    about: "Public URL of the dashboard and the connect page.",
  },
  MEDIA_URL: {
    ...{ schema: ownOrigin, group: "Addresses", default: "$APP_URL", example: "https://files.example.net" },
    about:
      "Public URL of users' files, if they have a host of their own: it serves nothing else, and no file can act as the dashboard. Networks that fetch media themselves fetch it from here.",
  },
  DATA_DIR: {
    ...{ schema: text, group: "Data", default: ".data", example: "/var/lib/carillon" },
    about: "Folder for the embedded database, stored files, generated secrets and the sandbox.",
  },
  DATABASE_URL: {
    ...{ schema: databaseUrl, group: "Data", default: "the embedded PostgreSQL", secret: true },
    about: "URL of an external PostgreSQL database.",
    example: "postgres://carillon:secret@db.example.com:5432/carillon",
  },
  DATABASE_DIRECT_URL: {
    ...{ schema: databaseUrl, group: "Data", default: "$DATABASE_URL", secret: true },
    about:
      "URL of the same database without a pooler in between, for notifications, locks, jobs and migrations. Set it if `DATABASE_URL` leads to PgBouncer in transaction mode.",
    example: "postgres://carillon:secret@db.example.com:5432/carillon",
  },
  DATABASE_POOL: {
    ...{ schema: whole(4, 1_000), group: "Data", default: "20", example: "20" },
    about: "The most connections that the pool of one process opens.",
  },
  DATABASE_NOTIFY: {
    ...{ schema: onOff, group: "Data", default: "on", example: "off" },
    about:
      "`off`: processes do not use NOTIFY and LISTEN; they look for changes instead. A post that is due at once then starts up to 1 s later, and an open dashboard shows a change up to 30 s later. To change it, stop all processes.",
  },
  RETENTION_SCHEDULES_DAYS: {
    ...{ schema: whole(30, 36_500), group: "Data", default: "kept until their owner deletes them", example: "730" },
    about:
      "After how many days finished posts are deleted, with everything that belongs to them. Set it for all workers. See [operate.md](operate.md#what-carillon-deletes-by-itself).",
  },
  RETENTION_ATTEMPTS_DAYS: {
    ...{ schema: whole(7, 36_500), group: "Data", default: "kept as long as their post", example: "90" },
    about: "After how many days the attempts in receipts are deleted. Set it for all workers.",
  },
  RETENTION_AUDIT_DAYS: {
    ...{ schema: whole(365, 36_500), group: "Data", default: "kept forever", example: "1095" },
    about: "After how many days lines of the audit log are deleted. Set it for all workers.",
  },
  SECRETS_KEY: {
    ...{ schema: keys, group: "Data", default: "generated in `DATA_DIR`", secret: true },
    about:
      "The key from which all other keys are derived. To rotate it, list several keys, newest first, separated by commas.",
    example: "the output of: openssl rand -base64 32",
  },
  S3_ENDPOINT: {
    ...{ schema: origin, group: "Media store", default: "files in `DATA_DIR`" },
    about: "URL of an S3-compatible store for uploaded files. Set all five `S3_*` settings or none.",
    example: "https://s3.eu-central-1.amazonaws.com",
  },
  S3_BUCKET: {
    ...{ schema: bucketName, group: "Media store", default: "none", example: "carillon-media" },
    about: "Name of the bucket.",
  },
  S3_REGION: {
    ...{ schema: word, group: "Media store", default: "none", example: "eu-central-1" },
    about: "Region of the bucket.",
  },
  S3_ACCESS_KEY_ID: {
    ...{ schema: word, group: "Media store", default: "none", example: "AKIAIOSFODNN7EXAMPLE" },
    about: "ID of the access key.",
  },
  S3_SECRET_ACCESS_KEY: {
    ...{ schema: text, group: "Media store", default: "none", secret: true, example: "the key's secret" },
    about: "Secret of the access key.",
  },
  WORKER: {
    ...{ schema: onOff, group: "Processes", default: "on", example: "off" },
    about: "`off`: the web process runs no worker. Run workers separately with `npm run worker`.",
  },
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"], "is not a log level"),
    ...{ group: "Processes", default: "info (warn on a terminal)", example: "info" },
    about: "`debug`, `info`, `warn`, `error` or `silent`. The log has one JSON object per line, on standard error.",
  },
  HEALTH_PORT: {
    ...{ schema: whole(1, 65535), group: "Processes", default: "none", example: "9465" },
    about:
      "Port on which a worker answers `/health/live` and `/health/ready`. The web process answers them on its own port.",
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .min(16, "must have at least 16 characters")
      .regex(/^[!-~]*$/, "must contain only ASCII characters without spaces"),
    ...{ group: "Processes", default: "none", secret: true, example: "the output of: openssl rand -hex 32" },
    about:
      "Token that a request for `/metrics` must send as `Authorization: Bearer …`. Without it, `/metrics` on the web port answers only this machine.",
  },
  METRICS_PORT: {
    ...{ schema: whole(1, 65535), group: "Processes", default: "none", example: "9464" },
    about:
      "Port that serves only `/metrics`, for web and worker processes. Let only your monitoring reach it, or set `METRICS_TOKEN` too.",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...{ schema: origin, group: "Processes", default: "none", example: "http://localhost:4318" },
    about:
      "Base URL of an OpenTelemetry collector that takes OTLP over HTTP. If it is set, each process exports traces, from requests to calls of the networks and to webhooks.",
  },
  RATE_LIMIT_API: {
    ...{ schema: whole(1, 1_000_000), group: "Limits and proxies", default: "600", example: "600" },
    about:
      "Requests per minute to `/v1` and of the lists in partners' pages over all web processes, for each person: a user with all their tokens and sessions, or one of a partner's users.",
  },
  RATE_LIMIT_AUTH: {
    ...{ schema: whole(1, 1_000_000), group: "Limits and proxies", default: "60", example: "60" },
    about:
      "Requests per minute for each purpose over all web processes: sign-in, connecting, reviews, calendar addresses and unsubscribing for each client address, and the token endpoint for each client.",
  },
  CONNECTIONS_PER_ADDRESS: {
    ...{ schema: whole(10, 100_000), group: "Limits and proxies", default: "500", example: "500" },
    about:
      "Open connections of one IPv4 address or IPv6 /64; further ones are closed. A proxy in `TRUSTED_PROXIES` has no limit.",
  },
  MCP_PUBLISHING: {
    ...{ schema: onOff, group: "Limits and proxies", default: "off", example: "on" },
    about:
      "`on`: an AI agent whose token has the scopes `posts.propose` and `posts.write` may publish through `/mcp` without approval. `off`: agents can only propose posts, which a person approves.",
  },
  QUOTA_MEDIA_BYTES: {
    ...{ schema: whole(1, 999_999_999_999_999), group: "Limits and proxies", default: "21474836480 (20 GB)" },
    example: "21474836480",
    about: "Bytes of files that each user may store. Grants that are not confirmed yet count with their size.",
  },
  QUOTA_OPEN_GRANTS: {
    ...{ schema: whole(1, 1_000_000), group: "Limits and proxies", default: "1000", example: "1000" },
    about: "Pre-signed uploads that each user may have open at a time.",
  },
  QUOTA_QUEUED_IMPORTS: {
    ...{ schema: whole(1, 1_000_000), group: "Limits and proxies", default: "5000", example: "5000" },
    about: "Unfinished imports that each user may have at a time.",
  },
  QUOTA_PUBLICATIONS_PER_DAY: {
    ...{ schema: whole(1, 1_000_000), group: "Limits and proxies", default: "10000", example: "10000" },
    about:
      "Posts that each user may plan for one day in UTC: a post counts once for each of its accounts, on the day of its time. Drafts do not count.",
  },
  RESERVED_DISK_BYTES: {
    ...{ schema: whole(0, 999_999_999_999_999), group: "Limits and proxies", default: "536870912 (512 MB)" },
    example: "536870912",
    about:
      "Free space that uploads and imports leave on the disk of `DATA_DIR`. Below it they are refused with 507, while publishing and sign-in continue.",
  },
  TRUSTED_PROXIES: {
    ...{ schema: proxies, group: "Limits and proxies", default: "none", example: "10.0.0.0/8" },
    about: "Addresses and networks of the proxies whose `X-Forwarded-*` headers are trusted, separated by commas.",
  },
  EGRESS_ALLOW: {
    ...{ schema: egress, group: "Limits and proxies", default: "none", example: "media.example.test+10.0.0.7+8080" },
    about: `Exceptions to the rule that Carillon calls public addresses only: \`host+ip+port\`, separated by commas. ${loopbackOnly}`,
  },
  STAFF_SECOND_FACTOR: {
    schema: z.enum(["required", "optional"], "is not required or optional"),
    ...{ group: "Sign-in", default: "optional", example: "required" },
    about:
      "`required`: staff see the staff pages and the consoles of partners only after they have set up an authenticator app or a passkey.",
  },
  SMTP_URL: {
    ...{ schema: mailServer, group: "Mail", default: "emails are written to `DATA_DIR/mail`", secret: true },
    about: "URL of the mail server.",
    example: "smtps://user:password@mail.example.com:465",
  },
  MAIL_FROM: {
    ...{ schema: sender, group: "Mail", default: "carillon@localhost", example: "Carillon <post@example.com>" },
    about: "Sender of all emails.",
  },
  SECURITY_CONTACT: {
    ...{ schema: securityContacts, group: "Addresses", example: "security@example.com" },
    default: "`security@` and the domain of `MAIL_FROM`",
    about:
      "Where people can report security problems: email addresses or https addresses, separated by commas. Shown at `/.well-known/security.txt`.",
  },
  TELEGRAM_BOT_TOKEN: {
    schema: z.string().regex(/^\d+:[A-Za-z0-9_-]{10,}$/, "is not a bot token as BotFather shows it"),
    ...{ group: "Networks", default: "none", secret: true },
    about: "Token of the Telegram bot. See [telegram.md](networks/telegram.md).",
    example: "123456789:AAExampleExampleExampleExampleExample",
  },
  BLUESKY_CLIENT_KEY: {
    schema: z.string().regex(/^(?!0{32}|f{8})[0-9a-f]{64}$/i, "is not a 32-byte private key in hexadecimal"),
    ...{ group: "Networks", default: "none", secret: true },
    about: "Private key of our Bluesky client, 32 bytes in hexadecimal. See [bluesky.md](networks/bluesky.md).",
    example: "the output of: openssl rand -hex 32",
  },
  PINTEREST_CAROUSEL: {
    ...{ schema: onOff, group: "Networks", default: "on", example: "off" },
    about:
      "`off`: offers no Pins with several images, in case Pinterest rejects them for this service's application. See [pinterest.md](networks/pinterest.md).",
  },
  THREADS_LOCATIONS: {
    ...{ schema: onOff, group: "Networks", default: "off at Threads, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `threads_location_tagging`, with which posts can name a location. Set it once the app has this permission. See [threads.md](networks/threads.md).",
  },
  FACEBOOK_BUSINESS_PAGES: {
    ...{ schema: onOff, group: "Networks", default: "off at Facebook, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `business_management`, with which Pages of a business portfolio are listed. Set it once the app has this permission; otherwise nobody can connect. See [facebook.md](networks/facebook.md).",
  },
  LINKEDIN_PAGES: {
    ...{ schema: onOff, group: "Networks", default: "off at LinkedIn, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `w_organization_social` and `rw_organization_admin`, with which they can post to their company pages. Set it once the app has these scopes; otherwise nobody can connect. See [linkedin.md](networks/linkedin.md).",
  },
  FACEBOOK_COMMENTS: {
    ...{ schema: onOff, group: "Networks", default: "off at Facebook, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `pages_manage_engagement`, for first comments. Set it once the app has this permission; otherwise nobody can connect. See [facebook.md](networks/facebook.md).",
  },
  INSTAGRAM_COMMENTS: {
    ...{ schema: onOff, group: "Networks", default: "off at Instagram, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `instagram_business_manage_comments`, for first comments. Set it once the app has this permission; otherwise nobody can connect. See [instagram.md](networks/instagram.md).",
  },
  TIKTOK_VIDEO_LIST: {
    ...{ schema: onOff, group: "Networks", default: "off at TikTok, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `video.list`, with which posts are read back. Set it once TikTok has approved the app for this scope; otherwise nobody can connect. See [tiktok.md](networks/tiktok.md).",
  },
  TIKTOK_VIDEO_UPLOAD: {
    ...{ schema: onOff, group: "Networks", default: "off at TikTok, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `video.upload`, with which posts are sent to their drafts. Set it once TikTok has approved the app for this scope; otherwise nobody can connect. See [tiktok.md](networks/tiktok.md).",
  },
  YOUTUBE_MANAGE: {
    ...{ schema: onOff, group: "Networks", default: "off at YouTube, on at the simulated one", example: "on" },
    about:
      "`on`: people who connect are also asked for `youtube.force-ssl`, with which videos are added to playlists and get captions and first comments. Set it once Google has verified the app for this scope. See [youtube.md](networks/youtube.md).",
  },
  YOUTUBE_DAILY_UPLOADS: {
    ...{ schema: whole(1, 999_999_999), group: "Networks", default: "100", example: "100" },
    about: "Uploads per day that Google grants this service's project. See [youtube.md](networks/youtube.md).",
  },
  YOUTUBE_DAILY_UNITS: {
    ...{ schema: whole(1, 999_999_999), group: "Networks", default: "10000", example: "10000" },
    about: "Quota units per day that Google grants this service's project.",
  },
  SANDBOX: {
    ...{ schema: onOff, group: "Simulated networks", default: "on", example: "off" },
    about:
      "`off`: networks without credentials are not offered, instead of being simulated. The sandbox is always off if `BASE_URL`, `AUTH_URL` or `APP_URL` is not on a loopback host.",
  },
  SANDBOX_PORT: {
    ...{ schema: whole(1, 65535), group: "Simulated networks", default: "3010", example: "3010" },
    about: "Port of the simulated networks.",
  },
  CARILLON_TOKEN: {
    ...{ schema: text, group: "Command line", default: "none", secret: true },
    about: "Access token that `npm run carillon -- listen` uses.",
    example: "the output of: npm run carillon -- tokens create",
  },
  CARILLON_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "is not whsec_ followed by base64"),
    ...{ group: "Command line", default: "a new secret for each run", secret: true },
    about: "Secret with which `npm run carillon -- listen` signs the events that it forwards.",
    example: "whsec_ and the output of: openssl rand -base64 32",
  },
  TIME_FACTOR: {
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, "is not a number above 0")
      .transform(Number)
      .refine((n) => n > 0, "is not a number above 0"),
    ...{ group: "Tests", default: "1", example: "60" },
    about: `Divides the waiting times of retries and polls. ${loopbackOnly}`,
  },
  FAIL_POINTS: {
    ...{ schema: armedFailPoints, group: "Tests", default: "none", example: "announced:kill@2,stored:kill" },
    about: `Points in the worker at which a test kills or stops the process. ${loopbackOnly}`,
  },
} satisfies { [name: string]: Setting };

/** The parsed value of each setting that is set. */
export type EnvSettings = { [K in keyof typeof envSettings]?: z.output<(typeof envSettings)[K]["schema"]> };

/** Parses every setting that is set to something, and adds a line to `problems` for each wrong value. */
export function readSettings(from: Variables, problems: string[]): EnvSettings {
  const read: { [name: string]: unknown } = {};
  for (const [name, { schema, example, ...rest }] of Object.entries(envSettings)) {
    const value = from[name];
    if (value === undefined || value === "") continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) read[name] = parsed.data;
    else {
      const wrong = parsed.error.issues[0]?.message ?? "is wrong";
      problems.push(problemLine(name, "secret" in rest ? undefined : value, wrong, example));
    }
  }
  return read as EnvSettings;
}

/** A line for one wrong setting: its name, its value unless it is secret, what is wrong and an example. */
export function problemLine(name: string, value: string | undefined, wrong: string, example: string): string {
  const subject = value === undefined ? "the value" : `"${value}"`;
  const sentence = /^(contains|must|is required)\b/.test(wrong) ? wrong : `${subject} ${wrong}`;
  return `${name}: ${sentence}. Example: ${name}=${example}`;
}
