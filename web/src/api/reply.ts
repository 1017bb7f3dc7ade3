// A model's reply while it comes. Its pieces and the rows of the record come on their own ways, and may overtake each other: the
// times of the server say which was first.

/** A piece of a reply, or that what came of it so far is void: it is requested again. */
export interface Delta {
  call: number;
  /** When the call began, in microseconds since 1970. */
  began: number;
  text: string;
  void?: boolean;
}

export type Reply = Omit<Delta, "void">;

/** The newest characters of a reply. */
const SHOWN = 4_000;

/** The reply after its next piece. */
export function append(reply: Reply | undefined, { call, began, text, void: again }: Delta): Reply {
  const known = reply?.call === call && !again ? reply.text : "";
  return { call, began, text: (known + text).slice(-SHOWN) };
}

/** What is shown of it; nothing once something came that comes only when no model writes. */
export const shown = (reply: Reply | undefined, ended = 0): string | undefined =>
  reply && reply.began >= ended ? reply.text : undefined;
