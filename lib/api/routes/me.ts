import { z } from "zod";
import { presentPause, publishingPauseNow } from "../../schedules";
import { deleteUser, getOwnUser } from "../../users";
import { jsonDownload } from "../body";
import { exportText } from "../export";
import { route } from "../route";
import {
  AccountGroupView,
  AccountView,
  AllowedApplicationView,
  ChatView,
  EventView,
  FeedbackView,
  FeedView,
  ImportView,
  MediaView,
  NotificationsView,
  pauseFields,
  QueueView,
  ScheduleView,
  sixDigitTime,
  WebhookView,
} from "../shapes";
import { usageOf } from "../usage";
import {
  accountExample,
  accountGroupExample,
  allowedApplicationExample,
  chatExample,
  EXAMPLE_OWNER,
  eventExample,
  feedbackExample,
  feedExample,
  importJobExample,
  mediaExample,
  publishedScheduleExample,
  queueExample,
  webhookExample,
} from "./examples";

const { isCurrent: _, ...said } = feedbackExample;

export const getMeRoute = route({
  method: "get",
  path: "/v1/me",
  summary: "Get the user that the call is for",
  scope: "accounts.read",
  answers: {
    200: z
      .object({
        id: z.uuid(),
        email: z.string().optional(),
        name: z.string(),
        role: z.enum(["user", "staff"]),
        ...pauseFields,
      })
      .meta({ id: "User" }),
  },
  examples: [{ answer: { id: EXAMPLE_OWNER, email: "alice@example.com", name: "Alice", role: "user" } }],
  async handle({ caller }) {
    const { id, email, name, role } = caller.session?.user ?? (await getOwnUser(caller.ownerId));
    const pause = presentPause(await publishingPauseNow());
    return Response.json({ id, ...(email ? { email } : {}), name, role, ...pause });
  },
});

const Used = z.object({ used: z.number().int(), limit: z.number().int() });

export const getUsageRoute = route({
  method: "get",
  path: "/v1/me/usage",
  summary: "Get the user's usage and limits",
  description: "A request that would exceed a limit answers 409.",
  scope: "accounts.read",
  answers: {
    200: z
      .object({
        mediaBytes: Used.meta({ description: "Bytes of stored files and of open upload grants" }),
        publicationsToday: Used.meta({
          description:
            "Posts planned for or retried on the current day in UTC, counted once per account. The limit applies to every day; drafts do not count.",
        }),
      })
      .meta({ id: "Usage" }),
  },
  examples: [
    {
      answer: {
        mediaBytes: { used: 73_400_320, limit: 21_474_836_480 },
        publicationsToday: { used: 4, limit: 10_000 },
      },
    },
  ],
  async handle({ caller }) {
    return Response.json(await usageOf(caller.ownerId));
  },
});

export const exportMeRoute = route({
  method: "get",
  path: "/v1/me/export",
  summary: "Export everything stored about the user",
  description:
    "The answer is streamed, so it has no `Content-Length`. If something fails on the way, the connection breaks, and the incomplete export is not valid JSON.",
  scope: "account",
  needsFreshSession: true,
  answers: {
    200: z.object({
      user: z.object({
        id: z.uuid(),
        name: z.string(),
        email: z.string().optional(),
        externalUserId: z
          .string()
          .optional()
          .meta({ description: "For a partner's user: the partner's own identifier" }),
        createdTime: sixDigitTime,
      }),
      notifications: NotificationsView,
      mails: z
        .array(z.object({ kind: z.string(), state: z.string(), createdTime: sixDigitTime }))
        .meta({ description: "Emails to the user in the last 90 days, without their texts" }),
      accounts: z.array(AccountView.extend({ chats: z.array(ChatView), queue: QueueView })),
      accountGroups: z.array(AccountGroupView),
      feeds: z.array(FeedView),
      media: z.array(MediaView),
      imports: z.array(ImportView),
      webhooks: z.array(WebhookView),
      events: z.array(EventView),
      applications: z.array(
        z.object({
          clientId: z.string(),
          name: z.string(),
          redirectUris: z.array(z.string()),
          createdTime: sixDigitTime,
        }),
      ),
      allowedApplications: z.array(AllowedApplicationView),
      grants: z
        .array(
          z.object({
            name: z.string().optional(),
            scopes: z.array(z.string()),
            createdTime: sixDigitTime,
            endTime: sixDigitTime.optional(),
          }),
        )
        .meta({ description: "Personal access tokens of the user" }),
      requests: z
        .array(
          z.object({
            requestId: z.uuid(),
            time: sixDigitTime,
            method: z.string(),
            path: z.string(),
            status: z.number().int(),
          }),
        )
        .meta({ description: "API requests for the user in the last seven days, without bodies" }),
      feedback: z
        .array(FeedbackView.omit({ isCurrent: true }).extend({ postingScheduleId: z.number().int() }))
        .meta({ description: "Feedback on the user's posts from people with a review link" }),
      posts: z.array(ScheduleView),
    }),
  },
  examples: [
    {
      answer: {
        user: { id: EXAMPLE_OWNER, name: "Alice", email: "alice@example.com", createdTime: accountExample.createdTime },
        notifications: {
          email: { postPublished: true, postFailed: true, accountReconnect: true, webhookDisabled: true },
        },
        mails: [{ kind: "postPublished", state: "SENT", createdTime: accountExample.createdTime }],
        accounts: [
          { ...accountExample, chats: [], queue: queueExample },
          { ...accountExample, id: 44, platform: "TELEGRAM", chats: [chatExample], queue: { slots: [] } },
        ],
        accountGroups: [accountGroupExample],
        feeds: [feedExample],
        media: [mediaExample],
        imports: [importJobExample],
        webhooks: [webhookExample],
        events: [eventExample],
        applications: [
          {
            clientId: "q3J0Vw1mB2xZ8sT6yK4nRg",
            name: "Planner",
            redirectUris: ["https://planner.example/callback"],
            createdTime: accountExample.createdTime,
          },
        ],
        allowedApplications: [allowedApplicationExample],
        grants: [{ name: "Nightly report", scopes: ["posts.read"], createdTime: accountExample.createdTime }],
        requests: [
          {
            requestId: "5d6c1a3e-2f0b-4c57-9a41-7d9e8f6b2c10",
            time: accountExample.createdTime,
            method: "GET",
            path: "/v1/posts?limit",
            status: 200,
          },
        ],
        feedback: [{ postingScheduleId: 1007, ...said }],
        posts: [publishedScheduleExample],
      },
    },
  ],
  async handle({ caller }) {
    return jsonDownload("carillon-export.json", await exportText(await getOwnUser(caller.ownerId)));
  },
});

export const deleteMeRoute = route({
  method: "delete",
  path: "/v1/me",
  summary: "Delete the user and all their data",
  description:
    "Answers at once and deletes in the background. Until that has finished, other calls answer 409. Afterwards the token is invalid (401). Nothing more is sent to networks.",
  scope: "account",
  needsFreshSession: true,
  answers: { 202: "Deletion has started" },
  examples: [{}],
  async handle({ caller }) {
    await deleteUser(caller.ownerId);
    return new Response(null, { status: 202 });
  },
});
