import type { ReactNode } from "react";
import { sizeWords } from "../library/facts";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { settingsWords } from "./words";

type SectionProps = { id: string; title: string; lead?: ReactNode; children: ReactNode };

/** A section of the settings. Links lead to its heading by `id`. */
export function SettingsSection({ id, title, lead, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-3 scroll-mt-6 font-bold font-display text-xl tracking-tight">
        {title}
      </h2>
      {lead && <p className="-mt-2 mb-3 text-muted">{lead}</p>}
      {children}
    </section>
  );
}

type LinkSectionProps = Omit<SectionProps, "children"> & { href: string; label: string };

/** A section that links to a page of its own. */
export function LinkSection({ href, label, ...section }: LinkSectionProps) {
  return (
    <SettingsSection {...section}>
      <Link href={href} className={buttonClass("quiet")}>
        {label}
      </Link>
    </SettingsSection>
  );
}

type Used = { used: number; limit: number };
type Props = { usage: { mediaBytes: Used; publicationsToday: Used } };

/** What the person has used of the limits per user. Works without script. */
export function Usage({ usage: { mediaBytes, publicationsToday } }: Props) {
  const words = settingsWords.usage;
  const count = (number: number) => number.toLocaleString("en");
  return (
    <SettingsSection id="usage" title={words.title} lead={words.lead}>
      <dl className="grid gap-2">
        <Item label={words.media} text={words.usedOf(sizeWords(mediaBytes.used), sizeWords(mediaBytes.limit))} />
        <Item
          label={words.publications}
          text={words.usedOf(count(publicationsToday.used), count(publicationsToday.limit))}
        />
      </dl>
    </SettingsSection>
  );
}

function Item({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 rounded-xl border border-line bg-surface px-4 py-3">
      <dt className="font-medium">{label}</dt>
      <dd className="text-muted">{text}</dd>
    </div>
  );
}
