import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, users } from "../../db";
import { env } from "../../env";
import { createPersonalToken, hasScope, type Scope, scopes, suspendApplication, suspendPartner } from "../../oauth";
import { createApplication } from "../../oauth/applications";
import { createGrant, revokeGrant } from "../../oauth/grants";
import { issueAccessToken } from "../../oauth/tokens";
import { as, type Client, newOwner, newPartner, nobody, signedInAs } from "../../testing/owners";
import { setSuspended } from "../../users";
import type { Route } from "../route";
import { giveThings, giveThingsToAll, type Things, type UserIds } from "./things";

type Partner = Awaited<ReturnType<typeof newPartner>>;

/** A caller: its headers, its things, and how it is rejected before any lookup. */
export type TestActor = {
  name: string;
  client: Client;
  headers?: { [name: string]: string };
  /** The things that the call is for, if the credential is valid. */
  things?: Things;
  /** A partner's credential, for all of its end-users. */
  partner?: Partner;
  refused?(route: Route): [status: number, error: string] | undefined;
};

/** Two victims: a person, and a partner's end-user. */
export type World = { person: Things; partner: Partner; endUser: Things };

const UNAUTHORIZED: [number, string] = [401, "Unauthorized"];
const DENIED: [number, string] = [403, "Access denied"];
const WHOSE: [number, string] = [400, "X-Connect-User-Id or X-Connect-External-User-Id cannot be null"];
const ORIGIN = new URL(env.appUrl).origin;

export async function newPersonWithThings(): Promise<Things> {
  return giveThings({ uuid: await newOwner(), externalUserId: randomUUID() });
}

export async function newEndUser(partner: Partner): Promise<UserIds> {
  const externalUserId = randomUUID();
  const answer = await partner.post("/v1/connect/users", { externalUserId, name: "End-user" });
  const { uuid } = (await answer.json()) as { uuid: string };
  return { uuid, externalUserId };
}

export async function newWorld(): Promise<World> {
  const partner = await newPartner();
  return { person: await newPersonWithThings(), partner, endUser: await giveThings(await newEndUser(partner)) };
}

const isPartners = ({ scope }: Route) => scope === "partner";
const changes = ({ method }: Route) => method !== "get";
const withToken = (token: string): Client => wrap(nobody, { authorization: `Bearer ${token}` });

function wrap(client: Client, headers: { [name: string]: string }): Client {
  return {
    ...client,
    request: (path, init = {}) => client.request(path, { ...init, headers: { ...headers, ...init.headers } }),
  };
}

/** The actors that routes share, if their calls read or are rejected: both leave their things as they are. */
const readers = new Map<string, Things>();
const readersClients = new Map<string, Client>();
let readersPartner: Promise<Partner> | undefined;

function partnerFor(route: Route): Promise<Partner> {
  if (changes(route)) return newPartner();
  readersPartner ??= newPartner();
  return readersPartner;
}

/** An actor before it has things. */
type Role = {
  name: string;
  isReader: boolean;
  identify(): Promise<UserIds>;
  actor(things: Things): Omit<TestActor, "name">;
};

/**
 * Callers that may use the route, each with things of their own that no route has changed.
 * @param chosen which of them are wanted
 */
export async function actorsWithOwnThings(route: Route, chosen: <T>(all: T[]) => T[]): Promise<TestActor[]> {
  const scope: Scope = route.scope === "partner" ? "api" : route.scope;
  const person = (name: string, client: (uuid: string) => Client, refused: TestActor["refused"]): Role => {
    const isReader = !changes(route) || refused?.(route) !== undefined;
    const identify = async () => ({ uuid: await newOwner(), externalUserId: randomUUID() });
    const clientOf = ({ uuid }: Things) => {
      const key = `${name}, ${scope}`;
      const known = (isReader && readersClients.get(key)) || client(uuid);
      if (isReader) readersClients.set(key, known);
      return known;
    };
    return { name, isReader, identify, actor: (things) => ({ client: clientOf(things), things, refused }) };
  };
  const partner = await partnerFor(route);
  const endUser = (name: string, headers: (of: UserIds) => { [name: string]: string }): Role => ({
    name,
    isReader: !changes(route),
    identify: () => newEndUser(partner),
    actor: (things) => ({ client: partner, headers: headers(things), things, partner }),
  });
  const denied: TestActor["refused"] = (asked) => (isPartners(asked) ? DENIED : undefined);
  const noPartner = (then?: [number, string]) => (asked: Route) => (isPartners(asked) ? UNAUTHORIZED : then);
  const foreign = noPartner(changes(route) ? DENIED : undefined);
  const roles = [
    person("a person's token with the scope", (uuid) => as(uuid, [scope]), denied),
    person("a person's token for everything", (uuid) => as(uuid), denied),
    person("the session with our Origin", (uuid) => signedInAs(uuid, ORIGIN), noPartner()),
    person("the session without an Origin", (uuid) => signedInAs(uuid), foreign),
    person("the session with a foreign Origin", (uuid) => signedInAs(uuid, "https://evil.example"), foreign),
    endUser("a partner for its user, by uuid", ({ uuid }) => ({ "x-connect-user-id": uuid })),
    endUser("a partner for its user, by its own id", ({ externalUserId }) => ({
      "x-connect-external-user-id": externalUserId,
    })),
    endUser("a partner for its user, by both", ({ uuid, externalUserId }) => ({
      "x-connect-user-id": uuid,
      "x-connect-external-user-id": externalUserId,
    })),
  ];
  return actorsOf(chosen(roles));
}

/** The actors of these roles. Those that share no things get new ones, which are made for all of them at once. */
async function actorsOf(roles: Role[]): Promise<TestActor[]> {
  const fresh = roles.filter(({ name, isReader }) => !isReader || !readers.has(name));
  const identities = await Promise.all(fresh.map(({ identify }) => identify()));
  const given = identities.length > 0 ? await giveThingsToAll(identities) : [];
  return roles.map((role) => {
    const things = given[fresh.indexOf(role)] ?? readers.get(role.name);
    if (!things) throw new Error(`${role.name} has no things`);
    if (role.isReader) readers.set(role.name, things);
    return { name: role.name, ...role.actor(things) };
  });
}

/** Authenticated callers that ask for someone else's things. */
export async function actorsWithoutAccess({ partner }: World): Promise<TestActor[]> {
  const [person, staff, sibling] = [
    await newPersonWithThings(),
    await newPersonWithThings(),
    await giveThings(await newEndUser(partner)),
  ];
  await db.update(users).set({ role: "staff" }).where(eq(users.id, staff.uuid));
  const other = await newPartner();
  const theirs = await giveThings(await newEndUser(other));
  const notPartner: TestActor["refused"] = (route) => (isPartners(route) ? DENIED : undefined);
  const noToken: TestActor["refused"] = (route) => (isPartners(route) ? UNAUTHORIZED : undefined);
  return [
    { name: "another person", client: as(person.uuid), things: person, refused: notPartner },
    { name: "another person's session", client: signedInAs(person.uuid, ORIGIN), things: person, refused: noToken },
    { name: "staff", client: as(staff.uuid), things: staff, refused: notPartner },
    { name: "staff's session", client: signedInAs(staff.uuid, ORIGIN), things: staff, refused: noToken },
    {
      name: "the partner for another of its users",
      client: partner,
      headers: { "x-connect-user-id": sibling.uuid },
      things: sibling,
      partner,
    },
    {
      name: "another partner for its user",
      client: other,
      headers: { "x-connect-external-user-id": theirs.externalUserId },
      things: theirs,
      partner: other,
    },
  ];
}

/** Callers that are always rejected, with the same words for existing and missing things. */
export async function deniedActors({ person, partner, endUser }: World): Promise<TestActor[]> {
  const token = async (uuid: string, of: Scope[] = ["api"], seconds?: number) =>
    (await createPersonalToken(uuid, of, seconds)).access_token;
  const all = (name: string, client: Client, says: [number, string], headers = {}): TestActor => ({
    name,
    client,
    headers,
    refused: () => says,
  });
  const suspended = await newOwner();
  const ofSuspended = await token(suspended);
  await setSuspended(suspended, true);
  const gone = await newOwner();
  const ofGone = await token(gone);
  await db.delete(users).where(eq(users.id, gone));
  const revoked = await appToken(person.uuid);
  await revokeGrant(revoked.grantId);
  const ofApp = await appToken(person.uuid);
  await suspendApplication(ofApp.clientId, true);
  const halted = await newPartner();
  const haltedUser = await newEndUser(halted);
  await suspendPartner(halted.clientId);
  const [held, foreign] = [await newEndUser(partner), await newEndUser(await newPartner())];
  await setSuspended(held.uuid, true);
  const absent = randomUUID();
  const forNobody = (name: string, headers: { [name: string]: string }, says: [number, string]): TestActor => ({
    ...{ name, client: partner, headers, partner },
    refused: (asked) => (isPartners(asked) || (asked.orPartner && says === WHOSE) ? undefined : says),
  });
  return [
    all("no credential", nobody, UNAUTHORIZED),
    all("an invalid token", withToken("a.b.c"), UNAUTHORIZED),
    all("another scheme", wrap(nobody, { authorization: "Basic YTpi" }), UNAUTHORIZED),
    all("an expired token", withToken(await token(person.uuid, ["api"], -1)), UNAUTHORIZED),
    all("the token of a deleted person", withToken(ofGone), UNAUTHORIZED),
    all("the session of a deleted person", signedInAs(gone, ORIGIN), UNAUTHORIZED),
    all("the token of a revoked consent", withToken(revoked.token), UNAUTHORIZED),
    all("the token of a suspended person", withToken(ofSuspended), DENIED),
    {
      name: "the session of a suspended person",
      client: signedInAs(suspended, ORIGIN),
      refused: (asked) => (isPartners(asked) ? UNAUTHORIZED : DENIED),
    },
    all("the token of a suspended application", withToken(ofApp.token), DENIED),
    all("a suspended partner", halted, DENIED, { "x-connect-user-id": haltedUser.uuid }),
    all("the owner with a partner's header", as(person.uuid), DENIED, { "x-connect-user-id": endUser.uuid }),
    {
      name: "the owner's session with a partner's header",
      ...{ client: signedInAs(person.uuid, ORIGIN), headers: { "x-connect-external-user-id": endUser.externalUserId } },
      refused: (asked) => (isPartners(asked) ? UNAUTHORIZED : DENIED),
    },
    forNobody("the partner without a user", {}, WHOSE),
    forNobody("the partner for another partner's user", { "x-connect-user-id": foreign.uuid }, [
      404,
      `Connect user not found: ${foreign.uuid}`,
    ]),
    forNobody("the partner for a person", { "x-connect-user-id": person.uuid }, [
      404,
      `Connect user not found: ${person.uuid}`,
    ]),
    forNobody("the partner for a user that is not there", { "x-connect-external-user-id": absent }, [
      404,
      `Connect user not found: ${absent}`,
    ]),
    forNobody("the partner for a suspended user", { "x-connect-user-id": held.uuid }, DENIED),
  ];
}

/** The owner's token with every scope except the one that the route needs. */
export function withoutScope(route: Route, { person }: { person: Pick<Things, "uuid"> }): TestActor {
  const { scope: needed, orProposer } = route;
  const others = scopes
    .filter((scope) => needed === "partner" || !hasScope([scope], needed))
    .filter((scope) => !(orProposer && scope === "posts.propose"));
  return {
    name: "the owner with every scope but the right one",
    client: as(person.uuid, others),
    refused: () => DENIED,
  };
}

async function appToken(userId: string): Promise<{ token: string; grantId: string; clientId: string }> {
  const { clientId } = await createApplication("Test app", ["https://app.example.com/callback"]);
  const grantId = await createGrant({ kind: "authorization_code", clientId, userId, scopes: ["api"] });
  const { access_token } = await issueAccessToken({ grantId, subject: userId, clientId, scopes: ["api"] });
  return { token: access_token, grantId, clientId };
}
