import { randomBytes, randomUUID, scryptSync } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, partners, users } from "../db";
import { BadRequest, Conflict, NotFound } from "../errors";
import { createPartner } from "../oauth";
import { provisionConnectUser } from "../partners";
import "../testing";
import { authenticate, changeName, createUser, findUser, getUserByEmail, setSuspended } from "./users";

const PASSWORD = "a long password 🔑";
const newEmail = () => `Ada.${randomUUID()}@Example.com`;

describe("a new person", () => {
  test("signs in with the address in any case and the exact password", async () => {
    const email = newEmail();
    const user = await createUser({ email, password: PASSWORD });
    expect(user).toEqual({
      id: user.id,
      email,
      name: email.split("@")[0],
      role: "user",
      suspended: false,
      deleting: false,
      emailConfirmed: true,
      sessionEpoch: 0,
    });
    expect(await authenticate(email.toUpperCase(), PASSWORD)).toEqual(user);
    expect(await getUserByEmail(email.toLowerCase())).toEqual(user);
    expect(await authenticate(email, PASSWORD.toUpperCase())).toBeUndefined();
    expect(await authenticate(newEmail(), PASSWORD)).toBeUndefined();
    await expect(createUser({ email: email.toLowerCase(), password: PASSWORD })).rejects.toThrow(Conflict);
  });

  test("is stored with a salted hash, never the password", async () => {
    const [one, two] = [
      await createUser({ email: newEmail(), password: PASSWORD }),
      await createUser({ email: newEmail(), password: PASSWORD }),
    ];
    const rows = await db.query.users.findMany({ where: (table, { inArray }) => inArray(table.id, [one.id, two.id]) });
    const hashes = rows.map(({ passwordHash }) => passwordHash);
    for (const hash of hashes) expect(hash).toMatch(/^scrypt\$32768\$[\w-]{22}\$[\w-]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  test("is checked with the cost, the block size and the salt of the stored hash", async () => {
    const email = newEmail();
    const { id } = await createUser({ email, password: "another password" });
    const [cost, salt] = [16_384, randomBytes(16)];
    const key = scryptSync(PASSWORD, salt, 32, { N: cost, r: 8, p: 1 });
    const passwordHash = ["scrypt", cost, salt.toString("base64url"), key.toString("base64url")].join("$");
    await db.update(users).set({ passwordHash }).where(eq(users.id, id));
    expect(await authenticate(email, PASSWORD)).toMatchObject({ id });
    expect(await authenticate(email, "another password")).toBeUndefined();
  });

  test.each<[input: { email: string; password: string; name?: string }, says: string]>([
    [{ email: "nope", password: PASSWORD }, "email must be an email address"],
    [{ email: "a@example.com", password: "short" }, "password must have at least 8 characters"],
    [
      { email: "", password: "", name: "x".repeat(201) },
      "email must be an email address; password must have at least 8 characters; name must have at most 200 characters",
    ],
    [{ email: "a@example.com", password: "x".repeat(1025) }, "password must have at most 1,024 characters"],
  ])("%j is rejected", async (input, says) => {
    await expect(createUser(input)).rejects.toMatchObject({ status: 400, message: says });
  });
});

test("a partner's user never signs in, even with a person's address", async () => {
  const { clientId } = await createPartner("Test partner");
  const [partner] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  const email = newEmail();
  const user = await provisionConnectUser(partner?.id ?? "", { externalUserId: "one", name: "One", email });
  expect(await findUser(user.id)).toBeUndefined();
  expect(await authenticate(email, "")).toBeUndefined();
  await expect(getUserByEmail(email)).rejects.toThrow(NotFound);
  expect((await createUser({ email, password: PASSWORD })).id).not.toBe(user.id);
});

test("suspending a missing user is 404, whatever the ID looks like", async () => {
  for (const id of [randomUUID(), "me", ""])
    await expect(setSuspended(id, true)).rejects.toThrow(`User not found: ${id}`);
});

test.each(["", " \n "])("the name %j is refused with a message that is true", async (name) => {
  const { id } = await createUser({ email: newEmail(), password: PASSWORD, name: "Ada" });
  await expect(changeName(id, name)).rejects.toThrow(
    new BadRequest("name must have at least 1 character that is not white space"),
  );
  expect((await findUser(id))?.name).toBe("Ada");
});
