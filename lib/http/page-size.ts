/** Writing this much as JSON holds the event loop for about 30 ms. */
export const MAX_CHARACTERS = 8_388_608;

/**
 * Shortens a page of a list whose items may have 1 MB each, so that writing the response does not delay other requests.
 * @param sizeOf how many characters of text an item has
 * @returns the first items, at least one if there is any
 */
export function shortenPage<T>(items: T[], sizeOf: (item: T) => number): T[] {
  let characters = 0;
  const end = items.findIndex((item, index) => {
    characters += sizeOf(item);
    return index > 0 && characters > MAX_CHARACTERS;
  });
  return end < 0 ? items : items.slice(0, end);
}
