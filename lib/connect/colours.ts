/** What a connect page is drawn on, light and dark: the card and the paper around it, as components/plain-page.ts has them. */
export const surfaces = {
  light: { surface: "#ffffff", paper: "#faf9f7" },
  dark: { surface: "#1e1c1a", paper: "#151412" },
} as const;

/** WCAG 2.2, 1.4.3 (AA): text of ordinary size. */
const TEXT = 4.5;

/** A partner's accent as it is used: buttons and links of that colour, and the words on such a button. */
export type Accent = { light: { accent: string; onAccent: string }; dark: { accent: string; onAccent: string } };

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Contrast of two colours (`#rrggbb`), from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Whether links of this colour can be read, and the mark of what has the focus seen, on pages of this kind. */
export function isReadable(accent: string, theme: keyof typeof surfaces): boolean {
  return Object.values(surfaces[theme]).every((surface) => contrast(accent, surface) >= TEXT);
}

/** The colour itself where it is readable, else the nearest that is: darker on light pages, lighter on dark ones. */
export function readable(accent: string, theme: keyof typeof surfaces): string {
  const towards = theme === "light" ? 0 : 255;
  for (let part = 0; part < 100; part++) {
    const mixed = channels(accent).map((channel) => Math.round(channel + ((towards - channel) * part) / 100));
    const colour = `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    if (isReadable(colour, theme)) return colour;
  }
  return theme === "light" ? "#000000" : "#ffffff";
}

/** Black or white, whichever is read better on it: one of the two always has a contrast of 4.5 at least. */
export function textOn(accent: string): string {
  return contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
}

/** How an accent is used; where there is none for dark pages, it is the light one made readable there. */
export function accentOf(light: string, dark?: string | null): Accent {
  const onDark = dark ?? readable(light, "dark");
  return {
    light: { accent: light, onAccent: textOn(light) },
    dark: { accent: onDark, onAccent: textOn(onDark) },
  };
}
