import { z } from "zod";
import { stableId } from "../core/ids";
import type { Call } from "../core/network";
import { fieldsOf, pick } from "../meta/fields";
import { refusals } from "./errors";
import { userOf } from "./session";
import { type Business, type FacebookState, type Page, pagesOf } from "./state";
import { listed, presentPage } from "./user";

const SCOPE = "business_management";

/** `GET /me/businesses`. */
export function businesses(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query(), SCOPE);
  const own = state.businesses.values().filter(({ account }) => account === session.account);
  return listed(call, own, ({ id }) => {
    const node = { id, name: `Business ${id}` };
    return pick(node, fieldsOf(call, ["id", "name"]), "Business");
  });
}

/** `GET /{business}/owned_pages` and `/client_pages`: all Pages that it has, whatever the person may do on them. */
export function businessPages(state: FacebookState, call: Call, which: "owned" | "clients"): Response {
  const session = userOf(state, call, call.req.query(), SCOPE);
  const id = call.req.param("id") ?? "";
  const business = state.businesses.get(id);
  if (business?.account !== session.account) throw refusals.noObject(id, "get");
  if (business.isLocked) throw refusals.noPermission(SCOPE);
  // What a person may do is a field of their own list only.
  if (fieldsOf(call, []).includes("tasks")) throw refusals.noField("tasks", "Page");
  return listed(call, business[which], (page) => presentPage(state, call, session, page));
}

const Opened = z.strictObject({ account: z.string(), isLocked: z.boolean().default(false) });

/**
 * Gives a person one more business: it owns the first and the last of their own Pages, one more that they manage and one that
 * they have no part in, and has a client's. Of a locked one nothing can be read.
 */
export function openBusiness(state: FacebookState, body: unknown): Response {
  const { account, isLocked } = Opened.parse(body);
  const number = state.businesses.values().filter((one) => one.account === account).length + 1;
  const business: Business = {
    id: idOf("business", account, number),
    account,
    isLocked,
    owned: [
      ...pagesOf(account).toSpliced(1, 1),
      { id: idOf("hall", account, number), name: `Hall ${number}`, tasks: ["ANALYZE", "CREATE_CONTENT"] },
      { id: idOf("vault", account, number), name: `Vault ${number}`, tasks: [] },
    ] satisfies Page[],
    clients: [{ id: idOf("client", account, number), name: `Client ${number}`, tasks: ["CREATE_CONTENT"] }],
  };
  state.businesses.put(business.id, business);
  return Response.json({ id: business.id });
}

function idOf(what: string, account: string, number: number): string {
  return stableId(["facebook", what, account, String(number)], 100_000_000_000_000n, 899_999_999_999_999n);
}
