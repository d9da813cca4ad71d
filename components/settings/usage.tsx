import { sizeWords } from "../library/facts";
import { settingsWords } from "./words";

type Used = { used: number; limit: number };
type Props = { usage: { mediaBytes: Used; publicationsToday: Used } };

/** What the person has used of the limits per user. Works without script. */
export function Usage({ usage: { mediaBytes, publicationsToday } }: Props) {
  const words = settingsWords.usage;
  const count = (number: number) => number.toLocaleString("en");
  return (
    <section aria-labelledby="usage">
      <h2 id="usage" className="mb-1 font-semibold text-lg">
        {words.title}
      </h2>
      <p className="mb-3 text-muted">{words.lead}</p>
      <dl className="grid gap-2">
        <Item label={words.media} text={words.usedOf(sizeWords(mediaBytes.used), sizeWords(mediaBytes.limit))} />
        <Item
          label={words.publications}
          text={words.usedOf(count(publicationsToday.used), count(publicationsToday.limit))}
        />
      </dl>
    </section>
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
