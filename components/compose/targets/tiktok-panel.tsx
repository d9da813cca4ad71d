"use client";
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { Sentence } from "../../ui/sentence";
import { fieldId } from "../check/fixes";
import type { Draft } from "../draft/draft";
import { readableName } from "./labels";
import type { Target } from "./targets";
import { targetWords } from "./words";

type Props = { target: Target; form: UseFormReturn<Draft> };
type Field = (name: string, value: string | boolean) => void;

const LINKS = {
  music: "https://www.tiktok.com/legal/page/global/music-usage-confirmation/en",
  branded: "https://www.tiktok.com/legal/page/global/bc-policy/en",
};

/**
 * The form that TikTok requires (developers.tiktok.com/docs/en/content-sharing-guidelines): the creator's name, the
 * audience without a default, interactions off by default, a declaration of advertising, and the sentence about music
 * above the button.
 */
export function TikTokPanel({ target, form }: Props) {
  const { key, settings, options } = target;
  const set: Field = (name, value) => form.setValue(`settings.${key}.${name}`, value, { shouldDirty: true });
  if (!options) return null;
  const branded = <Outside href={LINKS.branded}>{targetWords.tiktok.brandedPolicy}</Outside>;
  const music = <Outside href={LINKS.music}>{targetWords.tiktok.musicConfirmation}</Outside>;
  return (
    <div className="grid gap-4 text-sm">
      <p>
        <Sentence text={targetWords.tiktok.postsAs} parts={{ name: <strong>{options.displayName}</strong> }} />
      </p>
      <Privacy target={target} set={set} />
      <Interactions target={target} set={set} />
      <Advertising target={target} set={set} />
      <Check
        label={targetWords.tiktok.madeWithAi}
        isOn={settings.aiContent === true}
        set={(on) => set("aiContent", on)}
      />
      <Check
        label={targetWords.tiktok.addMusic}
        isOn={settings.autoAddMusic === true}
        set={(on) => set("autoAddMusic", on)}
      />
      <Check
        label={targetWords.tiktok.sendToDrafts}
        isOn={settings.sendToDrafts === true}
        set={(on) => set("sendToDrafts", on)}
      />
      <p className="text-muted">
        {settings.brandContent === true ? (
          <Sentence text={targetWords.tiktok.agreeToBoth} parts={{ branded, music }} />
        ) : (
          <Sentence text={targetWords.tiktok.agreeToMusic} parts={{ music }} />
        )}
      </p>
    </div>
  );
}

type PartProps = { target: Target; set: Field };

function Privacy({ target: { key, options, settings }, set }: PartProps) {
  const id = fieldId(key, "privacyLevel");
  const isBranded = settings.brandContent === true;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {targetWords.tiktok.whoCanSee}
      </label>
      <select
        id={id}
        value={String(settings.privacyLevel ?? "")}
        onChange={(event) => set("privacyLevel", event.target.value)}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2"
      >
        <option value="">{targetWords.tiktok.choose}</option>
        {options?.settings.privacyLevel?.map((level) => (
          <option key={String(level)} value={String(level)} disabled={isBranded && level === "SELF_ONLY"}>
            {readableName(String(level))}
          </option>
        ))}
      </select>
      {isBranded && <p className="text-muted">{targetWords.tiktok.brandedNotAlone}</p>}
    </div>
  );
}

const interactions = [
  ["disableComments", targetWords.tiktok.comment],
  ["disableDuet", targetWords.tiktok.duet],
  ["disableStitch", targetWords.tiktok.stitch],
] as const;

function Interactions({ target: { options, settings }, set }: PartProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{targetWords.tiktok.letOthers}</legend>
      {interactions.map(([name, label]) => (
        <Check
          key={name}
          label={label}
          isOn={settings[name] === false}
          isOff={options?.settings[name]?.includes(false) === false}
          set={(on) => set(name, !on)}
        />
      ))}
    </fieldset>
  );
}

function Advertising({ target: { settings }, set }: PartProps) {
  const isDeclared = settings.brandOrganic === true || settings.brandContent === true;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{targetWords.tiktok.promotes}</legend>
      <Check
        label={targetWords.tiktok.yourBrand}
        isOn={settings.brandOrganic === true}
        set={(on) => set("brandOrganic", on)}
      />
      <Check
        label={targetWords.tiktok.brandedContent}
        isOn={settings.brandContent === true}
        isOff={settings.privacyLevel === "SELF_ONLY"}
        set={(on) => set("brandContent", on)}
      />
      {isDeclared && (
        <p className="text-muted">
          {settings.brandContent === true ? targetWords.tiktok.labelledPaid : targetWords.tiktok.labelledPromotional}
        </p>
      )}
    </fieldset>
  );
}

type CheckProps = { label: string; isOn: boolean; isOff?: boolean; set: (on: boolean) => void };

function Check({ label, isOn, isOff = false, set }: CheckProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 has-disabled:text-muted">
      <input
        type="checkbox"
        checked={isOn && !isOff}
        disabled={isOff}
        onChange={(event) => set(event.target.checked)}
        className="size-5 accent-(--accent)"
      />
      {label}
      {isOff && <span className="text-xs">{targetWords.tiktok.switchedOff}</span>}
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
