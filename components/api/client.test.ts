import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { readAnew } from "./client";

test.each([
  ["a page's first answer", ["before", "after"]],
  ["a later one", ["earlier", "before", "after"]],
])("replaces %s that was requested before a change", async (_, told) => {
  const cache = new QueryClient();
  const answers: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((answer) => answers.push(answer));
  const page = new QueryObserver(cache, { queryKey: ["queue", 1], queryFn });
  const leave = page.subscribe(() => {});
  for (const early of told.slice(0, -2)) {
    answers.at(-1)?.(early);
    await vi.waitFor(() => expect(page.getCurrentResult().data).toBe(early), { timeout: 45_000 });
    void page.refetch();
  }
  const whole = readAnew(cache, { queryKey: ["queue"] });
  await vi.waitFor(
    () => {
      answers.at(-1)?.(told[answers.length - 1] as string);
      expect(answers).toHaveLength(told.length);
    },
    { timeout: 45_000 },
  );
  await whole;
  expect(page.getCurrentResult()).toMatchObject({ status: "success", data: "after", fetchStatus: "idle" });
  leave();
});
