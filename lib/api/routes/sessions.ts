import { z } from "zod";
import { json } from "../../http/json";
import { withSixDigits } from "../../time/instant";
import { type ListedSession, listSessions, revokeOtherSessions, revokeSession } from "../../users";
import { route } from "../route";
import { SessionList } from "../shapes";

const ID = "0b8d5d0e-7f6a-4f0d-9a35-3c9f0a1f5f0c";

export const listSessionsRoute = route({
  method: "get",
  path: "/v1/me/sessions",
  summary: "List the user's sessions",
  description: "Sessions of the dashboard that have not ended, last used first. A partner's users have none.",
  scope: "account",
  answers: { 200: SessionList },
  examples: [
    {
      answer: {
        items: [
          {
            id: ID,
            userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            address: "203.0.113.7",
            createdTime: "2031-04-28T10:05:00.123456",
            lastUsedTime: "2031-04-28T11:00:00.654321",
            isCurrent: true,
          },
        ],
      },
    },
  ],
  async handle({ caller }) {
    const items = await listSessions(caller.ownerId);
    return json({ items: items.map((item) => presentSession(item, caller.session?.id)) });
  },
});

export const endSessionsRoute = route({
  method: "delete",
  path: "/v1/me/sessions",
  summary: "End the user's sessions",
  description: "Ends all sessions except the one that makes the call.",
  scope: "account",
  answers: { 204: "Ended" },
  examples: [{}],
  async handle({ caller }) {
    await revokeOtherSessions(caller.ownerId, caller.session?.id);
    return new Response(null, { status: 204 });
  },
});

export const endSessionRoute = route({
  method: "delete",
  path: "/v1/me/sessions/{id}",
  summary: "End a session",
  description: "The session is signed out with its next request.",
  scope: "account",
  params: z.object({ id: z.string().meta({ description: "The ID of the session" }) }),
  answers: { 204: "Ended" },
  errorResponses: [
    {
      status: 404,
      when: "It does not exist, or belongs to someone else; the answer is the same",
      error: `Session not found: ${ID}`,
    },
  ],
  examples: [{ params: { id: ID } }],
  async handle({ caller, params }) {
    await revokeSession(caller.ownerId, params.id);
    return new Response(null, { status: 204 });
  },
});

function presentSession({ createdAt, lastUsedAt, ...rest }: ListedSession, currentId: string | undefined) {
  const times = { createdTime: withSixDigits(createdAt), lastUsedTime: withSixDigits(lastUsedAt) };
  return { ...rest, ...times, isCurrent: rest.id === currentId };
}
