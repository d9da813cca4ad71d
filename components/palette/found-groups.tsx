"use client";
import { Images } from "lucide-react";
import { handleOf } from "../accounts/names";
import { serverNow } from "../api/client";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { NetworkBadge } from "../networks/badge";
import { stateOf } from "../posts/facts";
import { StatusSign, statusWord } from "../posts/status";
import { dateAndTime } from "../time/format";
import type { OptionGroup } from "./listbox";
import type { Found } from "./queries";
import { excerptOf, rankOf, saidBy } from "./search";
import { paletteWords } from "./words";

type Ways = { query: string; networkOf: (account: ApiAccount) => string; go: (to: string) => void };

/** Search results of the user's own data. */
export function foundGroups(found: Found, { query, networkOf, go }: Ways): OptionGroup[] {
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
    {
      heading: found.newestFiles === undefined ? paletteWords.allFiles : paletteWords.newestFiles(found.newestFiles),
      options: files,
    },
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
