import { z } from "zod";
import { createImport, getImport, presentImport } from "../../media";
import { route } from "../route";
import { IdParam, ImportStarted, ImportView, idOf } from "./shapes";

export const createImportRoute = route({
  method: "post",
  path: "/v1/media/upload/import",
  summary: "Imports a file from a public URL, at most 100 MB; poll the answered id",
  scope: "media.write",
  body: z.object({ url: z.string().min(1).max(2048), filenameHint: z.string().max(255).nullish() }),
  answers: { 202: ImportStarted },
  async handle({ caller, body: { url, filenameHint } }) {
    const { id, state } = await createImport(caller.ownerId, { url, filenameHint: filenameHint ?? undefined });
    return Response.json({ id, state }, { status: 202 });
  },
});

export const getImportRoute = route({
  method: "get",
  path: "/v1/media/upload/import/{id}",
  summary: "How far an import is; s3Key is the storage key once it is READY",
  scope: "media.write",
  params: IdParam,
  answers: { 200: ImportView },
  async handle({ caller, params }) {
    return Response.json(presentImport(await getImport(caller.ownerId, idOf("Import", params.id))));
  },
});
