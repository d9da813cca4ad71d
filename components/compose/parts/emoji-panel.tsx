"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { composeWords } from "../words";

type Group = { name: string; emoji: { sign: string; words: string }[] };

/** Parses public/emoji.txt: a group's name in a line of its own, then one emoji a line with the words to find it by. */
async function readEmoji(signal: AbortSignal): Promise<Group[]> {
  const answer = await fetch("/emoji.txt", { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  const groups: Group[] = [];
  for (const line of (await answer.text()).split("\n")) {
    const [sign = "", ...words] = line.split(" ");
    if (line.startsWith("# ")) groups.push({ name: words.join(" "), emoji: [] });
    else if (sign) groups.at(-1)?.emoji.push({ sign, words: words.join(" ") });
  }
  return groups;
}

type Props = { insert: (emoji: string) => void; close: () => void };

/** Emoji by group, with a search. It stays open, so that several can be inserted. */
export function EmojiPanel({ insert, close }: Props) {
  const [search, setSearch] = useState("");
  const groups = useQuery({
    queryKey: ["emoji"],
    queryFn: ({ signal }) => readEmoji(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const wanted = search.trim().toLowerCase();
  const found = (groups.data ?? [])
    .map(({ name, emoji }) => ({ name, emoji: emoji.filter(({ words }) => words.includes(wanted)) }))
    .filter(({ emoji }) => emoji.length > 0);
  return (
    <section
      aria-label={composeWords.emoji}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
      className="grid gap-2 border-line border-t p-3.5"
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the panel opens below the button that was pressed
        autoFocus
        type="search"
        aria-label={composeWords.findEmoji}
        placeholder={composeWords.findEmoji}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        className="min-h-10 rounded-lg border border-edge bg-surface px-3 text-sm"
      />
      <div className="grid max-h-56 gap-2 overflow-y-auto">
        {groups.error && <p className="text-sm text-wrong">{composeWords.noEmojiLoaded}</p>}
        {groups.data && found.length === 0 && <p className="text-muted text-sm">{composeWords.noEmojiFound}</p>}
        {found.map(({ name, emoji }) => (
          <fieldset key={name}>
            <legend className="text-muted text-xs">{name}</legend>
            <div className="flex flex-wrap">
              {emoji.map(({ sign, words }) => (
                <button
                  key={sign}
                  type="button"
                  aria-label={words}
                  title={words}
                  onClick={() => insert(sign)}
                  className="grid size-10 place-items-center rounded-lg text-xl hover:bg-sunk"
                >
                  {sign}
                </button>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </section>
  );
}
