import type { Cost } from "./cost";

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [640, 320, 60, 24, 48];

/** Draws CPU time per publication over the number of stored schedules as SVG: a logarithmic x axis, and y from 0. */
export function curve(points: Cost[]): string {
  const most = Math.ceil((Math.max(...points.map(({ ms }) => ms)) * 1.3) / 5) * 5;
  const [from, to] = [Math.log10(points[0]?.stored ?? 1), Math.log10(points.at(-1)?.stored ?? 10)];
  const x = (stored: number) =>
    LEFT + 30 + ((Math.log10(stored) - from) / Math.max(1, to - from)) * (WIDTH - LEFT - 90);
  const y = (ms: number) => TOP + (1 - ms / most) * (HEIGHT - TOP - BOTTOM);
  const text = (at: [number, number], words: string, anchor = "middle") =>
    `<text x="${at[0].toFixed(0)}" y="${at[1].toFixed(0)}" text-anchor="${anchor}">${words}</text>`;
  const line = (ms: number) =>
    `<path d="M${LEFT} ${y(ms).toFixed(1)}H${WIDTH - 20}" stroke="#d0d7de"/>${text([LEFT - 8, y(ms) + 4], `${ms}`, "end")}`;
  const levels = Array.from({ length: 6 }, (_, n) => (most * n) / 5);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#57606a">
<title>CPU time of workers and PostgreSQL per publication, in milliseconds, over the number of stored schedules</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${levels.map(line).join("\n")}
<polyline points="${points.map(({ stored, ms }) => `${x(stored).toFixed(1)},${y(ms).toFixed(1)}`).join(" ")}" fill="none" stroke="#0969da" stroke-width="2"/>
${points.map(({ stored, ms }) => `<circle cx="${x(stored).toFixed(1)}" cy="${y(ms).toFixed(1)}" r="4" fill="#0969da"/>${text([x(stored), y(ms) - 10], `${ms.toFixed(1)} ms`)}`).join("\n")}
${points.map(({ stored }) => text([x(stored), HEIGHT - BOTTOM + 20], stored.toLocaleString("en"))).join("\n")}
${text([(LEFT + WIDTH) / 2, HEIGHT - 8], "stored schedules")}
${text([LEFT - 8, 14], "ms", "end")}
</svg>
`;
}
