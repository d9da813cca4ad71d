"use client";
import { useId } from "react";
import { handleOf } from "../accounts/names";
import type { ApiAccount, ApiScheduleStatus } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { statusWord } from "../posts/status";
import { Button } from "../ui/button";
import type { CalendarPlace } from "./use-place";
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
  go: (to: Partial<CalendarPlace>) => void;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
};

/** Filters by network, account and status. */
export function CalendarFilters({ place, go, accounts, networks }: Props) {
  const used = networks.filter(({ platform }) => accounts.some((account) => account.platform === platform));
  const isFiltered = Boolean(place.platform || place.accountId || place.status);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Choice
        label={calendarWords.network}
        value={place.platform}
        choose={(platform) => go({ platform })}
        all={calendarWords.allNetworks}
        choices={used.map(({ platform, name }) => [platform, name])}
      />
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
        all={calendarWords.allStates}
        choices={statuses.map((status) => [status, statusWord(status)])}
      />
      {isFiltered && (
        <Button look="bare" onClick={() => go({ platform: undefined, accountId: undefined, status: undefined })}>
          {calendarWords.showEverything}
        </Button>
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
  const id = useId();
  return (
    <div className="grid min-w-0 flex-1 basis-36 gap-1 md:max-w-56">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <select
        id={id}
        value={value ?? ""}
        onChange={(event) => choose(event.target.value || undefined)}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3"
      >
        <option value="">{all}</option>
        {choices.map(([choice, word]) => (
          <option key={choice} value={choice}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}
