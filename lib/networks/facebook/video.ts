import { z } from "zod";
import { idSchema, readAnswer } from "../wire/json";
import { type Caller, get } from "./graph";

const fault = z.object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() });
const phase = z.object({ status: z.string().optional(), error: fault.optional(), errors: z.array(fault).optional() });
const statusSchema = z.object({
  video_status: z.string().optional(),
  // The guides and the reference spell this field differently.
  uploading_phase: phase
    .extend({ bytes_transfered: z.coerce.number().optional(), bytes_transferred: z.coerce.number().optional() })
    .optional(),
  processing_phase: phase.optional(),
  publishing_phase: phase.extend({ publish_status: z.string().optional() }).optional(),
});
const videoSchema = z.object({
  id: idSchema,
  status: statusSchema.default({}),
  post_id: idSchema.optional(),
  permalink_url: z.string().optional(),
  published: z.boolean().optional(),
});

export type Video = {
  /** Number of bytes uploaded, and whether the upload is complete. */
  received: number;
  isReceived: boolean;
  state: "waiting" | "uploaded" | "published" | "failed";
  fault?: { code?: string | number; message?: string };
  postId?: string;
  permalink?: string;
};

const GONE = ["error", "expired", "upload_failed"];

/** Reads a video's state (developers.facebook.com/documentation/video-api/guides/reels-publishing). An error can be in any phase. */
export async function videoOf(page: Caller, id: string): Promise<Video> {
  const answer = await get(page, `/${id}`, { fields: "id,status,post_id,permalink_url,published" });
  const { status, post_id, permalink_url } = await readAnswer("Facebook", videoSchema, answer);
  const { uploading_phase: uploading, processing_phase: processing, publishing_phase: publishing } = status;
  const failed = [uploading, processing, publishing].find(
    (one) => one?.status === "error" || one?.error || one?.errors?.length,
  );
  return {
    received: uploading?.bytes_transfered ?? uploading?.bytes_transferred ?? 0,
    isReceived: uploading?.status?.startsWith("complete") ?? false,
    state: failed || GONE.includes(status.video_status ?? "") ? "failed" : stateOf(status),
    fault: failed?.error ?? failed?.errors?.[0],
    postId: post_id,
    permalink: permalink_url?.startsWith("/") ? `https://www.facebook.com${permalink_url}` : permalink_url,
  };
}

function stateOf({ video_status, publishing_phase: publishing }: z.output<typeof statusSchema>): Video["state"] {
  if (publishing?.status?.startsWith("complete") && publishing.publish_status === "published") return "published";
  return video_status === "upload_complete" || video_status === "ready" ? "uploaded" : "waiting";
}
