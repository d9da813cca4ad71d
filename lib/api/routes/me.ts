import { z } from "zod";
import { NotFound } from "../../errors";
import { findUser } from "../../users";
import { route } from "../route";

export const getMeRoute = route({
  method: "get",
  path: "/v1/me",
  summary: "The person who is signed in",
  scope: "accounts.read",
  answers: { 200: z.object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(["user", "staff"]) }) },
  async handle({ caller }) {
    const user = caller.user ?? (await findUser(caller.ownerId));
    if (!user) throw new NotFound("User", caller.ownerId);
    const { id, email, name, role } = user;
    return Response.json({ id, email, name, role });
  },
});
