import { isVideo } from "../../media";
import { type Breach, type Limits, PlatformError } from "../../networks";
import { textLength } from "../../networks/text/count";
import type { Attached, KnownMedia } from "./facts";
import { pictureLimits } from "./file-limits";

type Described = { settings: unknown; media: Attached[]; cover?: KnownMedia };

/** Files whose words are longer than the network takes them. Of words that are not sent, nothing is said. */
export function altTextBreaches(network: string, limits: Limits, { settings, media, cover }: Described): Breach[] {
  if (saysItself(settings)) return [];
  return media.flatMap((item, index) => {
    const limit = item && (isVideo(item) ? limits.video : pictureLimits(limits, item))?.altText;
    const text = item?.altText;
    if (!limit || !text || !isSent(limits, { media, cover }, index)) return [];
    const measured = textLength(limit.unit, text);
    if (measured <= limit.max) return [];
    const message = `${network} takes at most ${limit.max} ${limit.unit} of alt text, this file's has ${measured}`;
    const fix = `Shorten the alt text by ${measured - limit.max} ${limit.unit}`;
    const of = { at: `attachmentPaths[${index}]`, rule: "media.alt_text", measured, limit: { max: limit.max } };
    return [{ ...of, source: limit.source ?? limits.source, message, fix }];
  });
}

/**
 * Words that were changed after their post was checked are checked once more, before anything is sent.
 * @throws PlatformError
 */
export function assertAltTexts(network: string, limits: Limits, described: Described): void {
  const says = altTextBreaches(network, limits, described).map(({ message }) => message);
  if (says.length > 0) throw new PlatformError("rejected", says.join(". "));
}

/** A network that takes one text for the whole post has a setting for it, which is sent in place of the file's. */
function saysItself(settings: unknown): boolean {
  return typeof settings === "object" && settings !== null && "altText" in settings && Boolean(settings.altText);
}

/** Where one of the attachments is the cover, its words stand for all. */
function isSent({ coverIsAttached }: Limits, { media, cover }: Omit<Described, "settings">, index: number): boolean {
  return !coverIsAttached || index === Math.max(0, media.indexOf(cover));
}
