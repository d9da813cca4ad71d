import { workAsyncStorage } from "next/dist/server/app-render/work-async-storage.external.js";
import { workUnitAsyncStorage } from "next/dist/server/app-render/work-unit-async-storage.external.js";

/** What a page answers: its elements, or where it leads; `to` is undefined for a page that does not exist. */
type PageAnswer<T> = { shown: T } | { to?: string };

/** Calls a page as Next does: with the headers of a request. */
export async function inRequest<T>(
  headers: { [name: string]: string },
  page: () => Promise<T>,
): Promise<PageAnswer<T>> {
  const work = { route: "/" } as Parameters<typeof workAsyncStorage.run>[0];
  const unit = { type: "request", phase: "render", headers: new Headers(headers) };
  try {
    const shown = await workAsyncStorage.run(work, () =>
      workUnitAsyncStorage.run(unit as Parameters<typeof workUnitAsyncStorage.run>[0], page),
    );
    return { shown };
  } catch (error) {
    const [kind, , to] = String((error as { digest?: string }).digest).split(";");
    if (kind !== "NEXT_REDIRECT" && kind !== "NEXT_HTTP_ERROR_FALLBACK") throw error;
    return { to };
  }
}
