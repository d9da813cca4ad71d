import { getAccount, presentAccount } from "../lib/accounts";
import { connectWithoutBrowser } from "../lib/connect";
import { env } from "../lib/env";
import { BadRequest } from "../lib/errors";
import { startSandbox } from "../lib/jobs/sandbox-process";
import {
  allScopes,
  createApplication,
  createPartner,
  createPersonalToken,
  parseScopesLeniently,
  rotateSigningKey,
  suspendApplication,
  suspendPartner,
} from "../lib/oauth";
import { platformValues } from "../lib/platforms";
import { pausePublishing, publishingState, resumePublishing } from "../lib/schedules";
import { createUser, getUserByEmail, setSuspended } from "../lib/users";
import { type Command, choice, UsageError } from "./command";
import { examine } from "./doctor";
import { listenCommand } from "./listen";
import { addMemberOfPartner, attemptsOfPartner, brandPartner, settingsOfPartner } from "./partners";

const EMAIL = { value: "E", about: "the person's e-mail address", required: true } as const;
const USER_ID = "0c9f2c1e-6b1f-4c3e-9a53-3a1c1f6f1a11";
const CLIENT_ID = "q3J0Vw1mB2xZ8sT6yK4nRg";

function suspension(what: string, suspended: boolean, id: "ID" | "CLIENT_ID", set: Suspend): Command {
  return {
    about: suspended ? `Refuses every call of ${what} from now on` : `Lets ${what} in again`,
    argument: id,
    prints: `{ "${id === "ID" ? "id" : "clientId"}", "suspended": ${suspended} }`,
    example: id === "ID" ? USER_ID : CLIENT_ID,
    run: ({ argument }) => set(argument, suspended),
  };
}
type Suspend = (id: string, suspended: boolean) => Promise<unknown>;

/** Every command, by its words. */
export const commands: { [name: string]: Command } = {
  "users create": {
    about: "Adds a person who signs in with a password",
    options: {
      email: EMAIL,
      password: { value: "P", about: "at least 8 characters", required: true },
      name: { value: "N", about: "as it is shown; otherwise what stands before the @" },
      role: { value: "user|staff", about: "user where it is not given" },
    },
    prints: '{ "id", "email", "role" }',
    example: '--email ada@example.com --password "a long password"',
    async run(input) {
      const role = choice("role", input.get("role") ?? "user", ["user", "staff"]);
      const [email, password] = [input.required("email"), input.required("password")];
      const user = await createUser({ email, password, name: input.get("name"), role, isConfirmed: true });
      return { id: user.id, email: user.email, role: user.role };
    },
  },
  "users suspend": suspension("a person or an end-user", true, "ID", setSuspended),
  "users resume": suspension("a person or an end-user", false, "ID", setSuspended),
  "clients create": {
    about: "Registers an application that other people's users allow in (authorization code)",
    options: {
      name: { value: "N", about: "as the consent page shows it", required: true },
      "redirect-uri": {
        value: "U",
        about: "where people come back to; character for character",
        required: true,
        many: true,
      },
      type: { value: "confidential|public", about: "public: has no secret and must use PKCE; otherwise confidential" },
    },
    prints: '{ "clientId", "clientSecret" }; the secret is shown this once',
    example: '--name "Acme Planner" --redirect-uri https://acme.example/callback',
    async run(input) {
      const type = choice("type", input.get("type") ?? "confidential", ["confidential", "public"]);
      return createApplication(input.required("name"), input.all("redirect-uri"), { isPublic: type === "public" });
    },
  },
  "clients suspend": suspension("an application", true, "CLIENT_ID", suspendApplication),
  "clients resume": suspension("an application", false, "CLIENT_ID", suspendApplication),
  "partners create": {
    about: "Registers a partner, whose backend acts for its own end-users (client credentials)",
    options: { name: { value: "N", about: "the partner's name", required: true } },
    prints: '{ "clientId", "clientSecret" }; the secret is shown this once',
    example: "--name Acme",
    run: (input) => createPartner(input.required("name")),
  },
  "partners suspend": suspension("a partner", true, "CLIENT_ID", suspendPartner),
  "partners resume": suspension("a partner", false, "CLIENT_ID", suspendPartner),
  "partners add-member": addMemberOfPartner,
  "partners brand": brandPartner,
  "partners settings": settingsOfPartner,
  "partners attempts": attemptsOfPartner,
  "tokens create": {
    about: "Makes an access token that acts as one person, for scripts and benchmarks",
    options: {
      user: EMAIL,
      scope: { value: '"…"', about: "scopes with spaces between, with or without service-api/; otherwise all" },
      ttl: { value: "SECONDS", about: "how long it lives; otherwise an hour" },
    },
    prints: '{ "access_token", "expires_in" }',
    example: '--user ada@example.com --scope "posts.read posts.write" --ttl 86400',
    async run(input) {
      const scope = input.get("scope");
      const scopes = scope === undefined ? allScopes : parseScopesLeniently(scope);
      if (!scopes || scopes.length === 0) throw new UsageError(`--scope holds a scope that does not exist: ${scope}`);
      const ttl = input.get("ttl");
      if (ttl !== undefined && !/^[1-9]\d{0,8}$/.test(ttl)) {
        throw new UsageError(`--ttl must be a whole number of seconds, not ${ttl}`);
      }
      const user = await getUserByEmail(input.required("user"));
      return createPersonalToken(user.id, scopes, ttl === undefined ? undefined : Number(ttl));
    },
  },
  "accounts connect-sandbox": {
    about: "Connects an account of a simulated network without a browser",
    options: {
      user: EMAIL,
      platform: { value: "P", about: platformValues.join(", "), required: true },
      person: { value: "alice", about: "whose account; any other name is a new person on first use" },
    },
    prints: "the Account, as GET /v1/accounts shows it",
    example: "--user ada@example.com --platform X_TWITTER --person alice",
    async run(input) {
      const platform = choice("platform", input.required("platform"), platformValues);
      const user = await getUserByEmail(input.required("user"));
      const person = input.get("person") ?? "alice";
      const id = await withSandbox(() => connectWithoutBrowser(user.id, platform, person));
      return presentAccount(await getAccount(user.id, id));
    },
  },
  listen: listenCommand,
  "publishing pause": {
    about: "Stops all publishing within ten seconds; what is due waits and goes out late",
    options: { reason: { value: "R", about: "why, as every user is told in the dashboard and in receipts" } },
    prints: '{ "paused": true, "since", "reason" }',
    example: '--reason "network incident"',
    run: (input) => pausePublishing(input.get("reason")),
  },
  "publishing resume": {
    about: "Goes on publishing",
    prints: '{ "paused": false }',
    example: "",
    run: () => resumePublishing(),
  },
  "publishing status": {
    about: "Tells whether publishing is paused",
    prints: '{ "paused" }',
    example: "",
    run: () => publishingState(),
  },
  "keys rotate": {
    about: "Makes a new key to sign access tokens; the old one keeps verifying until its tokens have expired",
    prints: '{ "kid" }',
    example: "",
    run: () => rotateSigningKey(),
  },
  doctor: {
    about: "Tells what is configured, which API versions are spoken, what is wrong (exit code 1) and how to mend it",
    prints:
      '{ "baseUrl", …, "networks": [{ "platform", "mode", "apiVersion", "endOfLife" }], "quotas": [{ "platform", "bucket", "used", "perDay" }], "problems": [{ "severity", "problem", "mend" }] }',
    example: "",
    async run() {
      const found = await examine();
      if (found.problems.some(({ severity }) => severity === "failure")) process.exitCode = 1;
      return found;
    },
  },
};

/**
 * Does work that needs the simulated networks; on a stopped service they are started for as long as it takes.
 * @throws BadRequest where they are off
 */
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
