// A model's reply while it is generated. Its pieces and the rows of the record arrive over different channels and in
// any order. The server's times show which came first.

/** A piece of a reply, or the information that the reply so far is void because it is requested again. */
export interface Delta {
  call: number;
  /** The start of the call, in microseconds since 1970. */
  began: number;
  text: string;
  void?: boolean;
}

export type Reply = Omit<Delta, "void">;

/** The number of newest characters of a reply that are shown. */
const SHOWN = 4_000;

/** The reply after its next piece. */
export function append(reply: Reply | undefined, { call, began, text, void: again }: Delta): Reply {
  const known = reply?.call === call && !again ? reply.text : "";
  return { call, began, text: (known + text).slice(-SHOWN) };
}

/** What is shown of it; nothing once something came that comes only when no model writes. */
export const shown = (reply: Reply | undefined, ended = 0): string | undefined =>
  reply && reply.began >= ended ? reply.text : undefined;
