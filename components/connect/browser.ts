const [WIDTH, HEIGHT] = [560, 760];

/**
 * Whether connecting goes on in a window of its own: where there is room for one and a mouse to move it. Phones and the
 * browsers inside of apps have neither, and often cannot come back from one.
 */
export function wantsWindow(): boolean {
  return window.matchMedia("(min-width: 768px) and (hover: hover) and (pointer: fine)").matches;
}

/** Opens it in the middle of this one, within the click, so that no browser blocks it; null where one does all the same. */
export function openWindow(name: string): Window | null {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 3);
  return window.open("about:blank", name, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
}
