import { z } from "zod";
import { connectableNetwork, connectUrl, createConnectSession, originProblem, partnerPlatforms } from "../../connect";
import { databaseNow } from "../../db";
import { AccessDenied, BadRequest } from "../../errors";
import {
  getConnectUser,
  listConnectUsers,
  partnerRedirectProblem,
  presentConnectUser,
  provisionConnectUser,
} from "../../partners";
import { withSixDigits } from "../../time/instant";
import { BeingDeleted, deleteUser } from "../../users";
import { connectUserId } from "../caller";
import { cursorParam, limitParam, presentPage, TimeCursor } from "../page";
import { route } from "../route";
import { ConnectUserList, ConnectUserView } from "../shapes";
import { sixDigitTime } from "../shapes/common";
import { connectHeaderExample, connectUserExample } from "./examples";

const PartnerPlatform = z.enum(partnerPlatforms);

/** Whether `X-Connect-External-User-Id` can carry the text: HTTP removes spaces and tabs around a value (RFC 9110, section 5.5). */
const fitsHeader = (text: string) => !/\p{Cc}/u.test(text) && !text.startsWith(" ") && !text.endsWith(" ");

/** Checked in the schema, so that its problem is reported together with all others. */
const RedirectUri = z
  .string()
  .superRefine((uri, context) => {
    const message = partnerRedirectProblem(uri);
    if (message) context.addIssue({ code: "custom", message });
  })
  .meta({
    description:
      "Where the browser goes in the end: https, http on a loopback host, or a deep link. At most 2,048 characters",
  });

const deleting = { status: 409, when: "The user is being deleted", error: new BeingDeleted().message };

export const provisionConnectUserRoute = route({
  method: "post",
  path: "/v1/connect/users",
  summary: "Provision a customer",
  scope: "partner",
  body: z.strictObject({
    externalUserId: z
      .string()
      .min(1)
      .max(255)
      .refine(fitsHeader, "must not have control characters, and must not begin or end with a space")
      .meta({
        description:
          "The partner's own identifier: 1 to 255 characters, without control characters, and without a space at the beginning or end",
        pattern:
          "^[^\\u0000-\\u0020\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f]*[^\\u0000-\\u0020\\u007f-\\u009f])?$",
      }),
    name: z.string().trim().min(1).max(255).optional().meta({ description: "Required the first time" }),
    email: z
      .email("must be an email address")
      .max(254)
      .optional()
      .meta({ description: "For the partner's own use. Carillon sends nothing to it" }),
  }),
  description:
    "The first call creates the user. Later calls return the same user and update `name` and `email` if given, so the call can be repeated safely.",
  answers: { 200: ConnectUserView },
  errorResponses: [
    {
      status: 400,
      when: "A field is missing or invalid",
      error: "name cannot be null when a user is provisioned for the first time",
    },
    deleting,
  ],
  examples: [
    { body: { externalUserId: "customer-42", name: "Ada", email: "ada@example.com" }, answer: connectUserExample },
  ],
  async handle({ partner, body }) {
    return Response.json(presentConnectUser(await provisionConnectUser(partner.id, body)));
  },
});

export const listConnectUsersRoute = route({
  method: "get",
  path: "/v1/connect/users",
  summary: "List the partner's customers, newest first",
  scope: "partner",
  query: z.object({ limit: limitParam, cursor: cursorParam(TimeCursor) }),
  answers: { 200: ConnectUserList },
  examples: [{ query: { limit: "20" }, answer: { items: [connectUserExample], nextCursor: null } }],
  async handle({ partner, query: { limit, cursor } }) {
    return Response.json(presentPage(await listConnectUsers(partner.id, { limit, after: cursor }), presentConnectUser));
  },
});

const UuidParam = z.object({ uuid: z.string().meta({ description: "The `uuid` from provisioning" }) });
const ONE = { uuid: connectUserExample.uuid };

export const getConnectUserRoute = route({
  method: "get",
  path: "/v1/connect/users/{uuid}",
  summary: "Get a customer",
  scope: "partner",
  params: UuidParam,
  answers: { 200: ConnectUserView },
  errorResponses: [deleting],
  examples: [{ params: ONE, answer: connectUserExample }],
  async handle({ partner, params }) {
    const user = await getConnectUser(partner.id, params);
    if (user.deleting) throw new BeingDeleted();
    return Response.json(presentConnectUser(user));
  },
});

export const deleteConnectUserRoute = route({
  method: "delete",
  path: "/v1/connect/users/{uuid}",
  summary: "Delete a customer and all their data",
  description:
    "Answers at once and deletes in the background. Until that has finished, other calls for the user answer 409, and afterwards 404. Nothing more is sent to networks.",
  scope: "partner",
  params: UuidParam,
  answers: { 202: "Deletion has started" },
  errorResponses: [deleting],
  examples: [{ params: ONE }],
  async handle({ partner, params }) {
    await deleteUser((await getConnectUser(partner.id, params)).id);
    return new Response(null, { status: 202 });
  },
});

export const authorizeUrlRoute = route({
  method: "post",
  path: "/v1/connect/authorize-url",
  summary: "Create a short-lived link to the connect bridge",
  scope: "partner",
  description:
    "Open the link in the user's browser. Carillon sends the person to the network's consent page, stores the tokens and redirects to `redirectUri` without adding anything to it. The link works once, for a few minutes.",
  forUser: true,
  headers: z.object({ "x-api-key": z.string().meta({ description: "The partner's client ID" }) }),
  body: z.strictObject({
    platform: PartnerPlatform.meta({ description: "The network to connect" }),
    redirectUri: RedirectUri,
  }),
  answers: { 200: z.url().meta({ description: "The link, as a JSON string" }) },
  errorResponses: [
    {
      status: 400,
      when: "A field or `x-api-key` is missing or invalid, or the network cannot be connected",
      error: "x-api-key cannot be null",
    },
    { status: 403, when: "`x-api-key` is not the client ID of the calling partner", error: new AccessDenied().message },
  ],
  examples: [
    {
      headers: { ...connectHeaderExample, "x-api-key": "W0bR2m6mJm8m3l2Qe0u1xw" },
      body: { platform: "INSTAGRAM", redirectUri: "https://acme.example/connected" },
      answer: "https://carillon.example/oauth/connect?whitelabel_state=v1.4f2a9c.eyJqdGkiOiI.c2lnbmF0dXJl",
    },
  ],
  async handle({ partner, body, request }) {
    const key = request.headers.get("x-api-key");
    if (!key) throw new BadRequest("x-api-key cannot be null");
    if (key !== partner.clientId) throw new AccessDenied();
    const owner = await connectUserId(partner.id, request.headers);
    connectableNetwork(body.platform);
    const url = connectUrl(
      { client: partner.clientId, owner, platform: body.platform, redirectUri: body.redirectUri },
      await databaseNow(),
    );
    return Response.json(url);
  },
});

const Origin = z.string().superRefine((origin, context) => {
  const message = originProblem(origin);
  if (message) context.addIssue({ code: "custom", message });
});

const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #0b655c")
  .optional();

const Appearance = z.strictObject({
  theme: z.enum(["auto", "light", "dark"]).optional().meta({ description: "`auto`, the default, follows the browser" }),
  accent: Colour.meta({ description: "The colour of buttons and links, with a contrast of at least 4.5 (WCAG 2.2)" }),
  accentDark: Colour.meta({
    description: "The same in the dark theme. By default, `accent` is made lighter as needed",
  }),
  cornerRadius: z.number().int().min(0).max(24).optional().meta({ description: "Of buttons and rows, in pixels" }),
  font: z
    .enum(["carillon", "system"])
    .optional()
    .meta({ description: "`system` uses the font of the person's device" }),
  background: z
    .enum(["page", "transparent"])
    .optional()
    .meta({ description: "`transparent` shows the background of your page" }),
});

export const createConnectSessionRoute = route({
  method: "post",
  path: "/v1/connect/sessions",
  summary: "Create a session for a list of accounts or webhooks in your page",
  scope: "partner",
  description:
    "Pass `clientToken` to `<carillon-connect>` or `<carillon-webhooks>` in your page (docs/connect-embedded.md). The token works once, and the session ends after ten minutes. Only pages of `origins` can show it.",
  forUser: true,
  body: z.strictObject({
    shows: z.enum(["accounts", "webhooks"]).optional().meta({
      description:
        "`accounts`, the default, is for `<carillon-connect>`. `webhooks` is for `<carillon-webhooks>`: the user can then change all of their webhooks",
    }),
    origins: z
      .array(Origin)
      .min(1)
      .max(10)
      .meta({ description: "The origins of the pages that show it, such as `https://app.example.com`" }),
    networks: z
      .array(PartnerPlatform)
      .min(1)
      .max(partnerPlatforms.length)
      .optional()
      .meta({ description: "The networks that a list of accounts offers. By default, all that are set up" }),
    appearance: Appearance.optional().meta({ description: "How it looks. By default, as your connect pages" }),
  }),
  answers: {
    201: z.object({
      id: z.uuid().meta({ description: "Identifies the session" }),
      clientToken: z.string().meta({ description: "For your page. It works once" }),
      expiresTime: sixDigitTime.meta({ description: "When the session ends" }),
    }),
  },
  errorResponses: [
    {
      status: 400,
      when: "A field is missing or invalid, or a network cannot be connected",
      error: "origins[0] must be https (http only on a loopback host)",
    },
  ],
  examples: [
    {
      headers: connectHeaderExample,
      body: {
        origins: ["https://app.acme.example"],
        networks: ["INSTAGRAM", "LINKEDIN"],
        appearance: { accent: "#0b5f57" },
      },
      answer: {
        id: "0b7f6a52-3a0e-4f0e-9a63-52fb2d9f3c11",
        clientToken: "0b7f6a52-3a0e-4f0e-9a63-52fb2d9f3c11.Zt3vPq0c7Yl1sXn5bR8wKd2mHf6gJa9uTe4iOo1pLxE",
        expiresTime: "2026-11-24T09:10:00.000000",
      },
    },
  ],
  async handle({ partner, body, request }) {
    const owner = await connectUserId(partner.id, request.headers);
    const { id, clientToken, expiresAt } = await createConnectSession(owner, body);
    return Response.json({ id, clientToken, expiresTime: withSixDigits(expiresAt) }, { status: 201 });
  },
});
