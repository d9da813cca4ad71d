import { type RefObject, useId, useState } from "react";
import type { ApiAccount } from "../api/types";
import { Button } from "../ui/button";
import type { ImportReport } from "./queries";
import { RowTable } from "./row-table";
import { checkWords, disabledReason, submitWords } from "./summary";
import { bulkWords } from "./words";

type Props = {
  report: ImportReport;
  accounts: ApiAccount[];
  heading: RefObject<HTMLHeadingElement | null>;
  isBusy: boolean;
  submit: (skipInvalid: boolean) => void;
};

/** The result of checking a file, row by row, with the button that imports it. */
export function CheckedFile({ report, accounts, heading, isBusy, submit }: Props) {
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
