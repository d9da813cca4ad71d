"use client";

import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { useAddress } from "../ui/use-address";
import { useIsHydrated } from "../ui/use-is-hydrated";
import type { TryableCall } from "./calls";
import { FIELD, Labelled } from "./fields";
import { developerWords } from "./words";

type Chosen = { id?: string };

const chosenIn = (params: URLSearchParams): Chosen => ({ id: params.get("call") ?? undefined });

type Props = {
  calls: TryableCall[];
  /** The names of the networks that are not simulated. */
  realNetworks: string[];
};

/**
 * Choose a call, fill it in, send it and see the response. The address names the call: the documentation links to it. A call
 * that can publish only shows what it would do, unless the person ticks that it shall publish.
 */
export function TryCall({ calls, realNetworks }: Props) {
  const [{ id }, choose] = useAddress(chosenIn, ({ id: call }) => ({ call }));
  const [answered, setAnswered] = useState<Answered>();
  const [isBusy, setBusy] = useState(false);
  const [isForReal, setForReal] = useState(false);
  const isHydrated = useIsHydrated(); // what is entered or chosen before would be lost
  const call = calls.find((one) => one.id === id) ?? firstOf(calls);
  if (!call) return null;

  async function make(event: FormEvent<HTMLFormElement>, chosen: TryableCall) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setAnswered(await send(chosen, new FormData(event.currentTarget)));
    setBusy(false);
  }

  return (
    <>
      <div className="wide:col-span-full">
        <Chooser
          calls={calls}
          id={call.id}
          isHydrated={isHydrated}
          onChoose={(chosen) => {
            choose({ id: chosen });
            setAnswered(undefined);
            setForReal(false);
          }}
        />
      </div>
      <Card>
        <form key={call.id} onSubmit={(event) => void make(event, call)}>
          <fieldset disabled={!isHydrated} className="grid gap-5">
            <p className="break-all font-mono text-sm">
              <span className="font-semibold">{call.method}</span> {call.path}
            </p>
            <a href={`/docs/${call.id}`} className="justify-self-start text-accent underline">
              {developerWords.aboutCall}
            </a>
            <Fields call={call} />
            {call.effect === "publishes" && (
              <label className="grid grid-cols-[auto_1fr] items-start gap-x-3">
                <input
                  type="checkbox"
                  name={FOR_REAL}
                  required={!call.rehearsal}
                  checked={isForReal}
                  onChange={(event) => setForReal(event.target.checked)}
                  className="mt-1 size-4 accent-accent"
                />
                <span className="font-medium">{developerWords.forReal(realNetworks)}</span>
                <span className="col-start-2 text-muted text-sm">
                  {call.rehearsal ? developerWords.rehearsed : developerWords.notRehearsed}
                </span>
              </label>
            )}
            <Button type="submit" aria-disabled={isBusy || undefined} className="justify-self-start">
              {isBusy ? developerWords.waiting : labelOf(call, isForReal)}
            </Button>
          </fieldset>
        </form>
      </Card>
      <div aria-live="polite" className="min-w-0">
        {answered && <Answer answered={answered} />}
      </div>
    </>
  );
}

/** The name of the box. */
const FOR_REAL = "for real";

function labelOf({ effect, rehearsal }: TryableCall, isForReal: boolean): string {
  if (effect !== "publishes") return effect === "reads" ? developerWords.send : developerWords.sendAndChange;
  return isForReal || !rehearsal ? developerWords.sendAndPublish : developerWords.rehearse;
}

type ChooserProps = { calls: TryableCall[]; id: string; isHydrated: boolean; onChoose: (id: string) => void };

function Chooser({ calls, id, isHydrated, onChoose }: ChooserProps) {
  const nouns = [...new Set(calls.map(({ noun }) => noun))];
  return (
    <Labelled label={developerWords.call}>
      <select value={id} disabled={!isHydrated} onChange={(event) => onChoose(event.target.value)} className={FIELD}>
        {nouns.map((noun) => (
          <optgroup key={noun} label={noun}>
            {calls
              .filter((one) => one.noun === noun)
              .map((one) => (
                <option key={one.id} value={one.id}>
                  {one.title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </Labelled>
  );
}

/** The first call that shows something without changing anything. */
function firstOf(calls: TryableCall[]): TryableCall | undefined {
  return calls.find(({ method, fields }) => method === "GET" && fields.every(({ required }) => !required)) ?? calls[0];
}

function Fields({ call: { fields, body, bodyType, files } }: { call: TryableCall }) {
  return (
    <>
      {fields.map(({ name, in: place, required, about, example }) => (
        <Labelled key={`${place} ${name}`} label={required ? name : developerWords.optional(name)} hint={about}>
          <input
            name={`${place} ${name}`}
            required={required}
            placeholder={example}
            autoComplete="off"
            spellCheck={false}
            className={`${FIELD} font-mono text-sm`}
          />
        </Labelled>
      ))}
      {files.map((part) => (
        <Labelled key={part} label={part}>
          <input type="file" name={`file ${part}`} required className={`${FIELD} py-2`} />
        </Labelled>
      ))}
      {body !== undefined && (
        <Labelled label={bodyType === "text/csv" ? developerWords.bodyCsv : developerWords.bodyJson}>
          <textarea
            name="body"
            defaultValue={body}
            rows={Math.min(18, body.split("\n").length + 1)}
            spellCheck={false}
            className={`${FIELD} py-2 font-mono text-sm`}
          />
        </Labelled>
      )}
    </>
  );
}

/** A response with its status, duration, request ID and body. */
function Answer({ answered: { status, ms, requestId, body } }: { answered: Answered }) {
  if (status === 0) return <Notice tone="wrong">{developerWords.noAnswer}</Notice>;
  const look = status < 400 ? "text-accent" : "text-wrong";
  return (
    <section aria-label={developerWords.answer} className="grid gap-3 rounded-2xl border border-line bg-surface p-5">
      <h2 className="font-semibold text-lg">
        <span className={look}>{developerWords.status(status)}</span>{" "}
        <span className="text-muted text-sm">{developerWords.after(ms)}</span>
      </h2>
      {requestId && (
        <p className="text-muted text-sm">
          <Sentence
            text={developerWords.requestId}
            parts={{ id: <code className="select-all break-all text-ink">{requestId}</code> }}
          />
        </p>
      )}
      {body === "" ? (
        <p className="text-muted">{developerWords.noBody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
        <pre tabIndex={0} className="max-h-[32rem] overflow-auto rounded-lg bg-sunk p-4 text-sm">
          {body}
        </pre>
      )}
    </section>
  );
}

/** The response; status 0 if there was none. */
type Answered = { status: number; ms: number; requestId?: string; body: string };

type Sent = { url: string; method: string; headers: { [name: string]: string }; body?: BodyInit };

const LONGEST = 100_000;

/** Sends the request that a form describes. The session cookie replaces a token. */
async function send(call: TryableCall, form: FormData): Promise<Answered> {
  const begun = performance.now();
  const { url, ...init } = requestOf(call, form);
  try {
    const answer = await fetch(url, { ...init, headers: { Accept: "application/json", ...init.headers } });
    const text = await answer.text();
    return {
      status: answer.status,
      ms: Math.round(performance.now() - begun),
      requestId: answer.headers.get("x-request-id") ?? undefined,
      body: shown(text),
    };
  } catch {
    return { status: 0, ms: Math.round(performance.now() - begun), body: "" };
  }
}

/** Builds the request from the form; empty optional values are omitted. A call that publishes is only rehearsed, unless the box is ticked. */
export function requestOf(call: TryableCall, form: FormData): Sent {
  const { method, path, fields, body, bodyType, files } = call;
  const rehearsal = form.get(FOR_REAL) === null ? call.rehearsal : undefined;
  const textOf = (name: string) => String(form.get(name) ?? "").trim();
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(textOf(`path ${name}`)));
  const given = fields.filter((field) => field.in === "query" && textOf(`query ${field.name}`) !== "");
  const query = new URLSearchParams(given.map(({ name }) => [name, textOf(`query ${name}`)]));
  if (rehearsal === "dryRun") query.set("dryRun", "true");
  const url = query.size > 0 ? `${filled}?${query}` : filled;
  if (files.length > 0) {
    const parts = new FormData();
    for (const part of files) parts.append(part, form.get(`file ${part}`) ?? "");
    return { url, method, headers: {}, body: parts };
  }
  if (body === undefined) return { url, method, headers: {} };
  const written = { headers: { "Content-Type": bodyType ?? "application/json" }, body: textOf("body") };
  if (rehearsal === "validate") return { url: "/v1/posts/validate", method: "POST", ...written };
  return { url, method, ...written };
}

/** Pretty-prints JSON. */
function shown(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, LONGEST);
  } catch {
    return text.slice(0, LONGEST);
  }
}
