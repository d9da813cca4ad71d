"use client";

import { type RefObject, useId, useState } from "react";
import { useDropzone } from "react-dropzone";
import { platforms } from "@/lib/platforms";
import { useAccounts } from "../api/queries";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { ownZone } from "../time/zone";
import { Button, buttonClass } from "../ui/button";
import { FileSpreadsheet } from "../ui/icons";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { useFocusOn } from "../ui/use-focus-on";
import { type ImportReport, useCheckFile, useImportFile } from "./queries";
import { RowTable } from "./row-table";
import { checkWords, disabledReason, importSummary, submitWords } from "./summary";
import { bulkWords } from "./words";

const HEADINGS = "date,time,timeZone,accounts,text,media";
const DAY_MS = 86_400_000;
const NOBODY = "x:your-handle";

/**
 * Returns a sample CSV file for these accounts and the next two days. If some accounts accept text alone, it can be
 * imported as it is.
 */
export function sampleFile(accounts: ApiAccount[], nowMs: number, zone: string): string {
  const [first = NOBODY, second] = accounts.map(nameOf);
  const day = (days: number) =>
    new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(nowMs + days * DAY_MS);
  const rows = [
    [day(1), "09:00", zone, first, bulkWords.sampleText, ""],
    [day(2), "18:30", zone, [first, second].filter(Boolean).join("; "), bulkWords.sampleQuotes, ""],
  ];
  return `${[HEADINGS, ...rows.map((cells) => cells.map(quoted).join(","))].join("\r\n")}\r\n`;
}

/** An account as the `accounts` column names it. */
function nameOf({ id, platform, accountUsername }: ApiAccount): string {
  const handle = accountUsername.replace(/^@/, "");
  return handle === "" ? String(id) : `${platforms[platform]}:${handle}`;
}

function quoted(cell: string): string {
  return /[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Choose a file, check it, review it, import it. The newest result gets the focus, so that it is read aloud. */
export function ImportPosts({ networks }: { networks: NetworkFacts[] }) {
  const accounts = useAccounts();
  const check = useCheckFile();
  const create = useImportFile();
  const [file, setFile] = useState<File>();
  const heading = useFocusOn(create.data ?? create.error ?? check.data ?? check.error);

  function choose(chosen: File) {
    create.reset();
    setFile(chosen);
    check.mutate(chosen);
  }

  const known = accounts.data ?? [];
  const failure = create.error ?? check.error;
  return (
    <div className="grid gap-6">
      <FileField choose={choose} fileName={file?.name} isBusy={check.isPending || create.isPending} />
      <Sample networks={networks} />
      <p role="status" className="text-muted">
        {check.isPending && bulkWords.checking}
        {create.isPending && bulkWords.creating}
      </p>
      {failure && (
        <div ref={heading} tabIndex={-1}>
          <Notice tone="wrong">{failure.message}</Notice>
        </div>
      )}
      {create.data ? (
        <section aria-labelledby="result" className="grid gap-4">
          <h2 id="result" ref={heading} tabIndex={-1} className="font-semibold text-lg">
            {importSummary(create.data)}
          </h2>
          <RowTable caption={bulkWords.whatCame} rows={create.data.rows} accounts={known} />
        </section>
      ) : (
        check.data &&
        file && (
          <CheckedFile
            key={file.name + file.lastModified}
            heading={heading}
            report={check.data}
            accounts={known}
            isBusy={create.isPending}
            submit={(skipInvalid) => create.mutate({ csv: file, skipInvalid })}
          />
        )
      )}
    </div>
  );
}

/**
 * The sample's times are in the reader's time zone, so it exists only in the browser and after the accounts have
 * loaded.
 */
function Sample({ networks }: { networks: NetworkFacts[] }) {
  const { data } = useAccounts();
  const nowMs = useNow(60_000);
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
      <a
        href={data && sampleLink(data, networks, nowMs)}
        download="carillon-sample.csv"
        className={buttonClass("quiet")}
      >
        {bulkWords.sample}
      </a>
      <a href="/docs/csv" className="text-accent underline">
        {bulkWords.columns}
      </a>
      <span>{bulkWords.howMany}</span>
    </p>
  );
}

/** @returns a data URL of the file, for accounts that accept text alone if there are any */
function sampleLink(accounts: ApiAccount[], networks: NetworkFacts[], nowMs: number): string {
  const takesWords = ({ platform }: ApiAccount) => networks.find((one) => one.platform === platform)?.formats.text;
  const suited = accounts.filter(takesWords);
  const file = sampleFile(suited.length > 0 ? suited : accounts, nowMs, ownZone());
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${file}`)}`;
}

type FieldProps = { choose: (file: File) => void; fileName?: string; isBusy: boolean };

/** A field for a file that is dropped or chosen; the chosen name stays visible. */
function FileField({ choose, fileName, isBusy }: FieldProps) {
  const [refused, setRefused] = useState<string>();
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: false,
    onDrop: ([file], rejections) => {
      setRefused(rejections.length > 0 ? bulkWords.oneAtATime : undefined);
      if (file) choose(file);
    },
  });
  return (
    <div
      {...getRootProps({ role: undefined })}
      className={`grid justify-items-start gap-3 rounded-xl border border-dashed p-5 ${isDragActive ? "border-accent bg-accent-soft" : "border-edge"}`}
    >
      <input {...getInputProps({ "aria-label": bulkWords.csvFile })} />
      <p className="text-muted">
        {fileName ? (
          <Sentence
            text={bulkWords.chosen}
            parts={{ file: <span className="break-all font-medium text-ink">{fileName}</span> }}
          />
        ) : (
          bulkWords.drop
        )}
      </p>
      <Button look={fileName ? "quiet" : "primary"} aria-disabled={isBusy} onClick={() => isBusy || open()}>
        <FileSpreadsheet aria-hidden className="size-4" /> {fileName ? bulkWords.chooseAnother : bulkWords.choose}
      </Button>
      {refused && (
        <p role="alert" className="text-sm text-wrong">
          {refused}
        </p>
      )}
    </div>
  );
}

type CheckedProps = {
  report: ImportReport;
  accounts: ApiAccount[];
  heading: RefObject<HTMLHeadingElement | null>;
  isBusy: boolean;
  submit: (skipInvalid: boolean) => void;
};

/** The result of checking a file, row by row, with the button that imports it. */
function CheckedFile({ report, accounts, heading, isBusy, submit }: CheckedProps) {
  const [skips, setSkips] = useState(false);
  const why = useId();
  const { invalid, ready } = report.counts;
  const obstructed = disabledReason(report, skips);
  const isOff = obstructed !== undefined || isBusy;
  return (
    <section aria-labelledby="checked" className="grid gap-4">
      <h2 id="checked" ref={heading} tabIndex={-1} className="font-semibold text-lg">
        {checkWords(report)}
      </h2>
      {invalid > 0 && ready > 0 && (
        <label className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            checked={skips}
            onChange={({ target }) => setSkips(target.checked)}
            className="size-5"
          />
          {bulkWords.leaveOut(invalid)}
        </label>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button aria-disabled={isOff} aria-describedby={why} onClick={() => isOff || submit(skips)}>
          {isBusy ? bulkWords.creating : submitWords(report.rows)}
        </Button>
        <p id={why} className="text-muted text-sm">
          {obstructed}
        </p>
      </div>
      <RowTable caption={bulkWords.rowsOfFile} rows={report.rows} accounts={accounts} />
    </section>
  );
}
