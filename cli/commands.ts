import { text } from "node:stream/consumers";
import { getAccount, presentAccount } from "../lib/accounts";
import { connectWithoutBrowser } from "../lib/connect";
import { migrateData } from "../lib/db/open";
import { env } from "../lib/env";
import { BadRequest } from "../lib/errors";
import { acceptConfiguration } from "../lib/installation";
import { startSandbox } from "../lib/jobs/sandbox-process";
import {
  createApplication,
  createPartner,
  createPersonalToken,
  everyScope,
  parseScopesLeniently,
  rotateSigningKey,
  suspendApplication,
  suspendPartner,
} from "../lib/oauth";
import { networkNames, type Platform, platforms, platformValues } from "../lib/platforms";
import { pausePublishing, publishingState, resumePublishing } from "../lib/schedules";
import { createUser, getAddressOwner, getUserByEmail, removeAllFactors, setSuspended } from "../lib/users";
import { backupCommands, finishRestoreCommand } from "./backup";
import { type Command, choice, UsageError } from "./command";
import { checkSetup } from "./doctor";
import { checkLive } from "./doctor-live";
import { reseal } from "./keys";
import { listenCommand } from "./listen";
import { addMemberOfPartner, attemptsOfPartner, brandPartner, settingsOfPartner } from "./partners";
import { withProgress } from "./progress";

const EMAIL = { value: "E", about: "the user's email address", required: true } as const;
const USER_ID = "0c9f2c1e-6b1f-4c3e-9a53-3a1c1f6f1a11";
const CLIENT_ID = "q3J0Vw1mB2xZ8sT6yK4nRg";

function suspension(what: string, suspended: boolean, id: "ID" | "CLIENT_ID", set: Suspend): Command {
  return {
    about: suspended ? `Suspends ${what}: all of its calls are rejected` : `Ends the suspension of ${what}`,
    argument: id,
    prints: `{ "${id === "ID" ? "id" : "clientId"}", "suspended": ${suspended} }`,
    example: id === "ID" ? USER_ID : CLIENT_ID,
    prepare:
      ({ argument }) =>
      () =>
        set(argument, suspended),
  };
}
type Suspend = (id: string, suspended: boolean) => Promise<unknown>;

/** Standard input keeps a password out of the shell's history and the list of processes. One line break at the end is ignored. */
async function passwordFrom(given: string): Promise<string> {
  return given === "-" ? (await text(process.stdin)).replace(/\r?\n$/, "") : given;
}

/** All commands by name. */
export const commands: { [name: string]: Command } = {
  "users create": {
    about: "Creates a user who signs in with a password",
    options: {
      email: EMAIL,
      password: { value: "P", about: "at least 8 characters; - reads it from standard input", required: true },
      name: { value: "N", about: "the displayed name (default: the part of the email address before the @)" },
      role: { value: "user|staff", about: "default: user" },
    },
    prints: '{ "id", "email", "role" }',
    example: '--email ada@example.com --password "a long password"',
    prepare(input) {
      const role = choice("role", input.get("role") ?? "user", ["user", "staff"]);
      return async () => {
        const [email, password] = [input.required("email"), await passwordFrom(input.required("password"))];
        const user = await createUser({ email, password, name: input.get("name"), role });
        return { id: user.id, email: user.email, role: user.role };
      };
    },
  },
  "users remove-factors": {
    about: "Removes a user's authenticator app, passkeys and recovery codes, so that the password alone signs in",
    options: { email: EMAIL },
    prints: '{ "id", "removed" }',
    example: "--email ada@example.com",
    prepare: (input) => async () => {
      const { id } = await getAddressOwner(input.required("email"));
      return { id, removed: await removeAllFactors(id) };
    },
  },
  "users suspend": suspension("a user or a partner's user", true, "ID", setSuspended),
  "users resume": suspension("a user or a partner's user", false, "ID", setSuspended),
  "clients create": {
    about: "Registers an application that users can authorize (authorization code)",
    options: {
      name: { value: "N", about: "the name on the consent page", required: true },
      "redirect-uri": {
        value: "U",
        about: "where users return to; compared exactly",
        required: true,
        many: true,
      },
      type: { value: "confidential|public", about: "public: no secret, must use PKCE (default: confidential)" },
    },
    prints: '{ "clientId", "clientSecret" }; the secret is shown only once',
    example: '--name "Acme Planner" --redirect-uri https://acme.example/callback',
    prepare(input) {
      const type = choice("type", input.get("type") ?? "confidential", ["confidential", "public"]);
      const isPublic = type === "public";
      return () => createApplication(input.required("name"), input.all("redirect-uri"), { isPublic });
    },
  },
  "clients suspend": suspension("an application", true, "CLIENT_ID", suspendApplication),
  "clients resume": suspension("an application", false, "CLIENT_ID", suspendApplication),
  "partners create": {
    about: "Registers a partner, whose backend acts for its own users (client credentials)",
    options: { name: { value: "N", about: "the partner's name", required: true } },
    prints: '{ "clientId", "clientSecret" }; the secret is shown only once',
    example: "--name Acme",
    prepare: (input) => () => createPartner(input.required("name")),
  },
  "partners suspend": suspension("a partner", true, "CLIENT_ID", suspendPartner),
  "partners resume": suspension("a partner", false, "CLIENT_ID", suspendPartner),
  "partners add-member": addMemberOfPartner,
  "partners brand": brandPartner,
  "partners settings": settingsOfPartner,
  "partners attempts": attemptsOfPartner,
  "tokens create": {
    about: "Creates an access token that acts as one user, for scripts and benchmarks",
    options: {
      user: EMAIL,
      scope: { value: '"…"', about: "scopes separated by spaces, with or without service-api/ (default: all)" },
      ttl: { value: "SECONDS", about: "lifetime (default: one hour)" },
    },
    prints: '{ "access_token", "expires_in" }',
    example: '--user ada@example.com --scope "posts.read posts.write" --ttl 86400',
    prepare(input) {
      const scope = input.get("scope");
      const scopes = scope === undefined ? everyScope : parseScopesLeniently(scope);
      if (!scopes || scopes.length === 0) throw new UsageError(`--scope contains an unknown scope: ${scope}`);
      const ttl = input.get("ttl");
      if (ttl !== undefined && !/^[1-9]\d{0,8}$/.test(ttl)) {
        throw new UsageError(`--ttl must be a whole number of seconds, not ${ttl}`);
      }
      return async () => {
        const user = await getAddressOwner(input.required("user"));
        return createPersonalToken(user.id, scopes, ttl === undefined ? undefined : Number(ttl));
      };
    },
  },
  "accounts connect-sandbox": {
    about: "Connects an account of a simulated network without a browser",
    options: {
      user: EMAIL,
      platform: { value: "P", about: platformValues.join(", "), required: true },
      person: { value: "alice", about: "whose account; an unknown name creates a new simulated person" },
    },
    prints: "the Account, as GET /v1/accounts shows it",
    example: "--user ada@example.com --platform X_TWITTER --person alice",
    prepare(input) {
      const platform = choice("platform", input.required("platform"), platformValues);
      const person = input.get("person") ?? "alice";
      const sandbox = getSandbox();
      return async () => {
        const user = await getUserByEmail(input.required("user"));
        const id = await withSandbox(sandbox, () => connectWithoutBrowser(user.id, platform, person));
        return presentAccount(await getAccount(user.id, id));
      };
    },
  },
  listen: listenCommand,
  migrate: {
    about:
      "Migrates the database to the schema of this release. Needed before other processes start on an external database that an older release has used",
    skipsDatabase: true,
    prints: '{ "applied": ["<migration>"] }; the list is empty if there was nothing to do',
    example: "",
    prepare: () => async () => ({ applied: await migrateData((line) => console.error(line)) }),
  },
  "publishing pause": {
    about: "Stops all publishing within ten seconds; due posts wait and are published late",
    options: { reason: { value: "R", about: "the reason, shown to every user in the dashboard and in receipts" } },
    ignoresKeys: true,
    prints: '{ "paused": true, "since", "reason", "waiting" }; waiting: due publications',
    example: '--reason "network incident"',
    prepare: (input) => () => pausePublishing(input.get("reason")),
  },
  "publishing resume": {
    about: "Resumes publishing",
    ignoresKeys: true,
    prints: '{ "paused": false, "waiting" }; after a restore also "held", which this command does not end',
    example: "",
    prepare: () => () => resumePublishing(),
  },
  "publishing status": {
    about: "Shows whether publishing is paused, or held after a restore",
    ignoresKeys: true,
    prints: '{ "paused", "since", "reason", "waiting", "held": { "reason", "since", "sincePoint", "fix" } }',
    example: "",
    prepare: () => () => publishingState(),
  },
  "restore finish": finishRestoreCommand,
  "keys rotate": {
    about: "Creates a new key to sign access tokens; the old key stays valid until its tokens have expired",
    prints: '{ "kid" }',
    example: "",
    prepare: () => () => rotateSigningKey(),
  },
  "keys reseal": {
    about:
      "Encrypts everything stored with the first key in SECRETS_KEY, so that the other keys can be removed from it",
    options: {
      cookies: {
        value: "keep|end",
        about:
          "end: removing a key also signs out everyone who signed in with it, because it may have leaked (default: keep)",
      },
    },
    prints: '{ "resealed": { "<table>.<column>": <number of values> } }',
    example: "",
    prepare(input) {
      const keepsCookies = choice("cookies", input.get("cookies") ?? "keep", ["keep", "end"]) === "keep";
      return () => withProgress("keys reseal", (say) => reseal(keepsCookies, say));
    },
  },
  ...backupCommands,
  "installation accept": {
    about:
      "Makes the keys or the store of this machine those of the installation, after the old ones were lost or moved; no process may run",
    argument: "keys|store",
    ignoresKeys: true,
    prints: '{ "accepted" }',
    example: "store",
    prepare({ argument }) {
      if (argument !== "keys" && argument !== "store") throw new UsageError(`keys or store, not ${argument}`);
      return async () => {
        await acceptConfiguration(argument);
        return { accepted: argument };
      };
    },
  },
  doctor: {
    about: "Shows the configuration, the API versions in use, all problems (exit code 1) and how to fix them",
    argument: "[NETWORK]",
    options: {
      live: {
        isFlag: true,
        about:
          "also checks the running service: workers, overdue publications, schema, store and database; with NETWORK (such as x), also calls that network with a connected account, and publishes nothing",
      },
      account: {
        value: "ID",
        about: "the account with which NETWORK is called (default: the newest one that can be used)",
      },
    },
    ignoresKeys: true,
    prints:
      '{ "baseUrl", …, "networks": [{ "platform", "mode", "apiVersion", "endOfLife" }], "quotas": [{ "platform", "bucket", "used", "perDay" }], "keys": [{ "key", "values" }], "network": { "platform", "mode", "credentials", "account", "checks": [{ "check", "result": "passed|failed|warning|by hand|not needed|not run", "found", "todo" }] }, "problems": [{ "severity", "problem", "fix" }] }',
    example: "--live bluesky",
    prepare(input) {
      if (input.argument && !input.has("live")) throw new UsageError("NETWORK needs --live");
      const platform = input.argument ? platformOf(input.argument) : undefined;
      const account = input.get("account");
      if (account !== undefined && !platform) throw new UsageError("--account needs --live NETWORK");
      if (account !== undefined && !/^\d{1,9}$/.test(account))
        throw new UsageError(`--account must be a number, not ${account}`);
      return async () => {
        const report = input.has("live")
          ? await checkLive(platform, account === undefined ? undefined : Number(account))
          : await checkSetup();
        if (report.problems.some(({ severity }) => severity === "failure")) process.exitCode = 1;
        return report;
      };
    },
  },
};

/** Returns the platform of a network's name in settings (`x`) or of its value in the API (`X_TWITTER`). */
function platformOf(name: string): Platform {
  const found = platformValues.find((platform) => platform === name || platforms[platform] === name);
  if (!found) throw new UsageError(`NETWORK must be one of ${networkNames.join(", ")}, not ${name}`);
  return found;
}

type Sandbox = NonNullable<typeof env.sandbox>;

/** Returns where the simulated networks run. @throws BadRequest if the sandbox is off */
function getSandbox(): Sandbox {
  if (env.sandbox) return env.sandbox;
  throw new BadRequest(
    "the sandbox is off: it needs SANDBOX=on, and BASE_URL, AUTH_URL and APP_URL on a loopback host",
  );
}

/** Runs work that needs the simulated networks. If they are not running, they are started for the duration of the work. */
async function withSandbox<T>({ url, port }: Sandbox, work: () => Promise<T>): Promise<T> {
  const runs = await fetch(url, { headers: { connection: "close" } }).then(
    async (answer) => {
      await answer.body?.cancel(); // an unread body can end the process (ADR 61)
      return answer.ok;
    },
    () => false,
  );
  const stop = runs ? async () => {} : await startSandbox(port);
  try {
    return await work();
  } finally {
    await stop();
  }
}
