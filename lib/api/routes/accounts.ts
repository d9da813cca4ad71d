import { z } from "zod";
import {
  disconnectAccount,
  getAccount,
  listAccounts,
  listDestinations,
  presentAccount,
  presentDestination,
} from "../../accounts";
import { db } from "../../db";
import { platformValues } from "../../platforms";
import { route } from "../route";
import { AccountView, ChatView, IdParam, idOf } from "./shapes";

export const listAccountsRoute = route({
  method: "get",
  path: "/v1/accounts",
  summary: "The user's connected accounts",
  scope: "accounts.read",
  answers: { 200: z.array(AccountView) },
  async handle({ caller }) {
    return Response.json((await listAccounts(caller.ownerId)).map(presentAccount));
  },
});

export const listChatsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/chats",
  summary: "Where an account can publish to: channels, Pages or boards",
  scope: "accounts.read",
  params: IdParam,
  query: z.object({ platform: z.enum(platformValues) }),
  answers: { 200: z.array(ChatView) },
  async handle({ caller, params, query }) {
    const account = await getAccount(caller.ownerId, idOf("Account", params.id));
    const destinations = await listDestinations(account, query.platform);
    return Response.json(destinations.map((destination) => presentDestination(account.platform, destination)));
  },
});

export const disconnectAccountRoute = route({
  method: "delete",
  path: "/v1/accounts/{id}",
  summary: "Disconnects an account; its tokens are erased at once",
  scope: "api",
  params: IdParam,
  answers: { 204: "Disconnected" },
  async handle({ caller, params }) {
    await db.transaction((tx) => disconnectAccount(tx, caller.ownerId, idOf("Account", params.id)));
    return new Response(null, { status: 204 });
  },
});
