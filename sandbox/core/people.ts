import type { Collection } from "./journal";

export type Person = { name: string; displayName: string };

/** The four who are always there; any other name is a new person on first use. */
export const EVERYONE = ["alice", "bob", "carol", "dave"];

export type People = {
  find(network: string, name: string): Person | undefined;
  meet(network: string, name: string): Person;
  list(network: string): Person[];
};

export function isPersonName(name: string): boolean {
  return /^[a-z0-9_]{1,15}$/.test(name);
}

export function openPeople(kept: Collection<Person>): People {
  function find(network: string, name: string): Person | undefined {
    return EVERYONE.includes(name) ? personNamed(name) : kept.get(`${network}/${name}`);
  }
  return {
    find,
    meet: (network, name) => find(network, name) ?? kept.put(`${network}/${name}`, personNamed(name)),
    list: (network) => [
      ...EVERYONE.map(personNamed),
      ...kept
        .entries()
        .filter(([key]) => key.startsWith(`${network}/`))
        .map(([, person]) => person),
    ],
  };
}

function personNamed(name: string): Person {
  return { name, displayName: name.charAt(0).toUpperCase() + name.slice(1) };
}
