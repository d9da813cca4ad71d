"use client";
import type { UseFormReturn } from "react-hook-form";
import { AccountFace } from "../accounts/account-face";
import { handleOf } from "../accounts/names";
import { Card } from "../ui/card";
import { Counter } from "./counter";
import type { Draft } from "./draft";
import { MediaThumb } from "./media-thumb";
import { SettingsFields } from "./settings-fields";
import type { Target } from "./targets";
import type { Upload } from "./use-uploads";

type Props = { target: Target; form: UseFormReturn<Draft>; uploads: Upload[]; refused: string[]; notes: string[] };

/** What one account will get: its own choices above, the preview below, what is wrong in between. */
export function TargetCard({ target, form, uploads, refused, notes }: Props) {
  const { key, account, network, text, shown, isOwnText, count, dropsText } = target;
  const problems = [...target.problems, ...refused];
  return (
    <Card className="grid gap-4">
      <div className="flex items-center gap-3">
        <AccountFace account={account} size="size-9" />
        <h3 className="min-w-0 flex-1 text-sm leading-tight">
          <span className="block font-semibold">{network.name}</span>
          <span className="block text-muted">{handleOf(account)}</span>
        </h3>
        {count && <Counter count={count} />}
      </div>
      {problems.length > 0 && (
        <ul className="grid gap-1 text-sm text-wrong">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note} className="text-sm text-warn">
          {note}
        </p>
      ))}
      <SettingsFields target={target} form={form} />
      {isOwnText ? (
        <div className="grid gap-1">
          <label htmlFor={`own-${key}`} className="font-medium text-sm">
            Text for {network.name} only
          </label>
          <textarea
            id={`own-${key}`}
            rows={4}
            {...form.register(`own.${key}`)}
            className="w-full rounded-lg border border-edge bg-surface px-3 py-2"
          />
          <TextButton onClick={() => form.setValue(`own.${key}`, undefined)}>Use the common text again</TextButton>
        </div>
      ) : (
        <TextButton onClick={() => form.setValue(`own.${key}`, text)}>Write another text for {network.name}</TextButton>
      )}
      <figure className="rounded-xl border border-line bg-paper p-3">
        <figcaption className="mb-2 text-muted text-xs">
          Preview. {network.name} decides on cropping and links, so it may differ.
        </figcaption>
        {dropsText ? (
          <p className="text-sm text-warn">{network.name} shows no text here; yours will not be sent.</p>
        ) : (
          <p className="whitespace-pre-wrap text-sm">{shown || <span className="text-muted">No text yet</span>}</p>
        )}
        {uploads.length > 0 && (
          <div className={`mt-3 grid gap-1 ${uploads.length > 1 ? "grid-cols-2" : ""}`}>
            {uploads.map((upload) => (
              <MediaThumb
                key={upload.id}
                media={upload}
                alt={upload.name}
                className={uploads.length > 1 ? "aspect-square" : "max-h-80 min-h-24"}
              />
            ))}
          </div>
        )}
      </figure>
    </Card>
  );
}

function TextButton({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" onClick={onClick} className="min-h-8 justify-self-start text-accent text-sm underline">
      {children}
    </button>
  );
}
