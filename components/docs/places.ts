import type { OpenApi, OpenApiOperation } from "@/lib/api";
import { type Html, html } from "../plain/page";
import { anchorOf } from "./parts";
import { docsWords, guides } from "./words";

export type DocumentedCall = { path: string; method: string; operation: OpenApiOperation };

/** A page of the documentation, or a part of one. */
export type DocsEntry = {
  href: string;
  label: string;
  /** Of a call: its method and path. */
  method?: string;
  path?: string;
  /** What the search reads besides the label, the method and the path. */
  about?: string;
};

type Group = { name: string; places: DocsEntry[] };

const METHODS = ["post", "get", "put", "patch", "delete"];

/** Returns the calls of the document by path, those of `/v1` first: a collection comes before its members, and creating before reading. */
export function documentedCalls({ paths }: OpenApi): DocumentedCall[] {
  return Object.keys(paths)
    .sort((a, b) => Number(b.startsWith("/v1/")) - Number(a.startsWith("/v1/")) || (a < b ? -1 : 1))
    .flatMap((path) =>
      Object.entries(paths[path] ?? {})
        .map(([method, operation]) => ({ path, method, operation }))
        .sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method)),
    );
}

/** The address of a call's page. */
export function pageOf({ operation }: DocumentedCall): string {
  return `/docs/${operation.operationId}`;
}

/** What the sidebar lists: the guides and tables first, then the calls by noun. */
function groupsOf(document: OpenApi): Group[] {
  const start: DocsEntry[] = [
    { href: "/docs", label: docsWords.overview, about: document.info.description },
    ...Object.entries(guides).map(([name, label]) => ({ href: `/docs/${name}`, label })),
    { href: "/docs/networks", label: docsWords.networks, about: docsWords.networksAbout },
    { href: "/docs/webhook-events", label: docsWords.webhooks, about: Object.keys(document.webhooks).join(" ") },
    { href: "/docs/shapes", label: docsWords.shapes },
  ];
  const calls = documentedCalls(document);
  return [
    { name: docsWords.start, places: start },
    ...document.tags.map(({ name }) => ({
      name,
      places: calls.filter(({ operation }) => operation.tags[0] === name).map(docsEntryOf),
    })),
  ];
}

/** How a call is listed and found. */
export function docsEntryOf(call: DocumentedCall): DocsEntry {
  const { path, method, operation } = call;
  const { summary: label, description: about } = operation;
  return { href: pageOf(call), label, method: method.toUpperCase(), path, about };
}

/** The sidebar. A group is open if it holds the current page; on any other page than a call's, all groups are. */
export function sidebar(document: OpenApi, here?: string): Html {
  const groups = groupsOf(document);
  const current = groups.slice(1).find(({ places }) => places.some(({ href }) => href === here));
  return html`${groups.map(
    (group, index) =>
      html`<details${(!current || index === 0 || group === current) && html` open`}><summary>${group.name}</summary><ul>${group.places.map(
        (place) =>
          html`<li><a href="${place.href}"${place.href === here && html` aria-current="page"`}>${lineOf(place)}</a></li>`,
      )}</ul></details>`,
  )}`;
}

/** A call as `POST /v1/posts – Create a post`, in two lines; a page as its label. */
export function lineOf({ label, method, path }: Pick<DocsEntry, "label" | "method" | "path">): Html {
  if (!method || !path) return html`${label}`;
  const breakable = path.split(/(?=\/)/).map((part) => html`${part}<wbr>`);
  return html`<span class="m ${method.toLowerCase()}">${method}</span> <code>${breakable}</code><span class="sr"> – </span> <span class="title">${label}</span>`;
}

/**
 * Returns the pages, calls and shapes that contain every word of the query, in any order of words and without regard to case.
 * Those that have them in their label, method and path come before those that have them in their text.
 */
export function findPlaces(document: OpenApi, query: string): DocsEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shapes = Object.entries(document.components.schemas).map(
    ([name, { description, properties = {} }]): DocsEntry => ({
      href: `/docs/shapes#${anchorOf(name)}`,
      label: docsWords.shape(name),
      about: [description, ...Object.keys(properties)].join(" "),
    }),
  );
  const places = [...groupsOf(document).flatMap((group) => group.places), ...shapes];
  const named: DocsEntry[] = [];
  const mentioned: DocsEntry[] = [];
  for (const place of places) {
    const name = [place.method, place.path, place.label].join(" ").toLowerCase();
    const text = `${name} ${place.about?.toLowerCase() ?? ""}`;
    if (words.every((word) => name.includes(word))) named.push(place);
    else if (words.every((word) => text.includes(word))) mentioned.push(place);
  }
  return [...named, ...mentioned];
}
