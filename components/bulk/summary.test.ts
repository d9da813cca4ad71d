import { describe, expect, test } from "vitest";
import { parseTable } from "@/lib/schedules/csv/table";
import type { ApiAccount } from "../api/types";
import { sampleFile } from "./import-posts";
import type { ApiImportedRow, ImportReport } from "./queries";
import { checkWords, disabledReason, importSummary, problemWords, submitWords } from "./summary";

const row = (outcome: ApiImportedRow["outcome"], isDraft = false): ApiImportedRow => ({
  ...{ row: 2, outcome, isDraft, socialMediaAccountIds: [], text: "", problems: [] },
});
const report = (...rows: ApiImportedRow[]): ImportReport => {
  const count = (outcome: ApiImportedRow["outcome"]) => rows.filter((one) => one.outcome === outcome).length;
  const counts = {
    ready: count("ready"),
    invalid: count("invalid"),
    created: count("created"),
    existing: count("existing"),
  };
  return { dryRun: true, counts, rows };
};

test("writes a problem as a sentence, with the fix if it is meant for people", () => {
  const words = (rule: string, message: string, more = {}) => problemWords({ path: "", rule, message, ...more });
  expect(words("account.unknown", "", { measured: "x:nobody" })).toBe(
    "None of your accounts is called “x:nobody”. Write it like x:handle.",
  );
  expect(words("text.length", "X takes at most 280 characters, this text has 281", { column: "text" })).toBe(
    "X takes at most 280 characters, this text has 281.",
  );
  expect(words("csv.time", "is not a date that is known: x", { column: "date", fix: "Write it like 2030-01-31" })).toBe(
    "Date is not a date that is known: x. Write it like 2030-01-31.",
  );
  expect(words("account.held", "waits: 4", { column: "accounts", fix: "Send POST /v1/accounts/4/confirm" })).toBe(
    "Accounts waits: 4.",
  );
});

describe("submit button", () => {
  test.each([
    [[row("ready"), row("ready"), row("invalid")], "Schedule 2 posts"],
    [[row("ready"), row("ready", true)], "Schedule 1 post and keep 1 draft"],
    [[row("ready", true), row("ready", true)], "Keep 2 drafts"],
    [[row("invalid")], "Schedule 0 posts"],
  ])("states what it creates", (rows, words) => {
    expect(submitWords(rows)).toBe(words);
  });

  test("states why it is disabled", () => {
    const some = report(row("ready"), row("invalid"));
    expect(disabledReason(some, false)).toMatch(/^1 row is wrong/);
    expect(disabledReason(some, true)).toBeUndefined();
    expect(disabledReason(report(row("ready")), false)).toBeUndefined();
    expect(disabledReason(report(row("invalid")), true)).toMatch(/^No row is right/);
    expect(disabledReason(report(row("existing"), row("existing")), false)).toMatch(/all rows are there already/);
  });
});

test("summarises the check and the import in one line each", () => {
  expect(checkWords(report(row("ready"), row("invalid"), row("existing")))).toBe(
    "1 row ready, 1 wrong, 1 already there",
  );
  expect(importSummary(report(row("created"), row("created"), row("invalid")))).toBe("2 posts created, 1 row left out");
});

test("creates a readable sample for the user's accounts and the next days", async () => {
  const account = (id: number, platform: ApiAccount["platform"], accountUsername: string): ApiAccount => ({
    ...{
      id,
      platform,
      accountUsername,
      accountId: "1",
      accountDisplayName: "A",
      state: "ACTIVE",
      stateTime: "",
      createdTime: "",
      updatedTime: "",
    },
  });
  const rows = async (accounts: ApiAccount[]) => {
    const file = sampleFile(accounts, Date.parse("2031-12-30T23:30:00Z"), "Europe/Berlin");
    const table = await parseTable(Buffer.from(file));
    return table.map(({ cells }) => [cells.get("date"), cells.get("accounts"), cells.get("text")]);
  };
  expect(await rows([account(1, "X_TWITTER", "@alice"), account(7, "TELEGRAM", "")])).toEqual([
    ["2032-01-01", "x:alice", "The bells ring at nine"],
    ["2032-01-02", "x:alice; 7", 'They say "ding, dong"'],
  ]);
  expect((await rows([]))[0]?.[1]).toBe("x:your-handle");
});
