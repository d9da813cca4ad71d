import { z } from "zod";
import type { Call } from "../core/network";
import { jsonBody } from "./body";
import { sessionOf } from "./session";
import type { XState } from "./state";
import { ownMedia } from "./upload";

const Metadata = z.object({
  id: z.string().regex(/^[0-9]{1,19}$/),
  metadata: z.looseObject({ alt_text: z.strictObject({ text: z.string().max(1000) }).optional() }).optional(),
});

/** `POST /2/media/metadata`: alt text, before the post. */
export async function setMetadata(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "metadata", ["media.write"]);
  const { id, metadata } = await jsonBody(call, Metadata);
  const media = ownMedia(state, session.account, id);
  state.media.put(id, { ...media, altText: metadata?.alt_text?.text });
  return call.json({ data: { id, associated_metadata: metadata ?? {} } });
}
