import { displayName } from "../../accounts/names";
import type { ApiAccount, ApiNewSchedule, ApiPublication, ApiSchedule } from "../../api/types";
import type { NetworkFacts, SettingValue, TaggedPerson } from "../../networks/types";
import { dateAndTime } from "../../time/format";
import { coverOf, isQuestion } from "../draft/submission";
import { labelOf, readableName } from "../targets/targets";
import { type Piece, wordChanges } from "./word-changes";
import { clashWords } from "./words";

/** One difference: a text with its changes, or the two values. */
export type VersionDifference = { about: string } & ({ pieces: Piece[] } | { mine: string; theirs: string });

type Known = {
  accounts: ApiAccount[];
  networks: Pick<NetworkFacts, "platform" | "name" | "settings" | "commonNames">[];
  /** Returns a file's name by its storage key. */
  nameOf: (path: string) => string;
};

type Sent = ApiNewSchedule["publications"][number] | ApiPublication;
type Said = { what: string; mine: string; theirs: string; isText?: true };

const BETWEEN_PARTS = "\n\n· · ·\n\n";

/** Describes the differences between two versions. A difference that several accounts share is listed once. */
export function differencesOf(mine: ApiNewSchedule, theirs: ApiSchedule, known: Known): VersionDifference[] {
  const planned = (isDraft: boolean) => (isDraft ? clashWords.draft : clashWords.planned);
  const isTheirsDraft = theirs.overallStatus === "DRAFT";
  const common: Said[] = [
    { what: clashWords.time, mine: timeOf(mine), theirs: timeOf(theirs) },
    { what: clashWords.whatItIs, mine: planned(mine.isDraft), theirs: planned(isTheirsDraft) },
    { what: clashWords.accounts, mine: accountsIn(mine, known), theirs: accountsIn(theirs, known) },
  ];
  return [...common.filter(differs).map((said) => differenceOf(said)), ...perAccount(mine, theirs, known)];
}

const differs = ({ mine, theirs }: Said) => mine !== theirs;

function timeOf({ scheduledTime }: { scheduledTime?: string }): string {
  return scheduledTime ? dateAndTime(new Date(scheduledTime)) : clashWords.noTime;
}

function accountsIn({ publications }: { publications: Sent[] }, known: Known): string {
  const named = publications.map(({ socialMediaAccountId: id }) => displayName(known, id));
  return named.toSorted().join(", ");
}

/** Differences between accounts that are in both versions. */
function perAccount(mine: ApiNewSchedule, theirs: ApiSchedule, known: Known): VersionDifference[] {
  const both = mine.publications.flatMap((one) => {
    const other = theirs.publications.find(({ socialMediaAccountId: id }) => id === one.socialMediaAccountId);
    return other ? [{ one, other }] : [];
  });
  const groups = new Map<string, { said: Said; of: string[] }>();
  for (const { one, other } of both) {
    for (const said of saidOf(one, other, known).filter(differs)) {
      const key = JSON.stringify(said);
      const group = groups.get(key) ?? { said, of: [] };
      groups.set(key, { said, of: [...group.of, displayName(known, one.socialMediaAccountId)] });
    }
  }
  return [...groups.values()].map(({ said, of }) =>
    differenceOf(said, of.length < both.length ? of.join(", ") : undefined),
  );
}

function differenceOf({ what, mine, theirs, isText }: Said, of?: string): VersionDifference {
  const about = of ? clashWords.differsFor(what, of) : what;
  return isText ? { about, pieces: wordChanges(mine, theirs) } : { about, mine, theirs };
}

function saidOf(one: Sent, other: Sent, { accounts, networks, nameOf }: Known): Said[] {
  const account = accounts.find(({ id }) => id === one.socialMediaAccountId);
  const network = networks.find(({ platform }) => platform === account?.platform);
  const label = (field: string) => (network ? labelOf(network, field) : readableName(field));
  const both = <T>(of: (publication: Sent) => T) => ({ mine: of(one), theirs: of(other) });
  const settings = new Set([one, other].flatMap(({ platformSettings }) => Object.keys(platformSettings)));
  settings.delete("type");
  return [
    { what: clashWords.text, ...both(textOf), isText: true },
    { what: clashWords.files, ...both((sent) => filesOf(sent, nameOf)) },
    { what: clashWords.cover, ...both((sent) => coversOf(sent, nameOf)) },
    { what: label("chatId"), ...both(({ posts }) => posts[0]?.chatId ?? clashWords.none) },
    ...[...settings].map((name) => {
      const scale = network?.settings.find((setting) => setting.name === name)?.scale;
      return {
        what: label(name),
        ...both(({ platformSettings }) => valueWords(platformSettings[name], isQuestion(name), scale)),
      };
    }),
  ];
}

function textOf({ posts }: Sent): string {
  return posts.map(({ content = "" }) => content).join(BETWEEN_PARTS);
}

/** Grouped by part if there are several. Files are compared by key, so two files with one name stay distinct. */
function filesOf({ posts }: Sent, nameOf: Known["nameOf"]): string {
  const parts = posts.map(({ attachmentPaths = [] }) => attachmentPaths.map(nameOf).join(", ") || clashWords.none);
  if (parts.length === 1 || parts.every((files) => files === clashWords.none)) return parts[0] ?? clashWords.none;
  return parts.map((files, index) => `${index + 1}: ${files}`).join("; ");
}

function coversOf({ posts }: Sent, nameOf: Known["nameOf"]): string {
  const covers = posts.flatMap((post) => coverOf(post) ?? []);
  return covers.map(nameOf).join(", ") || clashWords.networksChoice;
}

/** @param scale set if the value is in milliseconds and its field in seconds */
function valueWords(value: SettingValue | TaggedPerson | undefined, isAnswer = false, scale?: number): string {
  if (value === false && isAnswer) return clashWords.no;
  if (value === undefined || value === "" || value === false) return clashWords.notSet;
  if (value === true) return clashWords.yes;
  if (Array.isArray(value)) return value.map((one) => valueWords(one)).join(", ");
  if (typeof value === "number" && scale) return clashWords.seconds(value / scale);
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[A-Z_]+$/.test(value) ? readableName(value) : value;
}
