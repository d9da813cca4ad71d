import { consoleWords } from "@/components/console/words";
import { failurePage } from "@/components/plain/connect/pages";
import { goTo } from "@/components/session/requests";
import { BadRequest } from "@/lib/errors";
import { readBytes } from "@/lib/http/form";
import {
  type Branding,
  type BrandingChange,
  brandingFrom,
  brandingProblems,
  getBrandingSettings,
  isLanguage,
  type Partner,
  saveBranding,
} from "@/lib/partners";

/** A logo of 1 MB and the other fields. */
const MAX_BYTES = 1_200_000;

/** The values of the branding form, by field name; an empty field removes the setting. */
type BrandingDraft = Required<Omit<BrandingChange, "logo">>;

const TEXT_FIELDS = ["displayName", "accent", "accentDark", "homeUrl"] as const;

/** @param read returns a field's text, or null if the field is missing */
function readBrandingDraft(read: (name: string) => string | null): BrandingDraft {
  const [displayName, accent, accentDark, homeUrl] = TEXT_FIELDS.map((name) => read(name)?.trim() || null);
  const language = read("language") ?? "";
  return {
    displayName: displayName ?? null,
    accent: accent ?? null,
    accentDark: accentDark ?? null,
    homeUrl: homeUrl ?? null,
    language: isLanguage(language) ? language : null,
  };
}

/**
 * The branding that the form's current values would produce, and their problems. A field with a problem has its stored value,
 * and so has the logo unless the form removes it.
 */
export async function draftedBranding(
  partner: Partner,
  query: URLSearchParams,
): Promise<{ branding: Branding; problems: string[] }> {
  const stored = await getBrandingSettings(partner.id);
  const draft = query.size === 0 ? {} : readBrandingDraft((name) => query.get(name));
  const problems = brandingProblems(draft);
  const hasProblem = (name: string) => problems.some((problem) => problem.startsWith(`${name} `));
  const valid = Object.fromEntries(Object.entries(draft).filter(([name]) => !hasProblem(name)));
  const logo = query.has("withoutLogo") ? { logoUrl: null } : {};
  return { branding: brandingFrom(partner.name, { ...stored, ...valid, ...logo }), problems };
}

/** A sample connect page with the form's current values, or as stored without any; to be framed. */
export async function previewBranding(partner: Partner, query: URLSearchParams): Promise<Response> {
  const { branding } = await draftedBranding(partner, query);
  const { language } = branding;
  const example = { failure: "denied", status: 200, network: "Instagram", traceCode: "7KQ4M-2XPTR" } as const;
  return failurePage({ ...example, branding, language, restartUrl: "#" }, true);
}

/** The body of a form with a file; without bytes if it is no such form or too large. */
export type UploadedForm = { type: string; bytes?: Buffer };

/** Reads the body of the branding form without parsing it. The size is limited while it is read. */
export async function readBrandingForm(request: Request): Promise<UploadedForm> {
  const type = request.headers.get("content-type") ?? "";
  return { type, bytes: type.startsWith("multipart/form-data") ? await readBytes(request, MAX_BYTES) : undefined };
}

/** Saves the form. Problems are shown on the form's page. */
export async function saveBrandingForm(partner: Partner, upload: UploadedForm | undefined): Promise<Response> {
  const page = `/console/${partner.clientId}/branding`;
  try {
    const form = await parseMultipart(upload);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === "string" ? value : null;
    };
    const file = form.get("logo");
    const uploaded = file instanceof File && file.size > 0 ? new Uint8Array(await file.arrayBuffer()) : undefined;
    const logo = form.has("withoutLogo") ? null : uploaded;
    await saveBranding(partner.id, { ...readBrandingDraft(text), ...(logo === undefined ? {} : { logo }) });
    return goTo(`${page}?saved=yes`);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return goTo(`${page}?${new URLSearchParams({ problem: error.message })}`);
  }
}

async function parseMultipart({ type, bytes }: UploadedForm = { type: "" }): Promise<FormData> {
  if (!bytes) throw new BadRequest(consoleWords.brandingForm.logoTooLarge);
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } })
    .formData()
    .catch(() => undefined);
  if (!form) throw new BadRequest(consoleWords.brandingForm.unread);
  return form;
}
