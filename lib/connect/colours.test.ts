import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { palette } from "../../components/plain-page";
import { accentOf, contrast, isReadable, readable, surfaces, textOn } from "./colours";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("contrast is WCAG's: 21 for black on white, 1 for the same colour, 4.48 for the grey #777777", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#123456", "#123456")).toBe(1);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#ffffff", "#777777")).toBe(contrast("#777777", "#ffffff"));
});

test("the surfaces are those of the pages", () => {
  const short = (hex: string) => hex.replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3");
  const [light, dark] = palette.split("@media");
  for (const [text, theme] of [
    [light, surfaces.light],
    [dark, surfaces.dark],
  ] as const) {
    expect(text).toContain(`--paper:${theme.paper};--surface:${short(theme.surface)};`);
  }
});

describe("whatever colour a partner has", () => {
  test("it becomes one that can be read, on light pages and on dark ones", () => {
    fc.assert(
      fc.property(colour, (given) => {
        for (const theme of ["light", "dark"] as const) expect(isReadable(readable(given, theme), theme)).toBe(true);
      }),
    );
  });

  test("one that can be read already stays as it is", () => {
    fc.assert(
      fc.property(colour, (given) => {
        for (const theme of ["light", "dark"] as const) {
          if (isReadable(given, theme)) expect(readable(given, theme)).toBe(given);
        }
      }),
    );
  });

  test("the words on a button of it can be read", () => {
    fc.assert(
      fc.property(colour, (given) => {
        expect(contrast(textOn(given), given)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

test("an accent for dark pages is the partner's own, else the light one made readable there", () => {
  expect(accentOf("#0b655c", "#ffffff").dark).toEqual({ accent: "#ffffff", onAccent: "#000000" });
  expect(accentOf("#0b655c").light).toEqual({ accent: "#0b655c", onAccent: "#ffffff" });
  expect(isReadable(accentOf("#0b655c").dark.accent, "dark")).toBe(true);
});
