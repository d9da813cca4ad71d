import { z } from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import { type Switches, createSwitches } from "../core/switches";
import type { World } from "../core/world";

/** What of Pinterest depends on the application or on the weather, as `/_control/pinterest/switches` sets it. */
const NewSwitches = z.strictObject({
  /** The application waits to be activated. */
  pending: z.boolean().default(false),
  /** Trial access: 300 writes and 1,000 calls a day for the whole application, Pins that only their creator sees. */
  trial: z.boolean().default(false),
  /** The spam guard answers every new Pin. */
  spam: z.boolean().default(false),
  /** How long a new Pin is missing from its board's list. */
  listedAfterSeconds: z.number().min(0).default(0),
  /** Whether Pins of several images are still taken, of which there are reports both ways. */
  carousels: z.boolean().default(true),
  /** Whether `cover_image_key_frame_time` alone counts as a cover, which is not documented. */
  keyFrameIsCover: z.boolean().default(true),
});

type PinterestSwitches = z.output<typeof NewSwitches>;

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
  file?: StoredMedia;
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
  switches: Switches<PinterestSwitches>;
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
    switches: createSwitches(NewSwitches),
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
