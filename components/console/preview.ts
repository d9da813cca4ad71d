import {
  type BrandingChange,
  brandingFrom,
  brandingProblems,
  getBrandingSettings,
  isLanguage,
  type Partner,
} from "@/lib/connect";
import { failurePage } from "../plain/connect/pages";

/** What is typed into the form, by the names of its fields; empty takes a setting away. */
export type BrandingDraft = Required<Omit<BrandingChange, "logo">>;

const NAMES = ["displayName", "accent", "accentDark", "homeUrl"] as const;

/** @param read a field's text, null where it is not there */
export function readDraft(read: (name: string) => string | null): BrandingDraft {
  const [displayName, accent, accentDark, homeUrl] = NAMES.map((name) => read(name)?.trim() || null);
  const language = read("language") ?? "";
  return {
    displayName: displayName ?? null,
    accent: accent ?? null,
    accentDark: accentDark ?? null,
    homeUrl: homeUrl ?? null,
    language: isLanguage(language) ? language : null,
  };
}

/** How a connect page looks with a draft, to be framed; what is wrong in it, and without a draft all, is as it was stored. */
export async function previewPage(partner: Partner, draft?: BrandingDraft): Promise<Response> {
  const stored = await getBrandingSettings(partner.id);
  const problems = draft ? brandingProblems(draft) : [];
  const isWrong = (name: string) => problems.some((problem) => problem.startsWith(`${name} `));
  const tried = Object.fromEntries(Object.entries(draft ?? {}).filter(([name]) => !isWrong(name)));
  const branding = brandingFrom(partner.name, { ...stored, ...tried });
  const { language } = branding;
  const example = { failure: "denied", status: 200, network: "Instagram", traceCode: "7KQ4M-2XPTR" } as const;
  return failurePage({ ...example, branding, language, restartUrl: "#", isFramed: true });
}
