"use client";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../api/client";
import type { SettingOption } from "../../api/types";
import { SkeletonRows } from "../../ui/loading";
import { Notice } from "../../ui/notice";
import { TitledModal } from "../../ui/titled-modal";
import { composeWords } from "../words";

type Props = {
  accountId: number;
  setting: string;
  title: string;
  /** The chosen ID, or empty. */
  value: string;
  choose: (id: string) => void;
  close: () => void;
};

const row = "min-h-11 w-full rounded-lg border border-edge px-3 py-2 text-left text-sm aria-pressed:border-accent";

/** Lists what the account can choose for a setting, by title, as its network has it now. */
export function OptionWindow({ accountId, setting, title, value, choose, close }: Props) {
  const { data, error } = useQuery({
    queryKey: ["setting options", accountId, setting],
    queryFn: ({ signal }) => callApi<SettingOption[]>(`/v1/accounts/${accountId}/options/${setting}`, { signal }),
    gcTime: 0, // people create one on the network, and open this again
  });
  const options = [{ id: "", title: composeWords.noOption }, ...(data ?? [])];
  return (
    <TitledModal title={title} close={close} className="w-[min(28rem,calc(100vw-2rem))]">
      {error ? (
        <Notice tone="warn">{composeWords.optionsNotRead(error.message)}</Notice>
      ) : !data ? (
        <SkeletonRows label={composeWords.readingOptions} height="h-11" />
      ) : (
        <ul className="grid gap-2">
          {options.map((option) => (
            <li key={option.id}>
              <button
                type="button"
                aria-pressed={option.id === value}
                onClick={() => choose(option.id)}
                className={row}
              >
                {option.title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </TitledModal>
  );
}
