// The view of a run's record: places each row of the server. It derives nothing itself.

import type {
  BandRow,
  DataRow,
  MomentRow,
  PageRow,
  PictureRow,
  ProblemsRow,
  ProgressRow,
  RecordPatch,
  RunRow,
  StepRow,
  Totals,
  TurnRow,
} from "../api/generated";

export interface View {
  run: RunRow;
  progress: ProgressRow;
  totals: Totals;
  page: PageRow;
  data: DataRow;
  problems: ProblemsRow;
  steps: StepRow[];
  /** The turns of each step; those outside all steps have the key -1. */
  turns: Map<number, TurnRow[]>;
  /** By the number of their event, in order. */
  bands: Map<number, BandRow>;
  pictures: Map<number, PictureRow>;
  moments: Map<number, MomentRow>;
}

/** The view after new rows arrived. `before` is undefined if these are all rows. */
export function take(before: View | undefined, { rows }: RecordPatch): View {
  // A shallow copy: a list of ten thousand moments is not copied for each row.
  const view = {
    ...(before ?? { steps: [], turns: new Map(), bands: new Map(), pictures: new Map(), moments: new Map() }),
  } as View;
  for (const row of rows) {
    switch (row.row) {
      case "run":
        view.run = row;
        break;
      case "progress":
        view.progress = row;
        break;
      case "totals":
        view.totals = row;
        break;
      case "page":
        view.page = row;
        break;
      case "data":
        view.data = row;
        break;
      case "problems":
        view.problems = row;
        break;
      case "step":
        view.steps[row.index] = row;
        break;
      case "turn": {
        const turns = view.turns.get(row.step ?? -1) ?? [];
        turns[row.number] = row;
        view.turns.set(row.step ?? -1, turns);
        break;
      }
      case "band":
        view.bands.set(row.seq, row);
        break;
      case "picture":
        view.pictures.set(row.seq, row);
        break;
      case "moment":
        view.moments.set(row.seq, row);
        break;
      default:
        // A row type of a newer server is ignored.
        row satisfies never;
    }
  }
  return view;
}
