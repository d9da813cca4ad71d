import { beforeAll, expect, test } from "vitest";
import { as, eventsOf, imported, jpeg, newOwner, readResponse, withFiles, withWorker } from "../../testing";

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(300, 200);
});
const files = withFiles(8, (request, response) => {
  if (request.url === "/bells.jpg") response.end(picture);
  else response.writeHead(410).end();
});
withWorker();

test.each([
  { type: "media.upload.ready", path: "/bells.jpg", state: "READY" },
  { type: "media.upload.failed", path: "/gone.jpg", state: "FAILED_PERMANENT" },
])("$type shows the import like polling does, once", async ({ type, path, state }) => {
  const owner = await newOwner();
  const ended = await imported(as(owner), { url: files().url + path });
  expect(ended.state).toBe(state);
  expect(await eventsOf(owner)).toEqual([{ type, data: ended }]);
});

test("a direct upload emits no event", async () => {
  const owner = await newOwner();
  const form = new FormData();
  form.set("file", new File([new Uint8Array(picture)], "bells.jpg"));
  const [status] = await readResponse(as(owner).request("/v1/media/upload", { method: "POST", body: form }));
  expect([status, await eventsOf(owner)]).toEqual([200, []]);
});
