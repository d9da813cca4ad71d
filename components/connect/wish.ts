import { randomUUID } from "node:crypto";
import { z } from "zod";
import { connectable, dashboardReturn, popupReturn } from "@/lib/connect";
import { env } from "@/lib/env";
import { AccessDenied, BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { isOffered, type Network, networkOf } from "@/lib/networks";
import { type Platform, platformValues } from "@/lib/platforms";
import { sessionUser } from "@/lib/users";
import type { AccountPage } from "./account-page";

/** What a form of the dashboard asks for: `platform`, from our own page only; `window=popup` for one that closes itself. */
export type DashboardWish = {
  wish: { jti: string; owner: string; platform: Platform; redirectUri: string };
  network: Network;
  /** Whose account, where the form says so. */
  account: string;
  password: string;
  form: URLSearchParams;
};

/** @throws AccessDenied for another site's form and for a suspended person; undefined where nobody is signed in */
export async function readWish(request: Request): Promise<DashboardWish | undefined> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) throw new AccessDenied();
  const user = await sessionUser(request.headers);
  if (!user) return undefined;
  if (user.suspended || user.deleting) throw new AccessDenied();
  const form = await readForm(request);
  const platform = platformValues.find((value) => value === form?.get("platform"));
  if (!platform) throw new BadRequest(`platform must be one of ${platformValues.join(", ")}`);
  const isPopup = form?.get("window") === "popup";
  return {
    wish: { jti: ticketOf(form), owner: user.id, platform, redirectUri: isPopup ? popupReturn() : dashboardReturn() },
    network: connectable(platform),
    account: form?.get("account")?.trim().slice(0, 300) ?? "",
    password: form?.get("password") ?? "",
    form: form ?? new URLSearchParams(),
  };
}

const CARRIED = ["ticket", "window"];

/** The page that asks for a name, with what the form before it asked for. */
export function namePath({ wish, form, account }: DashboardWish): string {
  const carried = CARRIED.flatMap((name) => (form.get(name) ? [[name, form.get(name) ?? ""]] : []));
  const query = new URLSearchParams([
    ["platform", wish.platform],
    ...carried,
    ...(account ? [["account", account]] : []),
  ]);
  return `/accounts/name?${query}`;
}

/** What the page that asks for a name shows; undefined where a network asks for none, or there is no such one here. */
export function askedAbout(given: URLSearchParams): AccountPage | undefined {
  const platform = platformValues.find((value) => value === given.get("platform"));
  const network = platform && isOffered(platform) ? networkOf(platform) : undefined;
  if (!platform || network?.connect.kind !== "oauth" || !network.connect.account) return undefined;
  const { account, password } = network.connect;
  const carried = Object.fromEntries(
    CARRIED.flatMap((name) => (given.get(name) ? [[name, (given.get(name) ?? "").slice(0, 100)]] : [])),
  );
  const typed = (given.get("account") ?? "").slice(0, 300);
  return { network: network.name, platform, account, password, carried, typed };
}

/** The id under which the page that sent the form asks what became of the link; one that nobody knows where it sent none. */
function ticketOf(form: URLSearchParams | undefined): string {
  const ticket = form?.get("ticket") ?? "";
  return z.uuid().safeParse(ticket).success ? ticket : randomUUID();
}

/** A person who is not signed in does that first, and finds the buttons again. */
export function toSignIn(): Response {
  return goTo(`${env.appUrl}/sign-in?callbackUrl=%2Faccounts`);
}

export function goTo(address: string): Response {
  return new Response(null, { status: 303, headers: { Location: address, "Cache-Control": "no-store" } });
}
