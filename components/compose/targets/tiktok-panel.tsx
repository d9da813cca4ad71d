"use client";
import type { ReactNode } from "react";
import type { NetworkFacts } from "../../networks/types";
import { Sentence } from "../../ui/sentence";
import { fieldId } from "../check/fixes";
import type { Target } from "./targets";
import { readableName } from "./targets";

type Words = { words: NonNullable<NetworkFacts["form"]> };
type Field = (name: string, value: string | boolean) => void;
type Props = Words & { target: Target; set: Field };

/**
 * The form that TikTok requires (developers.tiktok.com/docs/en/content-sharing-guidelines): the creator's name, the
 * audience without a default, interactions off by default, a declaration of advertising, and the sentence about music
 * above the button.
 */
export function TikTokPanel({ words, target, set }: Props) {
  const { settings, options } = target;
  if (!options) return null;
  const branded = <Outside href={words.links.branded}>{words.brandedPolicy}</Outside>;
  const music = <Outside href={words.links.music}>{words.musicConfirmation}</Outside>;
  return (
    <div className="grid gap-4 text-sm sm:col-span-full">
      <p>
        <Sentence text={words.postsAs} parts={{ name: <strong>{options.displayName}</strong> }} />
      </p>
      <Privacy words={words} target={target} set={set} />
      <Interactions words={words} target={target} set={set} />
      <Advertising words={words} target={target} set={set} />
      <Check label={words.madeWithAi} isOn={settings.aiContent === true} set={(on) => set("aiContent", on)} />
      <Check label={words.addMusic} isOn={settings.autoAddMusic === true} set={(on) => set("autoAddMusic", on)} />
      <Check label={words.sendToDrafts} isOn={settings.sendToDrafts === true} set={(on) => set("sendToDrafts", on)} />
      <p className="text-muted">
        {settings.brandContent === true ? (
          <Sentence text={words.agreeToBoth} parts={{ branded, music }} />
        ) : (
          <Sentence text={words.agreeToMusic} parts={{ music }} />
        )}
      </p>
    </div>
  );
}

type PartProps = Words & { target: Target; set: Field };

function Privacy({ words, target: { key, options, settings }, set }: PartProps) {
  const id = fieldId(key, "privacyLevel");
  const isBranded = settings.brandContent === true;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {words.whoCanSee}
      </label>
      <select
        id={id}
        value={String(settings.privacyLevel ?? "")}
        onChange={(event) => set("privacyLevel", event.target.value)}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2"
      >
        <option value="">{words.choose}</option>
        {options?.settings.privacyLevel?.map((level) => (
          <option key={String(level)} value={String(level)} disabled={isBranded && level === "SELF_ONLY"}>
            {readableName(String(level))}
          </option>
        ))}
      </select>
      {isBranded && <p className="text-muted">{words.brandedNotAlone}</p>}
    </div>
  );
}

function Interactions({ words, target: { options, settings }, set }: PartProps) {
  const interactions = [
    ["disableComments", words.comment],
    ["disableDuet", words.duet],
    ["disableStitch", words.stitch],
  ] as const;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{words.letOthers}</legend>
      {interactions.map(([name, label]) => (
        <Check
          key={name}
          label={label}
          isOn={settings[name] === false}
          off={options?.settings[name]?.includes(false) === false && words.switchedOff}
          set={(on) => set(name, !on)}
        />
      ))}
    </fieldset>
  );
}

function Advertising({ words, target: { settings }, set }: PartProps) {
  const isDeclared = settings.brandOrganic === true || settings.brandContent === true;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{words.promotes}</legend>
      <Check label={words.yourBrand} isOn={settings.brandOrganic === true} set={(on) => set("brandOrganic", on)} />
      <Check
        label={words.brandedContent}
        isOn={settings.brandContent === true}
        off={settings.privacyLevel === "SELF_ONLY" && words.switchedOff}
        set={(on) => set("brandContent", on)}
      />
      {isDeclared && (
        <p className="text-muted">{settings.brandContent === true ? words.labelledPaid : words.labelledPromotional}</p>
      )}
    </fieldset>
  );
}

/** `off` is the text behind a box that cannot be ticked. */
type CheckProps = { label: string; isOn: boolean; off?: string | false; set: (on: boolean) => void };

function Check({ label, isOn, off = false, set }: CheckProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 has-disabled:text-muted">
      <input
        type="checkbox"
        checked={isOn && !off}
        disabled={off !== false}
        onChange={(event) => set(event.target.checked)}
        className="size-5 accent-(--accent)"
      />
      {label}
      {off && <span className="text-xs">{off}</span>}
    </label>
  );
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-accent underline">
      {children}
    </a>
  );
}
