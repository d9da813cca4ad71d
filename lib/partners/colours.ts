/** The background colours of a connect page (the card and the page around it), as in components/plain/page.ts. */
export const surfaces = {
  light: { surface: "#ffffff", paper: "#faf9f7" },
  dark: { surface: "#1e1c1a", paper: "#151412" },
} as const;

/** WCAG 2.2, 1.4.3 (AA), for text of ordinary size. */
const MIN_CONTRAST = 4.5;

/** A partner's accent colour for buttons and links, and the colour of the text on such a button. */
export type Accent = { light: { accent: string; onAccent: string }; dark: { accent: string; onAccent: string } };

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The contrast ratio of two colours (`#rrggbb`), from 1 to 21 (WCAG 2.2, "contrast ratio"). */
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

/** Whether links and the focus outline in this colour have enough contrast on pages of this theme. */
export function isReadable(accent: string, theme: keyof typeof surfaces): boolean {
  return Object.values(surfaces[theme]).every((surface) => contrast(accent, surface) >= MIN_CONTRAST);
}

/** The colour itself if it is readable, otherwise the nearest readable one: darker on light pages, lighter on dark pages. */
export function nearestReadable(accent: string, theme: keyof typeof surfaces): string {
  const towards = theme === "light" ? 0 : 255;
  for (let part = 0; part < 100; part++) {
    const mixed = channels(accent).map((channel) => Math.round(channel + ((towards - channel) * part) / 100));
    const colour = `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    if (isReadable(colour, theme)) return colour;
  }
  return theme === "light" ? "#000000" : "#ffffff";
}

/** Black or white, whichever has more contrast: one of them always reaches 4.5. */
export function textColourOn(accent: string): string {
  return contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
}

/** The accent for both themes. Without a dark accent, the light one is adjusted until it is readable on dark pages. */
export function accentOf(light: string, dark?: string | null): Accent {
  const onDark = dark ?? nearestReadable(light, "dark");
  return {
    light: { accent: light, onAccent: textColourOn(light) },
    dark: { accent: onDark, onAccent: textColourOn(onDark) },
  };
}
