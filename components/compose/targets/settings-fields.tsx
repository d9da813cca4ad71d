"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { limitsFor } from "@/lib/networks/text/count";
import { callApi } from "../../api/client";
import type { Section } from "../../api/types";
import type { Setting, SettingValue } from "../../networks/types";
import { fieldId } from "../check/fixes";
import type { Draft } from "../draft/draft";
import { Counter } from "../parts/counter";
import { composeWords } from "../words";
import { labelOf, readableName } from "./labels";
import { countOf, NO, type Target, YES } from "./targets";
import { TikTokPanel } from "./tiktok-panel";

type Props = { target: Target; form: UseFormReturn<Draft> };

const control = "min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2";

/** The destination and the network's own fields; optional ones are folded away. */
export function SettingsFields({ target, form }: Props) {
  const { account, network, chats = [], chatId, key } = target;
  const own = network.destinations?.own;
  const part = network.destinations?.part;
  const fields = network.settings.filter(({ name }) =>
    network.form ? network.form.fields.includes(name) : name !== part,
  );
  const first = fields.filter(({ kind, required, preset }) => required || (kind === "choice" && preset !== undefined));
  const rest = fields.filter((setting) => !first.includes(setting));
  return (
    <>
      {chats.length > (own ? 0 : 1) && (
        <Labelled label={composeWords.whereToPost} id={fieldId(key, "chat")}>
          {() => (
            <select
              id={fieldId(key, "chat")}
              {...form.register(`chats.${key}`, {
                // A section belongs to one board.
                onChange: () => part && form.setValue(`settings.${key}.${part}`, ""),
              })}
              value={chatId ?? ""}
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
      <SectionField target={target} form={form} />
      {first.map((setting) => (
        <SettingField key={setting.name} setting={setting} target={target} form={form} />
      ))}
      {network.form && <TikTokPanel words={network.form} target={target} form={form} />}
      {rest.length > 0 && (
        <details className="text-sm">
          <summary className="min-h-8 text-accent">{composeWords.moreFor(network.name)}</summary>
          <div className="mt-2 grid gap-3">
            {rest.map((setting) => (
              <SettingField key={setting.name} setting={setting} target={target} form={form} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

/** A text that may be longer gets several lines. */
const LONG_TEXT = 1_000;

const chosenIn = (value: SettingValue = "") => (typeof value === "boolean" ? (value ? YES : NO) : String(value));

function SettingField({ setting, target, form }: Props & { setting: Setting }) {
  const { name, kind, choices, choiceNames, maxLength, limit, preset, required } = setting;
  const id = fieldId(target.key, name);
  const field = form.register(`settings.${target.key}.${name}`);
  const value = target.settings[name];
  if (kind === "switch") {
    return (
      <label className="flex min-h-8 items-center gap-2 text-sm">
        <input
          id={id}
          type="checkbox"
          {...field}
          defaultChecked={value === true}
          className="size-5 accent-(--accent)"
        />
        {labelOf(target.network, name)}
      </label>
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
              value={choice}
              {...field}
              className="size-5 accent-(--accent)"
            />
            {readableName(choice)}
          </label>
        ))}
      </fieldset>
    );
  }
  const counted = limit && limitsFor({ text: limit }, target.settings, target.account.textMax).text;
  return (
    <Labelled label={labelOf(target.network, name)} id={id} hint={setting.hint}>
      {(describedBy) =>
        kind === "list" || limit || (maxLength ?? 0) > LONG_TEXT ? (
          <>
            <textarea
              id={id}
              rows={3}
              maxLength={maxLength}
              aria-describedby={describedBy}
              {...field}
              className={`field-sizing-content max-h-96 min-h-20 ${control}`}
            />
            {counted && <Counter count={countOf(counted, String(value ?? ""))} />}
          </>
        ) : kind === "choice" || kind === "question" ? (
          <select id={id} {...field} value={chosenIn(value)} aria-describedby={describedBy} className={control}>
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
            {...field}
            className={control}
          />
        )
      }
    </Labelled>
  );
}

type LabelledProps = { label: string; id: string; hint?: string; children: (describedBy?: string) => ReactNode };

function Labelled({ label, id, hint, children }: LabelledProps) {
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
    </div>
  );
}

/** The sections of the chosen board; nothing if it has none. */
function SectionField({ target, form }: { target: Target; form: UseFormReturn<Draft> }) {
  const { account, network, chatId, key, settings } = target;
  const part = network.destinations?.part;
  const sections = useQuery({
    queryKey: ["sections", account.id, chatId],
    queryFn: ({ signal }) =>
      callApi<Section[]>(`/v1/accounts/${account.id}/chats/${encodeURIComponent(chatId ?? "")}/sections`, { signal }),
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
        {...form.register(`settings.${key}.${part}`)}
        value={String(settings[part] ?? "")}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2"
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
