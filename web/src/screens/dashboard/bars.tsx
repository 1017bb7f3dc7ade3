// Stacked bars, one per day, as plain SVG: smaller than a chart library. Every figure is also in a table that a screen
// reader, a keyboard and a search in the page can reach.

import { useState } from "preact/hooks";
import type { Day } from "../../api/generated";

export interface Series {
  name: string;
  tone: string;
  of(day: Day): number;
}

interface BarsProps {
  title: string;
  days: Day[];
  series: Series[];
  words(value: number): string;
}

const WIDTH = 600;
const HEIGHT = 150;

export function Bars({ title, days, series, words }: BarsProps) {
  const [table, showTable] = useState(false);
  const totals = days.map((day) => series.reduce((sum, one) => sum + one.of(day), 0));
  const top = niceTop(Math.max(...totals, 0));
  const slot = WIDTH / Math.max(1, days.length);
  const bar = Math.min(28, Math.max(2, slot * 0.7));
  const used = series.filter((one) => days.some((day) => one.of(day) > 0));
  return (
    <figure class="chart card">
      <figcaption>
        <b>{title}</b>
        {used.length > 1 && (
          <span class="legend">
            {used.map((one) => (
              <span class={one.tone}>{one.name}</span>
            ))}
          </span>
        )}
        <button type="button" class="link" aria-expanded={table} onClick={() => showTable(!table)}>
          {table ? "Chart" : "Table"}
          <span class="unseen"> of {title}</span>
        </button>
      </figcaption>
      {table ? (
        <Figures days={days} series={series} words={words} title={title} />
      ) : (
        <>
          <div class="plot">
            <div class="scale" aria-hidden="true">
              {marksOf(top, words).map((mark) => (
                <span>{mark}</span>
              ))}
            </div>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT + 4}`}
              role="img"
              aria-label={`${title}: ${spoken(days, totals, words)}`}
            >
              {used.some((one) => one.tone === "doubt") && (
                <defs>
                  <pattern
                    id="hatched"
                    width={6}
                    height={6}
                    patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)"
                  >
                    <rect class="hatch" width={6} height={6} />
                    <line class="hatch-line" x1={0} x2={0} y1={0} y2={6} />
                  </pattern>
                </defs>
              )}
              {[0, 0.5, 1].map((part) => (
                <line class="grid" x1={0} x2={WIDTH} y1={HEIGHT * (1 - part) + 2} y2={HEIGHT * (1 - part) + 2} />
              ))}
              {days.map((day, at) => {
                let base = HEIGHT + 2;
                return (
                  <g>
                    <title>{`${day.date}: ${words(totals[at]!)}`}</title>
                    <rect class="hit" x={at * slot} y={0} width={slot} height={HEIGHT} />
                    {series.map((one) => {
                      const height = top ? (one.of(day) / top) * HEIGHT : 0;
                      base -= height;
                      return (
                        height > 0 && (
                          <rect
                            class={`bar ${one.tone}`}
                            x={at * slot + (slot - bar) / 2}
                            y={base}
                            width={bar}
                            height={height}
                            rx={1.5}
                          />
                        )
                      );
                    })}
                  </g>
                );
              })}
            </svg>
          </div>
          <div class="axis" aria-hidden="true">
            <span>{days[0]?.date}</span>
            <span>{days.at(-1)?.date}</span>
          </div>
        </>
      )}
    </figure>
  );
}

/** The labels of the lines, from the top: the highest value, its half, and zero. A half run is no label. */
export function marksOf(top: number, words: (value: number) => string): string[] {
  if (top <= 0) return ["", "", words(0)];
  const isCount = words === String;
  return [words(top), isCount && top % 2 ? "" : words(top / 2), words(0)];
}

function Figures({ title, days, series, words }: BarsProps) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map((one) => (
              <th scope="col" class="right">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .filter((day) => day.runs)
            .map((day) => (
              <tr>
                <th scope="row">{day.date}</th>
                {series.map((one) => (
                  <td class="right number">{words(one.of(day))}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function spoken(days: Day[], totals: number[], words: (value: number) => string): string {
  const some = days.map((day, at) => [day.date, totals[at]!] as const).filter(([, total]) => total > 0);
  if (!some.length) return "no runs in this period";
  return some
    .slice(-7)
    .map(([date, total]) => `${date} ${words(total)}`)
    .join(", ");
}

/** The next larger round number. */
export function niceTop(most: number): number {
  if (most <= 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(most));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((part) => part * unit).find((top) => top >= most) ?? most;
}
