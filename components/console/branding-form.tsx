"use client";
import { type ReactNode, useState } from "react";
import type { BrandingSettings } from "@/lib/partners";
import { Button } from "../ui/button";
import { consoleWords } from "./words";

type Props = {
  client: string;
  partnerName: string;
  settings: BrandingSettings;
  languages: string[];
};

const FIELD = "min-h-11 w-full rounded-lg border border-edge bg-surface px-3";

/** The form with a live preview of a connect page; without script, the preview shows the stored settings. */
export function BrandingForm({ client, partnerName, settings, languages }: Props) {
  const preview = `/console/${client}/preview`;
  const [problems, setProblems] = useState<string[]>([]);
  const [page, setPage] = useState(`${preview}/page`);
  const wrong = (name: string) => problems.find((problem) => problem.startsWith(`${name} `));

  async function show(form: HTMLFormElement) {
    const typed = [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === "string");
    const draft = new URLSearchParams(typed);
    setPage(`${preview}/page?${draft}`);
    const answer = await fetch(`${preview}?${draft}`).catch(() => undefined);
    if (answer?.ok) setProblems((await answer.json()).problems);
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
          <input {...own("accent")} defaultValue={settings.accent ?? ""} autoComplete="off" className={FIELD} />
        </Field>
        <Field
          name="accentDark"
          label={consoleWords.brandingForm.accentDark}
          hint={consoleWords.brandingForm.accentDarkHint}
          wrong={wrong("accentDark")}
        >
          <input {...own("accentDark")} defaultValue={settings.accentDark ?? ""} autoComplete="off" className={FIELD} />
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
          <input {...own("logo")} type="file" accept="image/*" className={`${FIELD} py-2`} />
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

type FieldProps = { name: string; label: string; hint: string; wrong?: string; children: ReactNode };

/** The attributes that link a control to its label, hint and problem. */
function own(name: string) {
  return { id: name, name, "aria-describedby": `${name}-hint ${name}-wrong` };
}

function Field({ name, label, hint, wrong, children }: FieldProps) {
  return (
    <div className="grid gap-1">
      <label htmlFor={name} className="font-medium">
        {label}
      </label>
      {children}
      <p id={`${name}-hint`} className="text-muted text-sm">
        {hint}
      </p>
      <p id={`${name}-wrong`} role="status" className="text-sm text-wrong">
        {wrong}
      </p>
    </div>
  );
}
