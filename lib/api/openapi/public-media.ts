import { InsufficientStorage } from "../../errors";
import { EXAMPLE_OBJECT, EXAMPLE_OWNER, EXAMPLE_KEY as UPLOAD } from "../routes/examples";
import { type PublicOperation, requestIdHeader, serverErrorResponse, unavailableResponse } from "./public";
import * as shapes from "./public-shapes";
import { schemaRef } from "./schemas";
import type { OpenApiResponse } from "./types";

/** An error of the embedded store, in the API's format. */
function storeError(description: string, error: string): OpenApiResponse {
  const content = { "application/json": { schema: schemaRef("Error"), examples: { refused: { value: { error } } } } };
  return { description, headers: requestIdHeader, content };
}

/** A signed address of a file or its thumbnail. */
function read(
  operationId: string,
  path: string,
  summary: string,
  description: string,
  query: PublicOperation["query"] = shapes.MediaFileQuery,
): PublicOperation {
  return {
    operationId,
    method: "get",
    path,
    summary,
    description,
    params: shapes.MediaFileParams,
    query,
    contentType: "*/*",
    answers: { 200: shapes.Bytes, 206: shapes.Bytes, 416: "The range is outside of the file" },
    errorResponses: {
      404: {
        description: "The file is gone, or the address is invalid or expired",
        headers: requestIdHeader,
        content: {
          "application/json": {
            schema: schemaRef("Error"),
            examples: { gone: { value: { error: "Media not found: 0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10" } } },
          },
        },
      },
      500: serverErrorResponse,
      503: unavailableResponse,
    },
    examples: [
      {
        params: { id: "0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10" },
        query: { e: "1924992000", n: "gE9Yz1qPq7aR", k: "4f2a9c", s: "c2lnbmF0dXJl" },
      },
    ],
  };
}

/** The addresses of files that this service stores itself. */
export const mediaOperations = (): PublicOperation[] => [
  read(
    "getMediaFile",
    "/media/{id}",
    "Get the bytes of a file",
    "The `url` of a media answer, signed and valid for a limited time, for browsers and networks that fetch media themselves. Ranges are answered with 206.",
    shapes.DownloadQuery,
  ),
  read(
    "getMediaThumbnail",
    "/media/{id}/thumbnail",
    "Get the thumbnail of a file",
    "The `thumbnailUrl` of a media answer: WebP, signed and valid for a limited time.",
  ),
  {
    operationId: "putUpload",
    method: "put",
    path: "/media/uploads/{owner}/{name}",
    summary: "Upload the bytes of a grant",
    description:
      "The `url` of an upload grant if this service stores files itself (with S3 it is the bucket's). Method, headers and length must be exactly those of the grant.",
    params: shapes.UploadParams,
    query: shapes.UploadQuery,
    answers: { 200: "Stored; confirm the upload next" },
    errorResponses: {
      400: storeError("Not all of the bytes arrived", "file cannot be read: the connection was cut"),
      403: storeError(
        "The request differs from the grant, or the grant has expired",
        "This grant has expired. Request a new one",
      ),
      404: storeError("The owner of the grant no longer exists", `Upload not found: ${UPLOAD}`),
      411: storeError("The length is not announced", "Content-Length is missing"),
      500: serverErrorResponse,
      503: unavailableResponse,
      507: {
        ...storeError("The disk of the service is nearly full; try again later", new InsufficientStorage().message),
        headers: unavailableResponse.headers,
      },
    },
    examples: [
      {
        params: { owner: EXAMPLE_OWNER, name: EXAMPLE_OBJECT },
        query: { e: "1924992000", k: "4f2a9c", s: "c2lnbmF0dXJl" },
      },
    ],
  },
];
