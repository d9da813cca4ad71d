import type { ImageRecipe, ImageType } from "../../media";
import type { ImageLimits } from "../../networks";
import type { KnownMedia } from "./facts";

/** What an image is converted to, the first of them that a network takes. */
const TARGETS: ImageType[] = ["image/jpeg", "image/png", "image/webp"];

/**
 * What to make of an image so that a network takes it: another type, fewer pixels, fewer bytes. Pure; the limits are data.
 * Undefined where it is taken as it is, and where nothing faithful can be made of it: one that moves (see `filmRecipeFor`), one
 * that would have to be enlarged or cropped.
 */
export function recipeFor({ sentAs, ...taken }: ImageLimits, item: KnownMedia): ImageRecipe | undefined {
  const limits = { ...taken, ...sentAs };
  const [width, height] = [item.width ?? 0, item.height ?? 0];
  const isTooHeavy = limits.maxBytes !== undefined && (item.sizeBytes ?? 0) > limits.maxBytes;
  const scale = Math.min(
    1,
    (limits.side?.max ?? Number.POSITIVE_INFINITY) / Math.max(width, height),
    (limits.shorterSide?.max ?? Number.POSITIVE_INFINITY) / Math.min(width, height),
    (limits.maxSideSum ?? Number.POSITIVE_INFINITY) / (width + height),
    Math.sqrt((limits.maxPixels ?? Number.POSITIVE_INFINITY) / (width * height)),
  );
  if (limits.types.includes(item.contentType) && !isTooHeavy && !(scale < 1)) return undefined;
  const contentType = targetOf(limits, item, isTooHeavy);
  if (!contentType || !(width > 0 && height > 0) || (item.details.frames ?? 1) > 1) return undefined;
  const size = scaled(limits, width, height, scale);
  if (Math.min(size.width, size.height) < Math.min(limits.side?.min ?? 1, width, height)) return undefined;
  return { contentType, ...size, ...(limits.maxBytes === undefined ? {} : { maxBytes: limits.maxBytes }) };
}

/** The type stays where it can: only what is taken and does not get too heavy without loss. */
function targetOf({ types }: ImageLimits, { contentType }: KnownMedia, isTooHeavy: boolean): ImageType | undefined {
  const possible = TARGETS.filter((type) => types.includes(type));
  const same = possible.find((type) => type === contentType && !(type === "image/png" && isTooHeavy));
  return same ?? possible[0];
}

/** Fewer pixels of the same ratio; where rounding to whole ones would leave the network's bounds, as many columns more or less as it takes. */
function scaled({ ratio, side, maxSideSum }: ImageLimits, width: number, height: number, scale: number) {
  const [w, h] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  if (!ratio || scale === 1 || width / height < ratio.min || width / height > ratio.max) return { width: w, height: h };
  const within = Math.min(Math.max(w, Math.ceil(h * ratio.min)), Math.floor(h * ratio.max));
  const fits = within <= (side?.max ?? within) && within + h <= (maxSideSum ?? within + h);
  return { width: fits ? within : w, height: h };
}

/** An image as it is sent, so that it can be checked before it is made: of its bytes only the most is known. */
export function asSent<M extends KnownMedia>(limits: ImageLimits | undefined, item: M): M {
  const recipe = limits && item.contentType.startsWith("image/") ? recipeFor(limits, item) : undefined;
  if (!recipe) return item;
  const { contentType, width, height, maxBytes = Number.POSITIVE_INFINITY } = recipe;
  return { ...item, contentType, width, height, sizeBytes: Math.min(item.sizeBytes ?? maxBytes, maxBytes) };
}
