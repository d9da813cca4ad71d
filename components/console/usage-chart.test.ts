import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { UsageChart } from "./usage-chart";

const DAYS = 30;
const none = { published: 0, failed: 0, unknown: 0 };
const dayAt = (index: number) => new Date(Date.UTC(2026, 9, 30 + index)).toISOString().slice(0, 10);
const chartOf = (counts: { [index: number]: Partial<typeof none> }) =>
  renderToStaticMarkup(
    createElement(UsageChart, {
      days: Array.from({ length: DAYS }, (_, index) => ({ day: dayAt(index), ...none, ...counts[index] })),
    }),
  );
/** The heights of the bars of one outcome, from left to right. */
const heightsOf = (markup: string, fill: string) =>
  Array.from(markup.matchAll(/<rect [^>]*height="([\d.]+)"[^>]*class="([\w-]+)"/g))
    .filter(([, , name]) => name === fill)
    .map(([, height]) => Number(height));

test("each bar is as high as its number, and names its day and numbers", () => {
  const markup = chartOf({ 0: { published: 50 }, 28: { published: 100 }, 29: { published: 50, failed: 50 } });
  expect(heightsOf(markup, "fill-accent")).toEqual([79, 159, 79]);
  expect(heightsOf(markup, "fill-wrong")).toEqual([79]);
  expect(markup).toContain("<title>30 Oct: 50 published</title>");
  expect(markup).toContain("<title>31 Oct: no posts</title>");
  expect(markup).toContain("<title>28 Nov: 50 published, 50 failed</title>");
  expect(markup).not.toContain("style=");
});

test("a single failure among thousands of posts is visible", () => {
  const [failed = 0] = heightsOf(chartOf({ 29: { published: 12_000, failed: 1 } }), "fill-wrong");
  expect(failed).toBeGreaterThanOrEqual(2);
});

test("the axis ends at an even number at or above the highest day", () => {
  const ticks = (published: number) =>
    Array.from(chartOf({ 3: { published } }).matchAll(/<span>([^<]+)<\/span>/g), ([, text]) => text);
  expect(ticks(1)).toEqual(["2", "1", "0"]);
  expect(ticks(10)).toEqual(["10", "5", "0"]);
  expect(ticks(9)).toEqual(["10", "5", "0"]);
  expect(ticks(61)).toEqual(["80", "40", "0"]);
  expect(ticks(11_500)).toEqual(["20k", "10k", "0"]);
});

test("the numbers are a sentence for screen readers and a table, newest first", () => {
  const markup = chartOf({ 0: { published: 1_204 }, 29: { published: 1, failed: 2 } });
  expect(markup).toContain('aria-label="Posts each day from 30 Oct to 28 Nov: 1,205 published, 2 failed"');
  const rows = Array.from(markup.matchAll(/<tr>(.*?)<\/tr>/g), ([, row = ""]) => row.replaceAll(/<[^>]*>/g, " "));
  const words = rows.map((row) => row.trim().split(/ {2,}/));
  expect(words[0]).toEqual(["Day", "Published", "Failed"]);
  expect(words[1]).toEqual(["28 Nov", "1", "2"]);
  expect(words.at(-1)).toEqual(["30 Oct", "1,204", "0"]);
  expect(words).toHaveLength(DAYS + 1);
});

test("unknown outcomes have their own colour and column", () => {
  const markup = chartOf({ 29: { published: 1, unknown: 1 } });
  expect(heightsOf(markup, "fill-warn")).toEqual([79]);
  expect(markup).toContain('<th scope="col" class="px-4 py-2 font-semibold">Outcome unknown</th>');
});

test("thirty days without posts are a sentence, not an empty chart", () => {
  expect(chartOf({})).toBe('<p class="text-muted">No posts in the last 30 days.</p>');
});
