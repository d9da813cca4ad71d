import { type Partner, saveBranding } from "@/lib/connect";
import { BadRequest } from "@/lib/errors";
import { readBytes } from "@/lib/http/form";
import { goTo } from "../session/requests";
import { readDraft } from "./preview";
import { consoleWords } from "./words";

/** A logo of 1 MB and the other fields. */
const MOST_BYTES = 1_200_000;

/** Stores what the form holds; every problem at once is told on the form's page. */
export async function storeBranding(partner: Partner, request: Request): Promise<Response> {
  const page = `/console/${partner.clientId}/branding`;
  try {
    const form = await readMultipart(request);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === "string" ? value : null;
    };
    const file = form.get("logo");
    const logo = file instanceof File && file.size > 0 ? new Uint8Array(await file.arrayBuffer()) : undefined;
    const change = form.has("withoutLogo") ? null : logo;
    await saveBranding(partner.id, { ...readDraft(text), ...(change === undefined ? {} : { logo: change }) });
    return goTo(`${page}?saved=yes`);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return goTo(`${page}?${new URLSearchParams({ problem: error.message })}`);
  }
}

/** Counted while it is read, and only then taken apart. */
async function readMultipart(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = type.startsWith("multipart/form-data") ? await readBytes(request, MOST_BYTES) : undefined;
  if (!bytes) throw new BadRequest(consoleWords.brandingForm.logoTooLarge);
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } })
    .formData()
    .catch(() => undefined);
  if (!form) throw new BadRequest(consoleWords.brandingForm.unread);
  return form;
}
