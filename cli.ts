import { parseArgs } from "node:util";
import { getAccount, presentAccount } from "./lib/accounts";
import { connectWithoutBrowser } from "./lib/connect";
import { openData } from "./lib/db/open";
import { env } from "./lib/env";
import { ApiError, BadRequest } from "./lib/errors";
import { allNetworks, isOffered } from "./lib/networks";
import {
  allScopes,
  createApplication,
  createPartner,
  createPersonalToken,
  fromWords,
  rotateSigningKey,
  suspendApplication,
  suspendPartner,
} from "./lib/oauth";
import { platforms, platformValues } from "./lib/platforms";
import { startSandbox } from "./lib/sandbox";
import { pausePublishing, publishingState, resumePublishing } from "./lib/schedules";
import { createUser, getUserByEmail, setSuspended } from "./lib/users";

/** A call of the operator's command line: its options, and what it prints (DECISIONS, "Issuing credentials by hand"). */
type Command = { usage: string; options: string[]; run(options: Options, argument: string): Promise<unknown> };
type Options = { [name: string]: string[] | undefined };

const commands: { [name: string]: Command } = {
  "users create": {
    usage: "--email E --password P [--name N] [--role user|staff]",
    options: ["email", "password", "name", "role"],
    async run(options) {
      const role = optional(options, "role") ?? "user";
      if (role !== "user" && role !== "staff") throw new BadRequest("role must be user or staff");
      const name = optional(options, "name");
      const user = await createUser({
        email: required(options, "email"),
        password: required(options, "password"),
        name,
        role,
      });
      return { id: user.id, email: user.email, role: user.role };
    },
  },
  "users suspend": { usage: "ID", options: [], run: (_, id) => setSuspended(id, true) },
  "users resume": { usage: "ID", options: [], run: (_, id) => setSuspended(id, false) },
  "clients create": {
    usage: "--name N --redirect-uri U [--redirect-uri U2] [--type confidential|public]",
    options: ["name", "redirect-uri", "type"],
    async run(options) {
      const type = optional(options, "type") ?? "confidential";
      if (type !== "confidential" && type !== "public") throw new BadRequest("type must be confidential or public");
      const redirectUris = options["redirect-uri"] ?? [];
      return createApplication(required(options, "name"), redirectUris, { isPublic: type === "public" });
    },
  },
  "clients suspend": { usage: "CLIENT_ID", options: [], run: (_, clientId) => suspendApplication(clientId, true) },
  "clients resume": { usage: "CLIENT_ID", options: [], run: (_, clientId) => suspendApplication(clientId, false) },
  "partners create": {
    usage: "--name N",
    options: ["name"],
    run: (options) => createPartner(required(options, "name")),
  },
  "partners suspend": { usage: "CLIENT_ID", options: [], run: (_, clientId) => suspendPartner(clientId) },
  "tokens create": {
    usage: '--user E [--scope "…"] [--ttl SECONDS]',
    options: ["user", "scope", "ttl"],
    async run(options) {
      const user = await getUserByEmail(required(options, "user"));
      const scope = optional(options, "scope");
      const scopes = scope === undefined ? allScopes : fromWords(scope);
      if (!scopes || scopes.length === 0) throw new BadRequest(`scope holds a scope that does not exist: ${scope}`);
      const ttl = optional(options, "ttl");
      if (ttl !== undefined && !/^[1-9]\d{0,8}$/.test(ttl))
        throw new BadRequest(`ttl must be a number of seconds: ${ttl}`);
      return createPersonalToken(user.id, scopes, ttl === undefined ? undefined : Number(ttl));
    },
  },
  "accounts connect-sandbox": {
    usage: "--user E --platform P [--person alice]",
    options: ["user", "platform", "person"],
    async run(options) {
      const user = await getUserByEmail(required(options, "user"));
      const platform = platformValues.find((value) => value === required(options, "platform"));
      if (!platform) throw new BadRequest(`platform must be one of ${platformValues.join(", ")}`);
      const id = await withSandbox(() =>
        connectWithoutBrowser(user.id, platform, optional(options, "person") ?? "alice"),
      );
      return presentAccount(await getAccount(user.id, id));
    },
  },
  "publishing pause": {
    usage: "[--reason R]",
    options: ["reason"],
    run: (options) => pausePublishing(optional(options, "reason")),
  },
  "publishing resume": { usage: "", options: [], run: () => resumePublishing() },
  "publishing status": { usage: "", options: [], run: () => publishingState() },
  "keys rotate": { usage: "", options: [], run: () => rotateSigningKey() },
  doctor: { usage: "", options: [], run: async () => examine() },
};

/** Runs one command: its JSON on standard output, messages on standard error, a non-zero exit on failure. */
export async function main(argv: string[]): Promise<void> {
  const name = [argv.slice(0, 2).join(" "), argv[0] ?? ""].find((words) => words in commands);
  const command = name === undefined ? undefined : commands[name];
  if (!command || name === undefined) return fail(usage());
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(name.split(" ").length),
      options: Object.fromEntries(
        command.options.map((option) => [option, { type: "string", multiple: true }] as const),
      ),
      allowPositionals: command.options.length === 0,
    });
    if (/^[A-Z_]+$/.test(command.usage) && !positionals[0]) return fail(`usage: ${name} ${command.usage}`);
    console.log(JSON.stringify(await onDatabase(() => command.run(values as Options, positionals[0] ?? ""))));
  } catch (error) {
    if (error instanceof ApiError) return fail(error.message);
    if (error instanceof TypeError && "code" in error) return fail(`${error.message}\nusage: ${name} ${command.usage}`);
    throw error;
  }
}

async function onDatabase<T>(work: () => Promise<T>): Promise<T> {
  const data = await openData("command");
  try {
    return await work();
  } finally {
    await data.close();
  }
}

/** On a stopped service the simulated networks are started for as long as the command takes. */
async function withSandbox<T>(work: () => Promise<T>): Promise<T> {
  if (!env.sandbox) throw new BadRequest("the sandbox networks are off here");
  const runs = await fetch(env.sandbox.url).then(
    (answer) => answer.ok,
    () => false,
  );
  const stop = runs ? async () => {} : await startSandbox(env.sandbox.port);
  try {
    return await work();
  } finally {
    await stop();
  }
}

/** What is set up, which API versions are spoken, and what stands in the way of use. */
function examine() {
  const networks = allNetworks().map(({ platform, name, version }) => {
    const { mode } = env.networks[platforms[platform]];
    const problem = isOffered(platform)
      ? {}
      : {
          problem: `${name} has no credentials`,
          mend: `set ${platforms[platform].toUpperCase()}_CLIENT_ID and _CLIENT_SECRET`,
        };
    return {
      platform,
      mode,
      apiVersion: version.name,
      ...(version.endsOn ? { endsOn: version.endsOn } : {}),
      ...problem,
    };
  });
  return {
    baseUrl: env.baseUrl,
    authUrl: env.authUrl,
    appUrl: env.appUrl,
    dataDir: env.dataDir,
    database: env.databaseUrl ? "DATABASE_URL" : "embedded",
    objects: "DATA_DIR",
    worker: env.worker ? "in the web process" : "in processes of its own (npm run worker)",
    secrets: env.secretsKey ? "SECRETS_KEY" : "DATA_DIR",
    networks,
    notes: env.isLocal
      ? ["APP_URL is a loopback address: networks that fetch media themselves can reach it in the sandbox only"]
      : [],
  };
}

function required(options: Options, name: string): string {
  const value = optional(options, name);
  if (!value) throw new BadRequest(`${name} cannot be null: give --${name}`);
  return value;
}

function optional(options: Options, name: string): string | undefined {
  const values = options[name];
  if (values && values.length > 1) throw new BadRequest(`${name} is given twice`);
  return values?.[0];
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, command]) => `  npm run carillon -- ${name} ${command.usage}`);
  return `Usage:\n${lines.join("\n")}`;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
