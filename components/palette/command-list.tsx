"use client";

import { usePathname, useRouter } from "next/navigation";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import type { Platform } from "@/lib/platforms";
import { handleOf } from "../accounts/names";
import { serverNow } from "../api/client";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { NetworkBadge } from "../networks/badge";
import { stateOf } from "../posts/facts";
import { StatusSign, statusWord } from "../posts/status";
import { shellWords } from "../shell/words";
import { dateAndTime } from "../time/format";
import { Images, Search } from "../ui/icons";
import { type CommandGroup, calendarAt, commandsFor, type PaletteCommand } from "./commands";
import { CloseButton } from "./key-list";
import { Listbox, type Option, type OptionGroup, optionId } from "./listbox";
import { type Found, useFound } from "./queries";
import { best, excerptOf, rankOf, saidBy } from "./search";
import { paletteWords } from "./words";

/** What the palette knows about the user. */
export type Knows = {
  isStaff: boolean;
  hasConsole: boolean;
  networkNames: { [P in Platform]?: string };
};

type Props = Knows & {
  titleId: string;
  typed: string;
  close: () => void;
  /** Closes it and opens another page. */
  leave: () => void;
  showKeys: () => void;
};

const CALENDAR = "/calendar";

/** A search field with the matching commands and results. */
export function CommandList({ titleId, typed, close, leave, showKeys, networkNames, ...viewer }: Props) {
  const [query, setQuery] = useState(typed);
  const [marked, mark] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const signOut = useRef<HTMLFormElement>(null);
  const listId = useId();
  const router = useRouter();
  const path = usePathname();
  const networkOf = ({ platform }: ApiAccount) => networkNames[platform] ?? platform;
  const found = useFound(query, networkOf);
  // The dialog focuses its first field; typing must continue after the existing text.
  useLayoutEffect(() => field.current?.setSelectionRange(typed.length, typed.length), [typed]);

  function go(to: string) {
    leave();
    router.push(to);
  }
  function run({ act }: PaletteCommand) {
    if (act === "showKeys") showKeys();
    else if (act === "signOut") signOut.current?.requestSubmit();
    else if ("to" in act) go(act.to);
    else if ("leaveTo" in act) {
      close();
      window.location.assign(act.leaveTo);
    } else {
      const address = calendarAt(act.calendar, { path, query: window.location.search });
      if (path !== CALENDAR) return go(address);
      close();
      router.replace(address, { scroll: false });
    }
  }

  const commands = commandsFor(viewer);
  const groups = [
    ...inOrder(commands, query, path === CALENDAR).map(([heading, some]) => ({
      heading,
      options: some.map((command) => optionOf(command, path, () => run(command))),
    })),
    ...foundGroups(found, { query, networkOf, go }),
  ].filter(({ options }) => options.length > 0) satisfies OptionGroup[];
  const options = groups.flatMap((group) => group.options);
  // The marked option stays marked when others appear above it, so Enter never chooses a new one.
  const kept = options.findIndex(({ id }) => id === marked);
  const at = kept < 0 && options.length > 0 ? 0 : kept;
  const markedNow = options[at]?.id;
  if (markedNow !== marked) mark(markedNow);
  const markAt = (index: number) => mark(options[index]?.id);

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || options.length === 0) return;
    if (event.key === "ArrowDown") markAt((at + 1) % options.length);
    else if (event.key === "ArrowUp") markAt((at - 1 + options.length) % options.length);
    else if (event.key === "Enter") options[at]?.run();
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-5 py-1">
        <Search aria-hidden className="size-5 shrink-0 text-muted" />
        <label id={titleId} htmlFor={`${listId}-field`} className="sr-only">
          {shellWords.palette.findOrDo}
        </label>
        <input
          id={`${listId}-field`}
          ref={field}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={at < 0 ? undefined : optionId(listId, at)}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200} // the maximum that the API accepts
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            mark(undefined);
          }}
          onKeyDown={onKeyDown}
          placeholder={paletteWords.placeholder}
          className="min-h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
        <CloseButton close={close} />
      </div>
      <Listbox id={listId} groups={groups} at={at} mark={markAt} />
      <p role="status" className="border-line border-t px-5 py-2.5 text-muted text-sm">
        {saidOf(options.length, query, found)}
      </p>
      <form ref={signOut} method="post" action="/sign-out" hidden />
    </>
  );
}

/** Matching commands; the group with the best match comes first, or the page's own group before typing. */
function inOrder(
  groups: Record<CommandGroup, PaletteCommand[]>,
  query: string,
  isCalendar: boolean,
): [string, PaletteCommand[]][] {
  const names = isCalendar
    ? (["calendar", "actions", "places"] as const)
    : (["actions", "places", "calendar"] as const);
  const textsOf = ({ label, also = "" }: PaletteCommand) => [label, also];
  const rank = ([command]: PaletteCommand[]) => (command && rankOf(query, ...textsOf(command))) ?? 3;
  return names
    .map((name): [string, PaletteCommand[]] => [paletteWords.groups[name], best(groups[name], query, textsOf)])
    .sort(([, a], [, b]) => rank(a) - rank(b));
}

function optionOf({ label, icon: Icon, key, isKeyEverywhere }: PaletteCommand, path: string, run: () => void): Option {
  const isHere = isKeyEverywhere || path === CALENDAR;
  const hint = key ? { key, ...(!isHere && { where: paletteWords.inCalendar }) } : undefined;
  return { id: label, sign: <Icon aria-hidden className="size-5 shrink-0 text-muted" />, label, hint, run };
}

/** Announces the number of results and what could not be searched. */
function saidOf(count: number, query: string, { isReading, isCut, postsFailure }: Found): string {
  if (query.trim() === "") return paletteWords.commands(count);
  if (isReading) return count > 0 ? paletteWords.soFar(count) : paletteWords.looking;
  if (postsFailure) return paletteWords.notSearched(count, postsFailure);
  if (isCut) return paletteWords.notRead(count);
  return count > 0 ? paletteWords.results(count) : paletteWords.nothingFound;
}

type Ways = { query: string; networkOf: (account: ApiAccount) => string; go: (to: string) => void };

/** Search results of the user's own data. */
function foundGroups(found: Found, { query, networkOf, go }: Ways): OptionGroup[] {
  const accounts = found.accounts.map((account) => ({
    id: `account ${account.id}`,
    sign: <NetworkBadge platform={account.platform} />,
    label: account.accountDisplayName || handleOf(account),
    note: `${networkOf(account)} · ${handleOf(account)}`,
    run: () => go(`/accounts?account=${account.id}`),
  }));
  const posts = found.posts.map((post) => ({
    id: `post ${post.id}`,
    sign: <StatusSign of={stateOf(post, serverNow())} />,
    label: textFor(post, query),
    note: whenWords(post),
    run: () => go(`/posts/${post.id}`),
  }));
  const files = found.files.map(({ path, filename, altText }) => ({
    id: `file ${path}`,
    sign: <Images aria-hidden className="size-5 shrink-0 text-muted" />,
    label: filename,
    note: altText,
    run: () => go(`/library?${new URLSearchParams({ find: filename })}`),
  }));
  return [
    { heading: paletteWords.accounts, options: accounts },
    { heading: paletteWords.posts, options: posts },
    { heading: paletteWords.files, options: files },
  ];
}

/** The matching text, starting near the match. */
function textFor(post: ApiSchedule, query: string): string {
  const texts = saidBy(post);
  const text = texts.find((one) => rankOf(query, one) !== undefined) ?? texts[0] ?? paletteWords.noText;
  return excerptOf(text, query);
}

function whenWords(post: ApiSchedule): string {
  const state = statusWord(stateOf(post, serverNow()));
  return post.scheduledTime ? `${state} · ${dateAndTime(new Date(post.scheduledTime))}` : paletteWords.noTimeYet(state);
}
