import { z } from "zod";
import {
  createAccountGroup,
  deleteAccountGroup,
  listAccountGroups,
  presentAccountGroup,
  updateAccountGroup,
} from "../../accounts";
import { groupColours } from "../../db";
import { json } from "../../http/json";
import { route } from "../route";
import { AccountGroupView, IdParam, idOf } from "../shapes";
import { accountGroupExample } from "./examples";

const ID = { id: String(accountGroupExample.id) };
const BODY = { name: "Copenhagen shop", colour: "CORAL", accountIds: [42, 43] };

const MOST_CHARACTERS = 60;
const MOST_ACCOUNTS = 1_000;

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(MOST_CHARACTERS)
    .meta({ description: "Unique among the user's groups, ignoring case" }),
  colour: z.enum(groupColours),
  accountIds: z
    .array(z.number().int())
    .max(MOST_ACCOUNTS)
    .meta({ description: "Accounts of the user. An account can be in several groups" }),
};

const taken = "There is already an account group with this name";

export const listAccountGroupsRoute = route({
  method: "get",
  path: "/v1/account-groups",
  summary: "List the user's account groups, oldest first",
  scope: "accounts.read",
  answers: { 200: z.array(AccountGroupView) },
  examples: [{ answer: [accountGroupExample] }],
  async handle({ caller }) {
    return json((await listAccountGroups(caller.ownerId)).map(presentAccountGroup));
  },
});

export const createAccountGroupRoute = route({
  method: "post",
  path: "/v1/account-groups",
  summary: "Create an account group",
  scope: "api",
  description: "At most 100 groups. Disconnecting an account removes it from its groups.",
  body: z.strictObject({ ...fields, accountIds: fields.accountIds.default([]) }),
  answers: { 201: AccountGroupView },
  errorResponses: [
    {
      status: 400,
      when: "A field is missing or invalid",
      error: "name must have at least 1 character that is not white space; colour cannot be null",
    },
    { status: 409, when: "There are 100 groups already, or the name is taken", error: taken },
  ],
  examples: [{ body: BODY, answer: accountGroupExample }],
  async handle({ caller, body }) {
    return Response.json(presentAccountGroup(await createAccountGroup(caller.ownerId, body)), { status: 201 });
  },
});

export const updateAccountGroupRoute = route({
  method: "patch",
  path: "/v1/account-groups/{id}",
  summary: "Change an account group",
  scope: "api",
  description: "Fields that are absent do not change. `accountIds` replaces all accounts of the group.",
  params: IdParam,
  body: z.strictObject(fields).partial(),
  answers: { 200: AccountGroupView },
  errorResponses: [
    { status: 400, when: "A field is invalid", error: "colour must be GOLD, CORAL, TEAL, BLUE, VIOLET or GREY" },
    { status: 409, when: "The name is taken", error: taken },
  ],
  examples: [{ params: ID, body: BODY, answer: accountGroupExample }],
  async handle({ caller, params, body }) {
    return json(presentAccountGroup(await updateAccountGroup(caller.ownerId, idOf("Account group", params.id), body)));
  },
});

export const deleteAccountGroupRoute = route({
  method: "delete",
  path: "/v1/account-groups/{id}",
  summary: "Delete an account group and keep its accounts",
  scope: "api",
  params: IdParam,
  answers: { 204: "Deleted" },
  examples: [{ params: ID }],
  async handle({ caller, params }) {
    await deleteAccountGroup(caller.ownerId, idOf("Account group", params.id));
    return new Response(null, { status: 204 });
  },
});
