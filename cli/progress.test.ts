import { expect, test } from "vitest";
import { withProgress } from "./progress";

async function shown(isTTY: boolean): Promise<string[]> {
  const written: string[] = [];
  let now = 0;
  const work = async (say: (text: string) => void) => {
    for (const at of [0, 1_900, 2_000, 2_500, 3_100]) {
      now = at;
      say(`step ${at}`);
    }
    return "done";
  };
  const output = { isTTY, write: (text: string) => written.push(text) };
  expect(await withProgress("restore", work, output, () => now)).toBe("done");
  return written;
}

test("progress is shown after two seconds, at most once a second, as one line per update", async () => {
  expect(await shown(false)).toEqual(["restore: step 2000 (2 s)\n", "restore: step 3100 (3 s)\n"]);
});

test("in a terminal, the line is replaced, and removed at the end", async () => {
  const clear = "\u001b[K";
  const lines = [`\rrestore: step 2000 (2 s)${clear}`, `\rrestore: step 3100 (3 s)${clear}`, `\r${clear}`];
  expect(await shown(true)).toEqual(lines);
});

test("a command that ends within two seconds shows nothing", async () => {
  const written: string[] = [];
  await withProgress("restore", async (say) => say("a"), { write: (text) => written.push(text) });
  expect(written).toEqual([]);
});
