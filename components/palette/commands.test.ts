import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calendarAt, commandsFor, type PaletteCommand } from "./commands";
import { everyKey } from "./key-list";
import { asksForPalette, calendarKeys, listKey, postKeys, writeKey } from "./keys";

const everybody = { isStaff: false, hasConsole: false };
const allOf = (viewer: Partial<typeof everybody>) => Object.values(commandsFor({ ...everybody, ...viewer })).flat();
const target = ({ act }: PaletteCommand) => (typeof act === "object" && "to" in act ? [act.to] : []);

describe("page commands", () => {
  const FOLDER = join(import.meta.dirname, "../../app/(dashboard)");
  const pages = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file) && !file.includes("["))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`);

  test("include all pages that need no further choice", () => {
    expect(pages.length).toBeGreaterThan(15);
    const reached = allOf({ isStaff: true, hasConsole: true }).flatMap(target);
    expect(pages.filter((page) => !reached.includes(page))).toEqual([]);
    expect(reached.map((to) => to.replace(/#.*/, "")).filter((to) => !pages.includes(to))).toEqual([]);
  });

  test("include only pages that the user may see", () => {
    expect(
      allOf({})
        .flatMap(target)
        .filter((to) => /^\/(staff|console)/.test(to)),
    ).toEqual([]);
    expect(allOf({ hasConsole: true }).flatMap(target)).toContain("/console");
  });
});

test("a user's commands have distinct names", () => {
  const names = allOf({ isStaff: true, hasConsole: true }).map(({ label }) => label);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

describe("the address of the calendar from other pages and from itself", () => {
  const query = "view=week&day=2027-03-12&platform=X_TWITTER";

  test.each([
    ["a view, from elsewhere", { view: "month" }, "/posts", "/calendar?view=month"],
    [
      "a view keeps day and filters",
      { view: "day" },
      "/calendar",
      "/calendar?view=day&day=2027-03-12&platform=X_TWITTER",
    ],
    ["today keeps view and filters", { isToday: true }, "/calendar", "/calendar?view=week&platform=X_TWITTER"],
  ] as const)("%s", (_, what, path, address) => {
    expect(calendarAt(what, { path, query })).toBe(address);
  });
});

describe("keys", () => {
  test("the list contains every command's key, and every single key of the list is one", () => {
    const listed = everyKey
      .flatMap(({ lines }) => lines.flatMap(({ keys }) => keys))
      .filter((keys) => keys.length === 1);
    const written = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" } as { [key: string]: string };
    const known = [...Object.values(calendarKeys), ...Object.values(postKeys), listKey, writeKey].map(
      (key) => written[key] ?? key.toUpperCase(),
    );
    expect(
      listed
        .flat()
        .filter((key) => key !== "Esc")
        .sort(),
    ).toEqual(known.sort());
    const ofCommands = allOf({}).flatMap(({ key }) => (key ? [key.toUpperCase()] : []));
    expect(ofCommands.filter((key) => !known.includes(key))).toEqual([]);
    expect(ofCommands).toEqual(expect.arrayContaining(["T", "1", "2", "3", "N", "?"]));
  });

  const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", true>>) => ({
    ...{ ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
    key,
    ...held,
  });
  test.each([
    ["Ctrl+K", press("k", { ctrlKey: true }), [true, false]],
    ["Ctrl+K with Caps Lock", press("K", { ctrlKey: true }), [true, false]],
    ["⌘K", press("k", { metaKey: true }), [false, true]],
    ["K alone", press("k", {}), [false, false]],
    ["Ctrl+Shift+K", press("k", { ctrlKey: true, shiftKey: true }), [false, false]],
    ["⌘⌥K", press("k", { metaKey: true, altKey: true }), [false, false]],
    ["Ctrl+J", press("j", { ctrlKey: true }), [false, false]],
  ])("%s opens the palette on each keyboard", (_, pressed, [elsewhere, onApple]) => {
    expect([asksForPalette(pressed, false), asksForPalette(pressed, true)]).toEqual([elsewhere, onApple]);
  });
});
