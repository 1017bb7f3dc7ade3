// The inputs and variables of a run, and the warnings outside any step.

import type { DataRow, ValueRow } from "../../api/generated";
import { When } from "../../ui/time";

export function Facts({ data: { variables, inputs, warnings, resumed } }: { data: DataRow }) {
  return (
    <>
      {variables.length > 0 && (
        <section class="card" aria-labelledby="variables">
          <h2 id="variables">Variables</h2>
          <Table rows={variables} />
        </section>
      )}
      {inputs.length > 0 && (
        <section class="card" aria-labelledby="inputs">
          <h2 id="inputs">Inputs</h2>
          <Table rows={inputs} />
        </section>
      )}
      {(warnings.length > 0 || resumed.length > 0) && (
        <section class="card" aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          {warnings.map((warning) => (
            <p class="warning">{warning}</p>
          ))}
          {resumed.map((one) => (
            <p class="quiet">
              Resumed <When time={one.time} /> at step {one.step + 1}
              {one.cutShort && ", after an interruption"}
            </p>
          ))}
        </section>
      )}
    </>
  );
}

function Table({ rows }: { rows: ValueRow[] }) {
  return (
    <table class="pairs">
      <tbody>
        {rows.map(({ name, value, step }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
            <td class="quiet">{step == null ? "" : `step ${step + 1}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
