"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { BrandingSettings, shownAccent } from "@/lib/partners";
import { Button } from "../ui/button";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { consoleWords } from "./words";

type Props = {
  client: string;
  partnerName: string;
  settings: BrandingSettings;
  /** The colours that the connect pages show with these settings. */
  accent: ReturnType<typeof shownAccent>;
  languages: string[];
};

const FIELD = "min-h-11 w-full rounded-lg border border-edge bg-surface px-3";

/** The form with a live preview of a connect page; without script, the preview shows the stored settings. */
export function BrandingForm({ client, partnerName, settings, accent, languages }: Props) {
  const preview = `/console/${client}/preview`;
  const [problems, setProblems] = useState<string[]>([]);
  const [page, setPage] = useState(`${preview}/page`);
  const [shown, setShown] = useState(accent);
  const latest = useRef<URLSearchParams>(undefined);
  const wrong = (name: string) => problems.find((problem) => problem.startsWith(`${name} `));

  async function show(form: HTMLFormElement) {
    const typed = [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === "string");
    const draft = new URLSearchParams(typed);
    setPage(`${preview}/page?${draft}`);
    latest.current = draft;
    const answer = await fetch(`${preview}?${draft}`).catch(() => undefined);
    if (!answer?.ok) return;
    const read = await answer.json();
    // Answers may arrive in another order than the requests.
    if (latest.current !== draft) return;
    setProblems(read.problems);
    setShown(read.accent);
  }

  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <form
        method="post"
        action={`/console/${client}/do/branding`}
        encType="multipart/form-data"
        onChange={(event) => void show(event.currentTarget)}
        className="grid content-start gap-4"
      >
        <Field
          name="displayName"
          label={consoleWords.brandingForm.name}
          hint={consoleWords.brandingForm.nameHint(partnerName)}
          wrong={wrong("displayName")}
        >
          <input {...own("displayName")} defaultValue={settings.displayName ?? ""} maxLength={60} className={FIELD} />
        </Field>
        <Field
          name="accent"
          label={consoleWords.brandingForm.accent}
          hint={consoleWords.brandingForm.accentHint}
          wrong={wrong("accent")}
        >
          <Colour name="accent" label={consoleWords.brandingForm.accent} stored={settings.accent} shown={shown.light} />
        </Field>
        <Field
          name="accentDark"
          label={consoleWords.brandingForm.accentDark}
          hint={consoleWords.brandingForm.accentDarkHint}
          wrong={wrong("accentDark")}
        >
          <Colour
            name="accentDark"
            label={consoleWords.brandingForm.accentDark}
            stored={settings.accentDark}
            shown={shown.dark}
          />
        </Field>
        <Field
          name="language"
          label={consoleWords.brandingForm.language}
          hint={consoleWords.brandingForm.languageHint}
          wrong={wrong("language")}
        >
          <select {...own("language")} defaultValue={settings.language ?? ""} className={FIELD}>
            <option value="">{consoleWords.brandingForm.browsers}</option>
            {languages.map((language) => (
              <option key={language} value={language}>
                {consoleWords.brandingForm.languages[language] ?? language}
              </option>
            ))}
          </select>
        </Field>
        <Field
          name="homeUrl"
          label={consoleWords.brandingForm.wayBack}
          hint={consoleWords.brandingForm.wayBackHint}
          wrong={wrong("homeUrl")}
        >
          <input {...own("homeUrl")} defaultValue={settings.homeUrl ?? ""} autoComplete="off" className={FIELD} />
        </Field>
        <Field name="logo" label={consoleWords.brandingForm.logo} hint={consoleWords.brandingForm.logoHint}>
          <Logo stored={settings.logoUrl} />
        </Field>
        {settings.logoUrl && (
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="withoutLogo" className="size-5" /> {consoleWords.brandingForm.withoutLogo}
          </label>
        )}
        <Button type="submit" className="justify-self-start">
          {consoleWords.brandingForm.save}
        </Button>
      </form>
      <div className="grid content-start gap-2">
        <h2 className="font-semibold">{consoleWords.brandingForm.preview}</h2>
        <p className="text-muted text-sm">{consoleWords.brandingForm.previewWhat}</p>
        <iframe
          title={consoleWords.brandingForm.previewFrame}
          src={page}
          sandbox=""
          className="h-[36rem] w-full rounded-xl border border-line"
        />
      </div>
    </div>
  );
}

type FieldProps = {
  name: string;
  label: string;
  hint: string;
  /** The problem, which begins with the name. Shown with the label instead, in place of the hint. */
  wrong?: string;
  children: ReactNode;
};

/** The attributes that link a control to its label, hint and problem. */
function own(name: string) {
  return { id: name, name, "aria-describedby": `${name}-hint ${name}-wrong` };
}

type ColourProps = {
  name: string;
  label: string;
  stored: string | null;
  /** The colour that the connect pages show. */
  shown: string;
};

/** A colour as text, with the browser's colour picker next to it. An empty field keeps the picker at the colour in use. */
function Colour({ name, label, stored, shown }: ColourProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(stored ?? "");
  const isHydrated = useIsHydrated();
  return (
    <div className="flex gap-2">
      <input
        ref={field}
        {...own(name)}
        defaultValue={stored ?? ""}
        onChange={(event) => setTyped(event.target.value.trim())}
        autoComplete="off"
        spellCheck={false}
        className={FIELD}
      />
      <input
        type="color"
        aria-label={consoleWords.brandingForm.choose(label)}
        value={/^#[0-9a-f]{6}$/i.test(typed) ? typed.toLowerCase() : shown}
        onChange={({ target: { value } }) => {
          // At once, because the form reads its fields when this event reaches it.
          if (field.current) field.current.value = value;
          setTyped(value);
        }}
        disabled={!isHydrated}
        className="h-11 w-14 shrink-0 cursor-pointer rounded-lg border border-edge bg-surface p-1"
      />
    </div>
  );
}

/** The file field with the logo: the stored one, or the file that will replace it. */
function Logo({ stored }: { stored: string | null }) {
  const [chosen, setChosen] = useState<string>();
  useEffect(() => () => (chosen ? URL.revokeObjectURL(chosen) : undefined), [chosen]);
  const url = chosen ?? stored;
  return (
    <>
      {url && (
        // biome-ignore lint/performance/noImgElement: it is already as small as it is shown
        <img
          src={url}
          alt={consoleWords.brandingForm.logoAlt}
          className="h-12 max-w-full justify-self-start rounded-[0.625rem] border border-line bg-white object-contain px-2.5 py-1.5"
        />
      )}
      <input
        {...own("logo")}
        type="file"
        accept="image/*"
        onChange={({ target: { files } }) => setChosen(files?.[0] && URL.createObjectURL(files[0]))}
        className={`${FIELD} py-2`}
      />
    </>
  );
}

function Field({ name, label, hint, wrong, children }: FieldProps) {
  return (
    <div className="grid gap-1">
      <label htmlFor={name} className="font-medium">
        {label}
      </label>
      {children}
      <p id={`${name}-hint`} hidden={wrong !== undefined} className="text-muted text-sm">
        {hint}
      </p>
      <p id={`${name}-wrong`} role="status" className="text-sm text-wrong">
        {wrong?.replace(name, label)}
      </p>
    </div>
  );
}
