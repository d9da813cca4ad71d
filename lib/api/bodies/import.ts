import * as z from "zod";
import { outsideAddress } from "./outside-address";

export const NewImport = z.strictObject({
  url: outsideAddress,
  filenameHint: z.string().max(255).nullish().meta({ description: "A name for the file; else the URL's" }),
});
