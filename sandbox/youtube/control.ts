import { z } from "zod";
import type { Answer } from "../core/network";
import type { YouTubeState } from "./state";

const ChangedChannel = z.strictObject({
  account: z.string().regex(/^[a-z0-9_]{1,15}$/),
  exists: z.boolean().optional(),
  isVerified: z.boolean().optional(),
  uploadsPerDay: z.int().min(0).optional(),
});
const ChangedProject = z.strictObject({
  insertsPerDay: z.int().min(0).optional(),
  unitsPerDay: z.int().min(0).optional(),
});

/** What people do on youtube.com and operators in the Cloud console, below `/_control/youtube`. */
export function controls(state: YouTubeState): Record<string, (body: unknown) => Answer> {
  return {
    channel(body) {
      const { account, ...changed } = ChangedChannel.parse(body);
      state.setChannel(account, changed);
      return new Response(null, { status: 204 });
    },
    project(body) {
      state.setProject(ChangedProject.parse(body));
      return new Response(null, { status: 204 });
    },
  };
}
