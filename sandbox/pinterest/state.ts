import type { Codes } from "../core/codes";
import type { Grants } from "../core/grants";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { KeptMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/windows";
import type { World } from "../core/world";
import { type Switches, settledSwitches } from "./switches";

export type Section = { id: string; name: string };
export type Board = {
  id: string;
  name: string;
  privacy: "PUBLIC" | "SECRET";
  isAdsOnly: boolean;
  sections: Section[];
  createdAt: number;
};

/** A file on its way: registered, sent to the store, worked on over some polls. */
export type Upload = {
  id: string;
  account: string;
  grant: string;
  /** What the store must be sent beside the file. */
  parameters: Record<string, string>;
  expiresAt: number;
  polls: number;
  file?: KeptMedia;
  flaw?: true;
};

export type Pin = {
  id: string;
  account: string;
  board: string;
  section: string | null;
  title: string | null;
  description: string | null;
  link: string | null;
  altText: string | null;
  mediaType: "image" | "video" | "multiple_images";
  createdAt: number;
};

export type PinterestState = {
  world: World;
  codes: Codes;
  grants: Grants;
  uploads: Collection<Upload>;
  /** A person's boards; the first ones are there from the beginning. */
  boardsOf(account: string): Board[];
  keepBoard(account: string, board: Board): Board;
  deleteBoard(account: string, id: string): void;
  keepPin(pin: Pin): Pin;
  /** Oldest first. */
  pinsOn(board: string): Pin[];
  forget(): void;
  windows: FixedWindows;
  switches: Switches;
};

export function openState(world: World): PinterestState {
  const boards = world.collection<Board[]>("pinterest.boards");
  const pins = world.collection<Pin>("pinterest.pins");
  const byBoard = new Map<string, Pin[]>();
  function index(pin: Pin): void {
    const there = byBoard.get(pin.board);
    if (there) there.push(pin);
    else byBoard.set(pin.board, [pin]);
  }
  for (const pin of pins.values()) index(pin);
  const boardsOf = (account: string) => boards.get(account) ?? boards.put(account, firstBoards(account));

  return {
    world,
    codes: world.codes("pinterest"),
    grants: world.grants("pinterest"),
    uploads: world.collection("pinterest.uploads"),
    boardsOf,
    keepBoard(account, board) {
      boards.put(account, [...boardsOf(account), board]);
      return board;
    },
    deleteBoard(account, id) {
      boards.put(
        account,
        boardsOf(account).filter((board) => board.id !== id),
      );
    },
    keepPin(pin) {
      index(pin);
      return pins.put(pin.id, pin);
    },
    pinsOn: (board) => byBoard.get(board) ?? [],
    forget() {
      pins.clear();
      byBoard.clear();
    },
    windows: fixedWindows(world.clock.now),
    switches: settledSwitches(),
  };
}

/** A public board with sections, another one, a secret one, and the one for advertisements only. */
function firstBoards(account: string): Board[] {
  const board = (name: string, facts: Partial<Board> = {}): Board => ({
    id: stableId(["pinterest", account, "board", name], 549_755_813_888_000_000n, 99_999_999_999_999_999n),
    name,
    privacy: "PUBLIC",
    isAdsOnly: false,
    sections: [],
    createdAt: Date.UTC(2024, 0, 1),
    ...facts,
  });
  const sections = ["Spring", "Autumn"].map((name) => ({
    id: stableId(["pinterest", account, "section", name], 5_000_000_000_000_000_000n, 999_999_999_999_999_999n),
    name,
  }));
  return [
    board("Garden", { sections }),
    board("Kitchen"),
    board("Gifts", { privacy: "SECRET" }),
    board("Ad-only Pins", { isAdsOnly: true }),
  ];
}

/** 19 digits, above 2^53, the same for the same name in every sandbox. */
export function userId(name: string): string {
  return stableId(["pinterest", name], 2_000_000_000_000_000_000n, 999_999_999_999_999_999n);
}
