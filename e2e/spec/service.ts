import { randomBytes } from "node:crypto";
import { test as base, expect } from "playwright/test";
import sharp from "sharp";
import { type OwnProduct, startProduct } from "../setup/product";
import { openBrowser } from "./browser";
import { type Api, apiOf, type Fields, fileForm } from "./client";
import { type FileServer, startFileServer } from "./files";
import type { Account, ConnectUser, Schedule, Tokens } from "./shapes";

/** A person or end user with an API client. */
export type User = { api: Api; headers: Fields; account(platform: string): Account };
export type ConnectedUser = User & { uuid: string; externalUserId: string };
export type Partner = { clientId: string; clientSecret: string; token: string; api: Api };

/** The running product with credentials from the command line. What only some files need is created on demand. */
export type Service = {
  url: string;
  sandboxUrl: string;
  product: OwnProduct;
  files: FileServer;
  /** A client without credentials. */
  anybody: Api;
  partner: Partner;
  otherPartner(): Promise<Partner>;
  /** A person with a personal token of all scopes. */
  person: User & { email: string; password: string };
  /** A person with an account on this platform, created once. */
  on(platform: string): Promise<On>;
  /** Creates a user of the partner with a new account on each of these platforms. */
  user(...platforms: string[]): Promise<ConnectedUser>;
};
export type On = { api: Api; account: Account };

export const PASSWORD = "a long password";
export const unique = (word = "t") => `${word}${randomBytes(5).toString("hex")}`;

/** One product for all files of a Playwright worker. */
export const test = base.extend<object, { service: Service }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from this pattern
    async ({}, use) => {
      const files = await startFileServer();
      const product = await startProduct({ env: { EGRESS_ALLOW: files.allowed } });
      try {
        await use(await serviceOf(product, files));
      } finally {
        await product.stop();
        await files.close();
      }
    },
    { scope: "worker", timeout: 240_000 },
  ],
});
export { expect };

async function serviceOf(product: OwnProduct, files: FileServer): Promise<Service> {
  const { url } = product;
  const email = `${unique("ada")}@example.com`;
  const [partner, person] = await Promise.all([newPartner(product, "Acme"), newPerson(product, email)]);
  const user = (...platforms: string[]) => newUser(url, partner, platforms);
  const connected = new Map<string, Promise<On>>();
  let other: Promise<Partner> | undefined;
  return {
    url,
    sandboxUrl: product.sandboxUrl,
    product,
    files,
    anybody: apiOf(url),
    partner,
    otherPartner() {
      other ??= newPartner(product, "Other");
      return other;
    },
    person,
    on(platform) {
      const found = connected.get(platform) ?? newPersonOn(product, platform, person, user);
      connected.set(platform, found);
      return found;
    },
    user,
  };
}

/** The platforms that partners connect through the bridge (SPEC, "Partner (connect) endpoints", rule 2). */
export const BRIDGED = ["INSTAGRAM", "FACEBOOK", "YOUTUBE", "TIKTOK", "X_TWITTER", "LINKEDIN", "THREADS"];

/** Connects a new account. Platforms that partners cannot connect are connected for the person of the service. */
export async function newPersonOn(
  product: OwnProduct,
  platform: string,
  person: Service["person"],
  user: Service["user"],
): Promise<On> {
  if (BRIDGED.includes(platform)) {
    const one = await user(platform);
    return { api: one.api, account: one.account(platform) };
  }
  const of = ["--user", person.email, "--platform", platform, "--person", unique("p")];
  const account = await product.carillon("accounts", "connect-sandbox", ...of);
  return { api: person.api, account: account as Account };
}

async function newPerson(product: OwnProduct, email: string): Promise<Service["person"]> {
  await product.carillon("users", "create", "--email", email, "--password", PASSWORD);
  const issued = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
  return { ...userOf(product.url, bearer(issued.access_token), []), email, password: PASSWORD };
}

export const bearer = (token: string): Fields => ({ authorization: `Bearer ${token}` });

/** Creates a partner and gets a token with its client credentials. */
export async function newPartner(product: OwnProduct, name: string): Promise<Partner> {
  const made = (await product.carillon("partners", "create", "--name", name)) as Omit<Partner, "token" | "api">;
  const { body } = await apiOf(product.url).post<Tokens>("/oauth/token", {
    grant_type: "client_credentials",
    client_id: made.clientId,
    client_secret: made.clientSecret,
    audience: product.url,
  });
  return { ...made, token: body.access_token, api: apiOf(product.url, bearer(body.access_token)) };
}

function userOf(url: string, headers: Fields, accounts: Account[]): User {
  return {
    api: apiOf(url, headers),
    headers,
    account(platform) {
      const account = accounts.find((one) => one.platform === platform);
      if (!account) throw new Error(`this user has no ${platform} account`);
      return account;
    },
  };
}

async function newUser(url: string, partner: Partner, platforms: string[]): Promise<ConnectedUser> {
  const externalUserId = unique("user ");
  const { body } = await partner.api.post<ConnectUser>("/v1/connect/users", { externalUserId, name: "Bea" });
  const headers = { ...bearer(partner.token), "x-connect-user-id": body.uuid };
  for (const platform of platforms) {
    const end = await connect(url, partner, headers, platform, unique("p"));
    expect(end.address).toBe(RETURN);
  }
  const { body: accounts } = await apiOf(url, headers).get<Account[]>("/v1/accounts");
  return { ...userOf(url, headers, accounts), uuid: body.uuid, externalUserId };
}

export const RETURN = "https://partner.example/connected?kept=%2Fas%20is";

/** Opens a connect link and allows it on the network's page. Returns the final address, or the page on which it ended. */
export async function connect(url: string, partner: Partner, identity: Fields, platform: string, person: string) {
  const headers = { ...identity, "x-api-key": partner.clientId };
  const input = { platform, redirectUri: RETURN };
  const { status, body } = await apiOf(url, bearer(partner.token)).post<string>(
    "/v1/connect/authorize-url",
    input,
    headers,
  );
  if (status !== 200) throw new Error(`no connect link: ${JSON.stringify(body)}`);
  return openBrowser().follow(body, RETURN, { account: person, decision: "allow" });
}

/** A JPEG of a random colour. */
export function picture(width = 400, height = 400): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .jpeg()
    .toBuffer();
}

/** Uploads a picture and returns its storage key. */
export async function upload(api: Api, bytes?: Uint8Array, filename = "picture.jpg"): Promise<string> {
  const file = fileForm(bytes ?? (await picture()), filename);
  const { status, body } = await api.send<{ path: string }>("POST", "/v1/media/upload", { body: file });
  expect(status).toBe(200);
  return body.path;
}

/** The posts on a sandbox network that contain a text, in order of arrival. */
export async function ledger(service: Service, network: string, text: string) {
  type Held = {
    id: string;
    account: string;
    text: string;
    media: { type: string }[];
    replyTo?: string;
    permalink: string;
  };
  const { body } = await apiOf(service.sandboxUrl).get<Held[]>(`/_control/posts?network=${network}`);
  return body.filter((post) => post.text.includes(text));
}

/** Waits until the schedule is in this state and returns it. */
export async function until(api: Api, id: number, state: string): Promise<Schedule> {
  const read = async () => (await api.get<Schedule>(`/v1/posts/${id}`)).body;
  await expect.poll(async () => (await read()).overallStatus, { intervals: [100, 200] }).toBe(state);
  return read();
}

export const soon = (seconds = 86_400) => new Date(Date.now() + seconds * 1000).toISOString();

/** One publication on X. */
export function onX({ id }: Account, content = unique("text "), post: object = {}) {
  return { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content, ...post }] };
}
