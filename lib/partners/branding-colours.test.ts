import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { palettes } from "../../components/plain/page";
import {
  accentOf,
  brandingFrom,
  contrast,
  isReadable,
  nearestReadable,
  shownAccent,
  surfaces,
  textColourOn,
} from "./branding";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("contrast is WCAG's: 21 for black on white, 1 for the same colour, 4.48 for the grey #777777", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#123456", "#123456")).toBe(1);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#ffffff", "#777777")).toBe(contrast("#777777", "#ffffff"));
});

test("the surfaces are those of the pages", () => {
  const short = (hex: string) => hex.replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3");
  const [light, dark] = palettes.auto.split("@media");
  for (const [text, theme] of [
    [light, surfaces.light],
    [dark, surfaces.dark],
  ] as const) {
    expect(text).toContain(`--paper:${theme.paper};--surface:${short(theme.surface)};`);
  }
});

test("a partner without an accent has that of the pages, and one without a dark accent a lighter shade of the other", () => {
  const [light = "", dark = ""] = palettes.auto
    .split("@media")
    .map((text) => /--accent:(#\w{6})/.exec(text)?.[1] ?? "");
  expect(shownAccent(brandingFrom("Acme", {}))).toEqual({ light, dark });
  const derived = shownAccent(brandingFrom("Acme", { accent: "#7a1fa2" }));
  expect(derived).toEqual({ light: "#7a1fa2", dark: nearestReadable("#7a1fa2", "dark") });
  expect(derived.dark).not.toBe("#7a1fa2");
  expect(shownAccent(brandingFrom("Acme", { accent: "#7a1fa2", accentDark: "#ffffff" })).dark).toBe("#ffffff");
});

describe("for every colour", () => {
  test("the nearest readable colour is readable on light and dark pages", () => {
    fc.assert(
      fc.property(colour, (given) => {
        for (const theme of ["light", "dark"] as const)
          expect(isReadable(nearestReadable(given, theme), theme)).toBe(true);
      }),
    );
  });

  test("a readable colour stays as it is", () => {
    fc.assert(
      fc.property(colour, (given) => {
        for (const theme of ["light", "dark"] as const) {
          if (isReadable(given, theme)) expect(nearestReadable(given, theme)).toBe(given);
        }
      }),
    );
  });

  test("the text on a button is readable", () => {
    fc.assert(
      fc.property(colour, (given) => {
        expect(contrast(textColourOn(given), given)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

test("the dark accent is the partner's own, otherwise the light one made readable", () => {
  expect(accentOf("#0b655c", "#ffffff").dark).toEqual({ accent: "#ffffff", onAccent: "#000000" });
  expect(accentOf("#0b655c").light).toEqual({ accent: "#0b655c", onAccent: "#ffffff" });
  expect(isReadable(accentOf("#0b655c").dark.accent, "dark")).toBe(true);
});
