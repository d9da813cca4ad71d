"use client";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { callApi } from "../../api/client";
import type { ApiSettingOption } from "../../api/types";
import type { HelperWords, Setting } from "../../networks/types";
import { Button } from "../../ui/button";
import { SkeletonRows } from "../../ui/loading";
import { Notice } from "../../ui/notice";
import { TitledModal } from "../../ui/titled-modal";
import { FrameWindow } from "../cover/cover-window";
import type { FieldValue } from "../draft/draft";
import { SearchField } from "../uploads/library-window";
import type { Upload } from "../uploads/use-uploads";

type Props = {
  accountId: number;
  setting: Setting;
  words: HelperWords;
  /** The post's stored files. A frame of its video can be chosen. */
  files: Upload[];
  title: string;
  /** The value of the field, or empty. */
  typed: FieldValue;
  set: (value: FieldValue) => void;
  close: () => void;
};

/** The window that a button below a setting's field opens. */
export function HelperWindow({ files, ...given }: Props) {
  const { setting, set, close } = given;
  if (setting.helper !== "frame") return <OptionWindow {...given} />;
  const video = files.find(({ kind }) => kind === "video");
  function choose(seconds: number) {
    set(seconds.toFixed(2));
    close();
  }
  return video?.path && <FrameWindow path={video.path} name={video.name} set={choose} close={close} />;
}

const row =
  "min-h-11 w-full rounded-lg border border-edge px-3 py-2 text-left text-sm aria-pressed:border-accent aria-pressed:bg-accent-soft";

/** Lists the options that the account has for a setting on its network now: all of them, or those that match a name. */
function OptionWindow({
  accountId,
  setting: { name: setting, helper },
  words,
  title,
  typed,
  set,
  close,
}: Omit<Props, "files">) {
  const isSearch = helper === "search";
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const address = `/v1/accounts/${accountId}/options/${setting}${isSearch ? `?query=${encodeURIComponent(text)}` : ""}`;
  const isAsked = !isSearch || text !== "";
  const { data, error, refetch } = useQuery({
    queryKey: ["setting options", address],
    queryFn: ({ signal }) => callApi<ApiSettingOption[]>(address, { signal }),
    enabled: isAsked,
    gcTime: 0, // people add an option on the network and then open this window again
  });
  const none = isSearch && typed === "" ? [] : [{ id: "", title: words.none }];
  /** Searches when the form is sent and not while someone types, because networks limit the number of searches. */
  function search(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation(); // the composer is a form around it in React's tree
    if (text === name.trim()) void refetch();
    else setText(name.trim());
  }
  function choose(id: string) {
    set(id);
    close();
  }
  return (
    <TitledModal title={title} close={close} className="w-[min(28rem,calc(100vw-2rem))]">
      {isSearch && (
        <form onSubmit={search} className="flex gap-2">
          <SearchField label={words.placeName} required value={name} onChange={({ target }) => setName(target.value)} />
          <Button type="submit">{words.search}</Button>
        </form>
      )}
      {error ? (
        <Notice tone="warn">{`${words.notRead} ${error.message}`}</Notice>
      ) : isAsked && !data ? (
        <SkeletonRows label={words.loading} height="h-11" />
      ) : (
        <ul className="grid gap-2 empty:hidden">
          {[...none, ...(data ?? [])].map((option) => (
            <li key={option.id}>
              <button
                type="button"
                aria-pressed={option.id === typed}
                onClick={() => choose(option.id)}
                className={row}
              >
                {option.title}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-muted text-sm empty:hidden">
        {isSearch && data?.length === 0 && words.noneFound}
      </p>
    </TitledModal>
  );
}
