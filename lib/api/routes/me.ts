import { z } from "zod";
import { deleteUser, getOwnUser } from "../../users";
import { exportOf } from "../export";
import { route } from "../route";
import { AccountView, ChatView, MediaView, ScheduleView } from "./shapes";

export const getMeRoute = route({
  method: "get",
  path: "/v1/me",
  summary: "The user whom the call is for: who is signed in, or the end-user whom a partner names",
  scope: "accounts.read",
  answers: {
    200: z.object({ id: z.string(), email: z.string().optional(), name: z.string(), role: z.enum(["user", "staff"]) }),
  },
  async handle({ caller }) {
    const { id, email, name, role } = caller.user ?? (await getOwnUser(caller.ownerId));
    return Response.json({ id, ...(email ? { email } : {}), name, role });
  },
});

export const exportMeRoute = route({
  method: "get",
  path: "/v1/me/export",
  summary: "Everything that is kept of the user, without tokens",
  scope: "api",
  answers: {
    200: z.object({
      user: z.object({
        id: z.string(),
        name: z.string(),
        email: z.string().optional(),
        externalUserId: z.string().optional(),
        createdTime: z.string(),
      }),
      accounts: z.array(AccountView.extend({ chats: z.array(ChatView) })),
      media: z.array(MediaView),
      posts: z.array(ScheduleView),
    }),
  },
  async handle({ caller }) {
    return Response.json(await exportOf(await getOwnUser(caller.ownerId)));
  },
});

export const deleteMeRoute = route({
  method: "delete",
  path: "/v1/me",
  summary: "Deletes the user and everything of theirs, in the background; until it is done every other call is 409",
  scope: "api",
  answers: { 202: "Deletion has begun" },
  async handle({ caller }) {
    await deleteUser(caller.ownerId);
    return new Response(null, { status: 202 });
  },
});
