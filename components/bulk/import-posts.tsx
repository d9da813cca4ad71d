"use client";
import { useState } from "react";
import { platforms } from "@/lib/platforms";
import { useAccounts } from "../api/queries";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Notice } from "../ui/notice";
import { useFocusOn } from "../ui/use-focus-on";
import { CheckedFile } from "./checked-file";
import { FileField } from "./file-field";
import { useCheckFile, useImportFile } from "./queries";
import { RowTable } from "./row-table";
import { importSummary } from "./summary";
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
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const file = sampleFile(suited.length > 0 ? suited : accounts, nowMs, zone);
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${file}`)}`;
}
