"use client";
import { handleOf } from "../accounts/names";
import type { ApiAccount, ApiAccountGroup, ApiScheduleStatus } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { statusWord } from "../posts/status";
import { X } from "../ui/icons";
import type { CalendarPlace, GoInCalendar } from "./views";
import { calendarWords } from "./words";

const statuses: ApiScheduleStatus[] = [
  "DRAFT",
  "AWAITING_MEDIA",
  "SCHEDULED",
  "MEDIA_IMPORT_FAILED",
  "IN_PROGRESS",
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
];

type Props = {
  place: CalendarPlace;
  go: GoInCalendar;
  accounts: ApiAccount[];
  groups: ApiAccountGroup[];
  networks: NetworkFacts[];
};

/** Filters by network, group, account and state. */
export function CalendarFilters({ place, go, accounts, groups, networks }: Props) {
  const used = networks.filter(({ platform }) => accounts.some((account) => account.platform === platform));
  return (
    <div className="flex min-w-0 gap-1.5 max-md:-mx-4 max-md:-my-1.5 max-md:grow max-md:basis-full max-md:overflow-x-auto max-md:px-4 max-md:contain-inline-size max-md:py-1.5 max-md:*:shrink-0 md:ml-auto md:flex-wrap">
      <Choice
        label={calendarWords.network}
        value={place.platform}
        choose={(platform) => go({ platform })}
        all={calendarWords.allNetworks}
        choices={used.map(({ platform, name }) => [platform, name])}
      />
      {groups.length > 0 && (
        <Choice
          label={calendarWords.group}
          value={place.group}
          choose={(group) => go({ group })}
          all={calendarWords.allGroups}
          choices={groups.map(({ id, name }) => [String(id), name])}
        />
      )}
      <Choice
        label={calendarWords.account}
        value={place.accountId}
        choose={(accountId) => go({ accountId })}
        all={calendarWords.allAccounts}
        choices={accounts.map((account) => [String(account.id), `${handleOf(account)} (${nameOf(account, networks)})`])}
      />
      <Choice
        label={calendarWords.state}
        value={place.status}
        choose={(status) => go({ status })}
        all={calendarWords.anyState}
        choices={statuses.map((status) => [status, statusWord(status)])}
      />
      {(place.platform || place.group || place.accountId || place.status) && (
        <button
          type="button"
          onClick={() => go({ platform: undefined, group: undefined, accountId: undefined, status: undefined })}
          className="inline-flex h-8 items-center gap-1 rounded-full px-2.5 text-accent text-sm hover:bg-sunk max-md:h-11"
        >
          <X aria-hidden className="size-3.5" /> {calendarWords.clear}
        </button>
      )}
    </div>
  );
}

function nameOf({ platform }: ApiAccount, networks: NetworkFacts[]): string {
  return networks.find((network) => network.platform === platform)?.name ?? platform;
}

type ChoiceProps = {
  label: string;
  value: string | undefined;
  choose: (value: string | undefined) => void;
  all: string;
  choices: [string, string][];
};

function Choice({ label, value, choose, all, choices }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => choose(event.target.value || undefined)}
      className={`field-sizing-content h-8 min-w-0 max-w-40 truncate rounded-full border px-2.5 text-sm max-md:h-11 ${value ? "border-accent bg-accent-soft text-accent" : "border-edge bg-surface"}`}
    >
      <option value="">{all}</option>
      {choices.map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  );
}
