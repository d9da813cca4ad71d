import { z } from "zod";
import { nextCursor } from "./common";

export const ConnectUserView = z
  .object({
    uuid: z.uuid().meta({ description: "What `X-Connect-User-Id` takes" }),
    name: z.string(),
    email: z.string().optional().meta({ description: "For the partner's own reference; nothing is sent to it" }),
  })
  .meta({ id: "ConnectUser", description: "A partner's end-user" });

export const ConnectUserList = z
  .object({ items: z.array(ConnectUserView), nextCursor })
  .meta({ id: "ConnectUserList" });
