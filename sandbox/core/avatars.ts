import sharp from "sharp";

/** Where the sandbox serves a person's picture; `_normal` is the small one, as X names it. */
export function avatarPath(network: string, name: string, size = "_normal"): string {
  return `/${network}/profile_images/${name}${size}.jpg`;
}

const COLOURS = ["#c2410c", "#0f766e", "#6d28d9", "#be185d", "#1d4ed8", "#4d7c0f", "#b45309", "#0e7490"];
const drawn = new Map<string, Promise<Buffer>>();

/** A person's initial on a colour of their own, as the JPEG that a network would serve. */
export function drawAvatar(network: string, name: string, pixels: number): Promise<Buffer> {
  const key = `${network}/${name}/${pixels}`;
  const image = drawn.get(key) ?? render(network, name, pixels);
  if (drawn.size < 1000) drawn.set(key, image);
  return image;
}

function render(network: string, name: string, pixels: number): Promise<Buffer> {
  const sum = [...`${network}${name}`].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">
    <rect width="100" height="100" fill="${COLOURS[sum % COLOURS.length]}"/>
    <text x="50" y="50" dy=".36em" text-anchor="middle" font-family="sans-serif" font-size="54" fill="#fff">${name.charAt(0).toUpperCase()}</text></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}
