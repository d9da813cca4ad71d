import { NotFound } from "../errors";

const OBJECT_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/;

/**
 * The storage key of an owner's medium by its object's name, `<object_uuid>.<ext>`.
 * @throws NotFound for what cannot be such a name: it is as absent as one that never was
 */
export function keyOf(ownerId: string, name: string): string {
  if (!OBJECT_NAME.test(name)) throw new NotFound("Media", name);
  return `${ownerId}/${name}`;
}
