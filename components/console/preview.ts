import {
  type BrandingChange,
  type BrandingSettings,
  brandingFrom,
  brandingProblems,
  brandingSettings,
  isLanguage,
  type Partner,
} from "@/lib/connect";
import { failurePage } from "../connect/pages";

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

/** How a connect page looks with a draft, and what is wrong with it; a wrong setting is shown as it was stored. */
export async function previewOf(partner: Partner, draft: BrandingDraft): Promise<{ html: string; problems: string[] }> {
  const stored = await brandingSettings(partner.id);
  const problems = brandingProblems(draft);
  const isWrong = (name: string) => problems.some((problem) => problem.startsWith(`${name} `));
  const tried = Object.fromEntries(Object.entries(draft).filter(([name]) => !isWrong(name)));
  return { html: await pageWith(partner, { ...stored, ...tried }), problems };
}

/** How a connect page looks with what is stored. */
export async function pageWith(partner: Partner, settings: BrandingSettings): Promise<string> {
  const branding = brandingFrom(partner.name, settings);
  const { language } = branding;
  const example = { failure: "denied", status: 200, network: "Instagram", traceCode: "7KQ4M-2XPTR" } as const;
  return failurePage({ ...example, branding, language, restartUrl: "#" }).text();
}
