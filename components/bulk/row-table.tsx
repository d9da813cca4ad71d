import type { ReactNode } from "react";
import { handleOf } from "../accounts/names";
import type { ApiAccount } from "../api/types";
import { NetworkBadge } from "../networks/badge";
import { dateAndTime } from "../time/format";
import { ownZone } from "../time/zone";
import { CheckCircle2, type IconComponent, TriangleAlert, XCircle } from "../ui/icons";
import { Link } from "../ui/link";
import type { ApiImportedRow, ApiRowProblem } from "./queries";
import { problemWords } from "./summary";
import { bulkWords } from "./words";

type Props = { caption: string; rows: ApiImportedRow[]; accounts: ApiAccount[] };

/** The rows of a file as a table; on a phone, one card per row. */
export function RowTable({ caption, rows, accounts }: Props) {
  return (
    <>
      {/* Without an offset, because it differs between rows when the clocks change. */}
      <p className="text-muted text-sm">{bulkWords.yourClock(ownZone())}</p>
      <Rows caption={caption} rows={rows} accounts={accounts} />
    </>
  );
}

function Rows({ caption, rows, accounts }: Props) {
  return (
    <table className="block w-full text-left text-sm md:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr>
          {bulkWords.headings.map((heading) => (
            <th key={heading} scope="col" className="whitespace-nowrap px-3 py-2 font-semibold">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="grid gap-3 md:table-row-group">
        {rows.map((row) => (
          <Row key={row.row} row={row} accounts={accounts} />
        ))}
      </tbody>
    </table>
  );
}

const signs: Record<ApiImportedRow["outcome"], { icon: IconComponent; look: string }> = {
  ready: { icon: CheckCircle2, look: "bg-accent-soft text-accent" },
  created: { icon: CheckCircle2, look: "bg-accent-soft text-accent" },
  existing: { icon: TriangleAlert, look: "bg-warn-soft text-warn" },
  invalid: { icon: XCircle, look: "bg-wrong-soft text-wrong" },
};

function Row({ row, accounts }: { row: ApiImportedRow; accounts: ApiAccount[] }) {
  const { row: number, outcome, id, scheduledTime, isDraft, socialMediaAccountIds, text, problems } = row;
  const { icon: Icon, look } = signs[outcome];
  return (
    <tr className="grid gap-2 rounded-xl border border-line bg-surface p-4 md:table-row">
      <th scope="row" className="align-top font-semibold md:px-3 md:py-3">
        <span className="flex flex-wrap items-center gap-2">
          <span>
            <span className="md:sr-only">{bulkWords.row}</span>
            {number}
          </span>
          <span
            className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium ${look}`}
          >
            <Icon aria-hidden className="size-4" />
            {bulkWords.outcomes[outcome]}
          </span>
          {id !== undefined && (
            <Link href={`/posts/${id}`} className="text-accent underline">
              {bulkWords.seeIt}
              <span className="sr-only">{bulkWords.ofRow(number)}</span>
            </Link>
          )}
        </span>
      </th>
      <Cell>
        {scheduledTime ? (
          <time dateTime={scheduledTime}>{dateAndTime(new Date(scheduledTime))}</time>
        ) : (
          <None>{bulkWords.noTime}</None>
        )}
        {isDraft && <span className="text-muted">{bulkWords.draft}</span>}
      </Cell>
      <Cell>
        <Accounts all={accounts.filter((account) => socialMediaAccountIds.includes(account.id))} />
      </Cell>
      <Cell>
        {text === "" ? (
          <None>{bulkWords.noText}</None>
        ) : (
          <span className="wrap-anywhere line-clamp-3 whitespace-pre-line">{text}</span>
        )}
      </Cell>
      <Cell>{problems.length > 0 && <Problems problems={problems} />}</Cell>
    </tr>
  );
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="align-top empty:hidden md:px-3 md:py-3 md:empty:table-cell">{children}</td>;
}

function None({ children }: { children: string }) {
  return <span className="text-muted">{children}</span>;
}

function Accounts({ all }: { all: ApiAccount[] }) {
  if (all.length === 0) return <None>{bulkWords.noAccounts}</None>;
  return (
    <ul className="grid gap-1">
      {all.map((account) => (
        <li key={account.id} className="flex items-center gap-2">
          <NetworkBadge platform={account.platform} className="size-6" />
          <span className="wrap-anywhere md:max-w-40 md:truncate md:wrap-normal" title={handleOf(account)}>
            {handleOf(account)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Problems({ problems }: { problems: ApiRowProblem[] }) {
  return (
    <ul className="grid gap-1.5">
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.column} ${problem.rule}`} className={problem.severity ? "text-muted" : ""}>
          {problem.severity && bulkWords.note}
          {problem.column && (
            <>
              <code className="rounded bg-sunk px-1">{problem.column}</code>{" "}
            </>
          )}
          {problemWords(problem)}
        </li>
      ))}
    </ul>
  );
}
