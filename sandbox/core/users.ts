import type { Collection } from "./journal";

/** Path of a user's avatar. The size suffix `_normal` is the small picture, following X's naming. */
export function avatarPath(network: string, name: string, size = "_normal"): string {
  return `/${network}/profile_images/${name}${size}.jpg`;
}

const COLOURS = ["#c2410c", "#0f766e", "#6d28d9", "#be185d", "#1d4ed8", "#4d7c0f", "#b45309", "#0e7490"];
const drawn = new Map<string, Promise<Buffer>>();

/** Draws an avatar: the user's initial on a colour derived from the name, as JPEG. */
export function drawAvatar(network: string, name: string, pixels: number): Promise<Buffer> {
  const key = `${network}/${name}/${pixels}`;
  const image = drawn.get(key) ?? render(network, name, pixels);
  if (drawn.size < 1000) drawn.set(key, image);
  return image;
}

async function render(network: string, name: string, pixels: number): Promise<Buffer> {
  const { default: sharp } = await import("sharp"); // takes 29 MB, which a run without avatars saves
  const sum = [...`${network}${name}`].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">
    <rect width="100" height="100" fill="${COLOURS[sum % COLOURS.length]}"/>
    <text x="50" y="50" dy=".36em" text-anchor="middle" font-family="sans-serif" font-size="54" fill="#fff">${name.charAt(0).toUpperCase()}</text></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}

export type SandboxUser = { name: string; displayName: string };

/** Users that always exist. Any other valid name becomes a new user on first use. */
export const DEFAULT_USERS = ["alice", "bob", "carol", "dave"];

export type Users = {
  find(network: string, name: string): SandboxUser | undefined;
  findOrCreate(network: string, name: string): SandboxUser;
  list(network: string): SandboxUser[];
};

export function isUserName(name: string): boolean {
  return /^[a-z0-9_]{1,15}$/.test(name);
}

export function openUsers(stored: Collection<SandboxUser>): Users {
  function find(network: string, name: string): SandboxUser | undefined {
    return DEFAULT_USERS.includes(name) ? userNamed(name) : stored.get(`${network}/${name}`);
  }
  return {
    find,
    findOrCreate: (network, name) => find(network, name) ?? stored.put(`${network}/${name}`, userNamed(name)),
    list: (network) => [
      ...DEFAULT_USERS.map(userNamed),
      ...stored
        .entries()
        .filter(([key]) => key.startsWith(`${network}/`))
        .map(([, person]) => person),
    ],
  };
}

function userNamed(name: string): SandboxUser {
  return { name, displayName: name.charAt(0).toUpperCase() + name.slice(1) };
}
