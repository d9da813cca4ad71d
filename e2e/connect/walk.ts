import { type Browser, openBrowser } from "../spec/browser";
import { apiOf, type Fields } from "../spec/client";
import { bearer, type ConnectedUser, type Partner, type Service, unique } from "../spec/service";
import type { Account } from "../spec/shapes";

/** The platforms that partners can connect (SPEC), with the network's name in the sandbox and on pages. */
export const NETWORKS = [
  { platform: "X_TWITTER", id: "x", name: "X" },
  { platform: "INSTAGRAM", id: "instagram", name: "Instagram" },
  { platform: "FACEBOOK", id: "facebook", name: "Facebook" },
  { platform: "YOUTUBE", id: "youtube", name: "YouTube" },
  { platform: "TIKTOK", id: "tiktok", name: "TikTok" },
  { platform: "LINKEDIN", id: "linkedin", name: "LinkedIn" },
  { platform: "THREADS", id: "threads", name: "Threads" },
] as const;

export type ForNetwork = (typeof NETWORKS)[number];

/** One redirectUri of each kind, each with characters that a careless program would rewrite. */
export const RETURNS = {
  "a web address": "https://Partner.Example/connected/../done?kept=%2fas%20is&a=b+c#Part",
  "a loopback address": "http://127.0.0.1:9/done?x=%7E",
  "a deep link": "com.acme.app:/Done?x=%7e&y=a%20b#part",
  "a deep link with a host": "acmeplanner://Connected?x=1",
} as const;

const RETURN = RETURNS["a web address"];

export type Visit = { url: string; status: number; headers: Headers; html: string };

/** Opens an address in a browser without following redirects. */
export async function visit(
  browser: Browser,
  url: string,
  init: { headers?: Fields; method?: string } = {},
): Promise<Visit> {
  const answer = await browser.open(url, init);
  return { url, status: answer.status, headers: answer.headers, html: await answer.text() };
}

/** A connect link for one of the partner's users. */
export async function linkFor(
  { url, partner }: { url: string; partner: Partner },
  user: Pick<ConnectedUser, "uuid">,
  platform: string,
  redirectUri: string = RETURN,
): Promise<string> {
  const headers = { ...bearer(partner.token), "x-api-key": partner.clientId, "x-connect-user-id": user.uuid };
  const answer = await apiOf(url, headers).post<string>("/v1/connect/authorize-url", { platform, redirectUri });
  if (answer.status !== 200) throw new Error(`no connect link: ${answer.text}`);
  return answer.body;
}

type WalkOptions = {
  redirectUri?: string;
  person?: string;
  decision?: "allow" | "deny";
  user?: ConnectedUser;
  /** Changes the address of the network's page before it is opened. */
  authorize?: (url: URL) => void;
  /** Further fields of the consent form. */
  fields?: Fields;
};

export type Walk = {
  service: Service;
  user: ConnectedUser;
  person: string;
  browser: Browser;
  link: string;
  opened: Visit;
  /** The address of the network's page to which the bridge redirected. */
  authorizeUrl: URL;
  /** The callback address to which the network redirected. */
  callback: string;
  accounts(): Promise<Account[]>;
};

/** Opens a new link and decides on the network's page. The callback is not opened yet. */
export async function walkTo(
  service: Service,
  { platform }: Pick<ForNetwork, "platform">,
  options: WalkOptions = {},
): Promise<Walk> {
  const user = options.user ?? (await service.user());
  const link = await linkFor(service, user, platform, options.redirectUri);
  return continueWith(service, user, link, options);
}

export async function continueWith(
  service: Service,
  user: ConnectedUser,
  link: string,
  options: WalkOptions = {},
): Promise<Walk> {
  const browser = openBrowser();
  const person = options.person ?? unique("p");
  const opened = await visit(browser, link);
  const authorizeUrl = new URL(opened.headers.get("location") ?? "about:blank");
  const asked = new URL(authorizeUrl);
  options.authorize?.(asked);
  const callback = await decide(browser, asked.href, {
    account: person,
    decision: options.decision ?? "allow",
    ...options.fields,
  });
  const accounts = async () => (await user.api.get<Account[]>("/v1/accounts")).body;
  return { service, user, person, browser, link, opened, authorizeUrl, callback, accounts };
}

/** Submits the network's consent form and returns the address of its redirect. */
export async function decide(browser: Browser, authorizeUrl: string, fields: Fields): Promise<string> {
  const form = await visit(browser, authorizeUrl);
  const answer = await browser.submit(form, fields);
  const location = answer.headers.get("location");
  if (!location) throw new Error(`the network's page returned ${answer.status}: ${await answer.text()}`);
  return location;
}

/** The callback with a parameter changed, or removed if there is no value. */
export function changed(callback: string, parameter: string, value?: string): string {
  const url = new URL(callback);
  if (value === undefined) url.searchParams.delete(parameter);
  else url.searchParams.set(parameter, value);
  return url.href;
}

/** How many token requests the network has received. */
export async function exchanges({ sandboxUrl }: Service, id: string): Promise<number> {
  const { body } = await apiOf(sandboxUrl).get<{ operation: string }[]>(`/_control/calls?network=${id}`);
  return body.filter(({ operation }) => operation === "token").length;
}

export async function fault(service: Service, network: string, operation: string, kind: string): Promise<void> {
  const { status, text } = await apiOf(service.sandboxUrl).post("/_control/faults", {
    ...{ network, operation, fault: kind, times: 1 },
  });
  if (status !== 204) throw new Error(`no fault: ${text}`);
}

export async function noFaults(service: Service): Promise<void> {
  await apiOf(service.sandboxUrl).delete("/_control/faults");
}

/** The address of a button on a page, if the page has one. */
export function button(html: string, label: string): string | undefined {
  const found = [...html.matchAll(/<a class="button[^"]*" href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].find(
    ([, , text]) => text === label,
  );
  return found?.[1]?.replaceAll("&amp;", "&");
}
