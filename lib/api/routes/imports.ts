import { createImport, getImport, presentImport } from "../../media";
import { NewImport } from "../bodies/import";
import { route } from "../route";
import { IdParam, ImportStarted, ImportView, idOf } from "../shapes";
import { importJobExample } from "./examples";

export const createImportRoute = route({
  method: "post",
  path: "/v1/media/upload/import",
  summary: "Import a file from a public URL",
  description:
    "At most 100 MB, http or https, public addresses only. Poll the returned ID until its state is `READY` or `FAILED_PERMANENT`. You can also use a public URL directly in `attachmentPaths`.",
  scope: "media.write",
  body: NewImport,
  answers: { 202: ImportStarted },
  errorResponses: [
    {
      status: 400,
      when: "The URL cannot be imported",
      error: "url is not an http or https URL",
    },
  ],
  examples: [{ body: { url: "https://example.com/bells.jpg" }, answer: { id: 77, state: "QUEUED" } }],
  async handle({ caller, body: { url, filenameHint } }) {
    const { id, state } = await createImport(caller.ownerId, { url, filenameHint: filenameHint ?? undefined });
    return Response.json({ id, state }, { status: 202 });
  },
});

export const getImportRoute = route({
  method: "get",
  path: "/v1/media/upload/import/{id}",
  summary: "Get an import",
  scope: "media.write",
  params: IdParam,
  answers: { 200: ImportView },
  errorResponses: [
    { status: 404, when: "The import does not exist, or belongs to another user", error: "Import not found: 77" },
  ],
  examples: [{ params: { id: "77" }, answer: importJobExample }],
  async handle({ caller, params }) {
    return Response.json(presentImport(await getImport(caller.ownerId, idOf("Import", params.id))));
  },
});
