"use client";
import { type FormEvent, useState } from "react";
import { type GroupChange, useDeleteGroup, useSaveGroup } from "../api/queries";
import type { ApiAccount, ApiAccountGroup } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button } from "../ui/button";
import { Handle } from "../ui/sentence";
import { TitledModal } from "../ui/titled-modal";
import { displayName, groupDots } from "./names";
import { accountWords } from "./words";

type Colour = ApiAccountGroup["colour"];
const colours: Colour[] = ["GOLD", "CORAL", "TEAL", "BLUE", "VIOLET", "GREY"];

type Props = {
  /** Absent for a new group. */
  group?: ApiAccountGroup;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  close: () => void;
};

/** Creates a group of accounts, or changes or deletes one. */
export function GroupWindow({ group, accounts, networks, close }: Props) {
  const save = useSaveGroup();
  const remove = useDeleteGroup();
  const [chosen, setChosen] = useState<Required<GroupChange>>({
    name: group?.name ?? "",
    colour: group?.colour ?? "TEAL",
    accountIds: group?.accountIds ?? [],
  });
  const words = accountWords.groups;
  const isBusy = save.isPending || remove.isPending;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isBusy) save.mutate({ id: group?.id, ...chosen }, { onSuccess: close });
  }
  const error = save.error ?? remove.error;
  return (
    <TitledModal title={group ? words.editOne(group.name) : words.create} close={close} otherwise="#connected-accounts">
      <form onSubmit={submit} className="grid gap-4">
        <label className="grid gap-1 font-medium text-sm">
          {words.name}
          <input
            value={chosen.name}
            onChange={({ target }) => setChosen({ ...chosen, name: target.value })}
            required
            maxLength={60}
            autoComplete="off"
            className="min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 font-normal text-base"
          />
        </label>
        <ColourChoice colour={chosen.colour} choose={(colour) => setChosen({ ...chosen, colour })} />
        <fieldset className="grid">
          <legend className="mb-1 font-medium text-sm">{words.accounts}</legend>
          <div className="grid max-h-72 gap-x-4 overflow-y-auto rounded-lg border border-line px-3 py-1 sm:grid-cols-2">
            {accounts.map(({ id }) => (
              <label key={id} className="flex min-h-10 items-center gap-2.5">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-(--accent)"
                  checked={chosen.accountIds.includes(id)}
                  onChange={({ target }) => {
                    const others = chosen.accountIds.filter((one) => one !== id);
                    setChosen({ ...chosen, accountIds: target.checked ? [...others, id] : others });
                  }}
                />
                <span className="wrap-anywhere">
                  <Handle>{displayName({ accounts, networks }, id)}</Handle>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {error && (
          <p role="alert" className="text-wrong">
            {error.message}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          {group && (
            <Button
              look="danger"
              aria-disabled={isBusy}
              onClick={() => isBusy || remove.mutate(group.id, { onSuccess: close })}
            >
              {words.delete}
            </Button>
          )}
          <Button look="quiet" className="ml-auto" onClick={close}>
            {words.cancel}
          </Button>
          <Button type="submit" aria-disabled={isBusy}>
            {group ? words.save : words.create}
          </Button>
        </div>
        {group && <p className="text-muted text-sm">{words.deleteKeeps}</p>}
      </form>
    </TitledModal>
  );
}

function ColourChoice({ colour, choose }: { colour: Colour; choose: (colour: Colour) => void }) {
  const words = accountWords.groups;
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">{words.colour}</legend>
      <div className="flex flex-wrap gap-2">
        {colours.map((one) => (
          <label
            key={one}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-lg border border-edge px-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="colour"
              className="size-4 accent-(--accent)"
              checked={colour === one}
              onChange={() => choose(one)}
            />
            <span aria-hidden className={`size-3.5 rounded-sm ${groupDots[one]}`} />
            {words.colours[one]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
