"use client";
import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode, useRef, useState } from "react";
import { limitsFor } from "@/lib/networks/text/count";
import { handleOf } from "../../accounts/names";
import { callApi } from "../../api/client";
import type { BoardSection } from "../../api/types";
import { NetworkBadge } from "../../networks/badge";
import { tagsIn } from "../../networks/formats";
import type { HelperWords, Setting, SettingValue } from "../../networks/types";
import { SpriteIcon } from "../../ui/icons";
import { loadedLater } from "../../ui/toast";
import { uiWords } from "../../ui/words";
import { fieldId } from "../check/fixes";
import { type Draft, type FieldValue, type PlacedTag, withSetting } from "../draft/draft";
import type { EditDraft } from "../draft/use-autosave";
import { loadWindows } from "../load-windows";
import { Counter } from "../parts/counter";
import type { Upload } from "../uploads/use-uploads";
import { composeWords } from "../words";
import { labelOf, NO, readableName, type Target, textCountOf, YES } from "./targets";
import { TikTokPanel } from "./tiktok-panel";

type Props = {
  target: Target;
  /** What the user has chosen, as the fields show it. */
  chosen: Draft["settings"][string];
  edit: EditDraft;
};

const control = "min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2";

type RowProps = Props & {
  /** The field that the focus moves to, which may be one of these. */
  goal: FieldGoal | undefined;
  isOneOfSeveral: boolean;
};

/** A field to move the focus to, and the account that it belongs to. */
export type FieldGoal = { field: string; accountKey?: string };

/**
 * The destination and the settings of one account, folded to a line unless the network requires a choice. It does not depend on
 * the texts, so typing does not render it.
 */
export const AccountSettings = memo(
  function AccountSettings({ goal, isOneOfSeveral, ...given }: RowProps) {
    const { account, network, key } = given.target;
    const [isOpen, setOpen] = useState(mustChoose(given.target));
    const [met, setMet] = useState(goal);
    if (goal !== met) {
      setMet(goal);
      if (goal?.accountKey === key) setOpen(true);
    }
    return (
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        className="border-line border-t first:border-t-0"
      >
        <summary className="flex min-h-11 items-center gap-2.5 px-3.5 py-2 text-sm [&::-webkit-details-marker]:hidden">
          <NetworkBadge platform={account.platform} className="size-5" />
          <span className="shrink-0 font-semibold">{composeWords.settingsOf(network.name)}</span>
          <span className="min-w-0 flex-1 truncate text-muted">
            {[isOneOfSeveral && handleOf(account), ...summaryOf(given.target)].filter(Boolean).join(" · ")}
          </span>
          <SpriteIcon name="chevron-down" className={`size-4 shrink-0 text-muted ${isOpen ? "rotate-180" : ""}`} />
        </summary>
        {isOpen && (
          <div className="grid grid-cols-1 items-start gap-3 px-3.5 pb-4 sm:grid-cols-2">
            <SettingsFields {...given} />
          </div>
        )}
      </details>
    );
  },
  (before, { target, ...now }) =>
    before.chosen === now.chosen &&
    before.goal === now.goal &&
    before.isOneOfSeveral === now.isOneOfSeveral &&
    before.target.account === target.account &&
    before.target.chats === target.chats &&
    before.target.chatId === target.chatId &&
    before.target.asked === target.asked &&
    String(pathsOf(before.target)) === String(pathsOf(target)),
);

function mustChoose({ network: { form, destinations, settings } }: Target): boolean {
  return form !== undefined || destinations?.required === true || settings.some(({ required }) => required);
}

/** What is chosen, in a few words. */
function summaryOf({ network, settings, chats, chatId }: Target): string[] {
  const chosen = network.settings.flatMap(({ name, kind, choices, choiceNames }) => {
    const value = settings[name];
    if (kind === "choice" && value !== undefined) return choiceNames?.[String(value)] ?? readableName(String(value));
    const entries = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
    const words = (choices ? entries.map(readableName) : entries).join(", ");
    return words ? `${labelOf(network, name)}: ${words}` : [];
  });
  const place = chats?.find(({ id }) => id === chatId)?.title;
  return [...(place ? [place] : []), ...chosen, ...(settings.firstComment ? [composeWords.withComment] : [])];
}

function SettingsFields({ target, chosen, edit }: Props) {
  const { account, network, chats = [], chatId, key } = target;
  const own = network.destinations?.own;
  const part = network.destinations?.part;
  const fields = network.settings.filter(({ name }) =>
    network.form ? network.form.fields.includes(name) : name !== part,
  );
  const set = (name: string, value: FieldValue) => edit((draft) => withSetting(draft, key, name, value));
  /** A section belongs to one board. */
  function setChat(id: string) {
    edit((draft) => ({
      ...(part ? withSetting(draft, key, part, "") : draft),
      chats: { ...draft.chats, [key]: id },
    }));
  }
  return (
    <>
      {chats.length > (own ? 0 : 1) && (
        <Labelled label={composeWords.whereToPost} id={fieldId(key, "chat")}>
          {() => (
            <select
              id={fieldId(key, "chat")}
              value={chatId ?? ""}
              onChange={(event) => setChat(event.target.value)}
              className={control}
            >
              <option value="">{own ? account.accountDisplayName : composeWords.choose}</option>
              {chats.map((chat) => (
                <option key={chat.id} value={chat.id}>
                  {chat.title}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      {!own && chats.length === 1 && chats[0] && (
        <p className="text-muted text-sm">{composeWords.postsTo(chats[0].title)}</p>
      )}
      <SectionField target={target} set={set} />
      {network.form && <TikTokPanel words={network.form} target={target} set={set} />}
      {fields.map((setting) => (
        <SettingField key={setting.name} setting={setting} target={target} chosen={chosen} set={set} />
      ))}
    </>
  );
}

/** The stored files, whose frames can be covers and which can show people. */
function storedIn({ posts: [post] }: Target) {
  return post?.files.filter(({ path }) => path) ?? [];
}

const pathsOf = (target: Target) => storedIn(target).map(({ path }) => path);

/** A text that may be longer gets several lines. */
const LONG_TEXT = 1_000;

const chosenIn = (value: SettingValue = "") => (typeof value === "boolean" ? (value ? YES : NO) : String(value));

type SetField = (name: string, value: FieldValue) => void;
type FieldProps = Pick<Props, "target" | "chosen"> & { setting: Setting; set: SetField };

function SettingField({ setting, target, chosen, set }: FieldProps) {
  const { name, kind, choices, choiceNames, maxLength, limit, preset, required } = setting;
  const id = fieldId(target.key, name);
  const value = target.settings[name];
  const typed = chosen?.[name] ?? preset ?? "";
  if (kind === "switch") {
    return (
      <label className="flex min-h-8 items-center gap-2 text-sm">
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(event) => set(name, event.target.checked)}
          className="size-5 accent-(--accent)"
        />
        {labelOf(target.network, name)}
      </label>
    );
  }
  if (setting.helper === "tags") {
    return (
      <div className="grid gap-1 text-sm">
        <span className="font-medium">{labelOf(target.network, name)}</span>
        <span className="wrap-anywhere empty:hidden">
          {tagsIn(value)
            .map(({ username }) => username)
            .join(", ")}
        </span>
        <Helper setting={setting} target={target} typed={typed} set={set} />
        <p className="text-muted text-xs">{setting.hint}</p>
      </div>
    );
  }
  if (kind === "list" && choices) {
    return (
      <fieldset className="grid gap-1 text-sm">
        <legend className="font-medium">{labelOf(target.network, name)}</legend>
        {choices.map((choice) => (
          <label key={choice} className="flex min-h-8 items-center gap-2">
            <input
              id={choice === choices[0] ? id : undefined}
              type="checkbox"
              checked={Array.isArray(typed) && typed.includes(choice)}
              onChange={(event) => {
                const others = Array.isArray(typed) ? typed.filter((one) => one !== choice) : [];
                set(name, event.target.checked ? [...others, choice] : others);
              }}
              className="size-5 accent-(--accent)"
            />
            {readableName(choice)}
          </label>
        ))}
      </fieldset>
    );
  }
  const counted = limit && limitsFor({ text: limit }, target.settings, target.account.textMax).text;
  const helper = setting.helper && <Helper setting={setting} target={target} typed={typed} set={set} />;
  return (
    <Labelled label={labelOf(target.network, name)} id={id} hint={setting.hint} helper={helper}>
      {(describedBy) =>
        kind === "list" || limit || (maxLength ?? 0) > LONG_TEXT ? (
          <>
            <textarea
              id={id}
              rows={3}
              maxLength={maxLength}
              aria-describedby={describedBy}
              value={String(typed)}
              onChange={(event) => set(name, event.target.value)}
              className={`field-sizing-content max-h-96 min-h-20 ${control}`}
            />
            {counted && <Counter count={textCountOf(counted, String(value ?? ""))} />}
          </>
        ) : kind === "choice" || kind === "question" ? (
          <select
            id={id}
            value={chosenIn(value)}
            onChange={(event) => set(name, event.target.value)}
            aria-describedby={describedBy}
            className={control}
          >
            {preset === undefined && <option value="">{required ? composeWords.choose : ""}</option>}
            {(choices ?? [YES, NO]).map((choice) => (
              <option key={choice} value={choice}>
                {choiceNames?.[choice] ?? readableName(choice)}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            type="text"
            inputMode={kind === "number" ? "decimal" : undefined}
            maxLength={maxLength}
            aria-describedby={describedBy}
            value={String(typed)}
            onChange={(event) => set(name, event.target.value)}
            className={control}
          />
        )
      }
    </Labelled>
  );
}

type LabelledProps = {
  label: string;
  id: string;
  hint?: string;
  helper?: ReactNode;
  children: (describedBy?: string) => ReactNode;
};

function Labelled({ label, id, hint, helper, children }: LabelledProps) {
  const hintId = hint && `${id}-hint`;
  return (
    <div className="grid gap-1 text-sm">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(hintId)}
      {hint && (
        <p id={hintId} className="text-muted text-xs">
          {hint}
        </p>
      )}
      {helper}
    </div>
  );
}

// Loaded at the press.
const HelperWindow = loadedLater(() => loadWindows().then(({ HelperWindow }) => HelperWindow));

type HelperProps = Pick<FieldProps, "setting" | "target"> & { typed: FieldValue; set: SetField };

/** The editor of tags, a script of its own that is loaded at the press (docs/adr/0059-tag-editor.md). */
type TagEditor = {
  openTagEditor(given: {
    title: string;
    words: HelperWords["tags"];
    files: Upload[];
    value: FieldValue;
    set: (tags: PlacedTag[]) => void;
  }): void;
};
const loadTagEditor = (): Promise<TagEditor> => import(/* turbopackIgnore: true */ `${location.origin}/tag-editor.js`);

/** A button for a value that people cannot type: it opens the account's list, a search, a file, or the video. */
function Helper({ setting, target, typed, set }: HelperProps) {
  const { name, helper, maxLength } = setting;
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const title = composeWords.chooseFor(labelOf(target.network, name));
  async function read(file: File) {
    const text = await textOf(file);
    const isTooLong = maxLength !== undefined && text.length > maxLength;
    setProblem(isTooLong ? composeWords.fileTooLong(file.name) : undefined);
    if (!isTooLong) set(name, text);
  }
  const files = storedIn(target);
  function open() {
    if (helper === "text file") return input.current?.click();
    if (helper !== "tags") return setOpen(true);
    const given = { title, words: target.network.helperWords.tags, files, value: typed };
    loadTagEditor().then(
      ({ openTagEditor }) => openTagEditor({ ...given, set: (tags) => set(name, tags) }),
      () => setProblem(uiWords.notOpened),
    );
  }
  if (helper === "tags" ? files.length === 0 : helper === "frame" && !files.some(({ kind }) => kind === "video"))
    return null;
  return (
    <>
      <button
        type="button"
        id={helper === "tags" ? fieldId(target.key, name) : undefined}
        onClick={open}
        className="min-h-8 justify-self-start text-accent underline"
      >
        {helper === "text file" ? composeWords.chooseFile : title}
      </button>
      {helper === "text file" && (
        <input
          ref={input}
          type="file"
          accept=".srt,.vtt"
          aria-label={title}
          className="hidden"
          onChange={({ target: { files } }) => files?.[0] && void read(files[0])}
        />
      )}
      {problem && (
        <p role="alert" className="text-wrong text-xs">
          {problem}
        </p>
      )}
      {isOpen && (
        <HelperWindow
          accountId={target.account.id}
          setting={setting}
          files={files}
          words={target.network.helperWords}
          title={title}
          typed={typed}
          set={(value) => set(name, value)}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Old caption files are not in UTF-8. Windows-1252 has a character for almost every byte. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The sections of the chosen board; nothing if it has none. */
function SectionField({ target, set }: { target: Target; set: SetField }) {
  const { account, network, chatId, key, settings } = target;
  const part = network.destinations?.part;
  const sections = useQuery({
    queryKey: ["sections", account.id, chatId],
    queryFn: ({ signal }) =>
      callApi<BoardSection[]>(`/v1/accounts/${account.id}/chats/${encodeURIComponent(chatId ?? "")}/sections`, {
        signal,
      }),
    enabled: part !== undefined && chatId !== undefined,
  });
  if (!part || !chatId) return null;
  if (sections.error) {
    return <p className="text-sm text-warn">{composeWords.sectionsNotRead(sections.error.message)}</p>;
  }
  if (!sections.data?.length) return null;
  const id = fieldId(key, part);
  return (
    <div className="grid gap-1 text-sm">
      <label htmlFor={id} className="font-medium">
        {labelOf(network, part)}
      </label>
      <select
        id={id}
        value={String(settings[part] ?? "")}
        onChange={(event) => set(part, event.target.value)}
        className={control}
      >
        <option value="">{composeWords.noSection}</option>
        {sections.data.map((section) => (
          <option key={section.id} value={section.id}>
            {section.title}
          </option>
        ))}
      </select>
    </div>
  );
}
