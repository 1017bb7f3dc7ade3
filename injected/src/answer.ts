// What the browser is told of an element that an action needs: that it is ready, or what is in the way.

import type { Entered } from "./field";

export interface Ready extends Entered {
  ok: true;
  element: number;
  what: string;
  x?: number;
  y?: number;
  /** The work is done, nothing has to be sent. */
  done?: boolean;
  /** A list that is no `<select>`: open it, then choose. */
  custom?: boolean;
  /** A day that cannot be typed: open the calendar, then choose. */
  calendar?: boolean;
  /** The origin of its document. */
  origin?: string;
  /** It is a frame of another process that has the focus. */
  foreign?: boolean;
  file?: boolean;
  multiple?: boolean;
  value?: string;
}
export interface Not {
  ok: false;
  no: string;
  what?: string;
  by?: string;
  is?: string;
  hint?: string;
  count?: number;
  option?: string;
  list?: string[];
}

export const not = (no: string, more: Partial<Not> = {}): Not => ({ ok: false, no, ...more });
