// What a run was given and what it knows; and what was worth a warning outside any step.

import type { RunRecord } from "../../record/types";
import { valueWords } from "../../record/words";
import { When } from "../../ui/time";

export function Facts({ record }: { record: RunRecord }) {
  const variables = Object.entries(record.variables);
  const inputs = Object.entries(record.inputs);
  const warnings = record.warnings.filter((warning) => warning.step === undefined);
  return (
    <>
      {variables.length > 0 && (
        <section class="card" aria-labelledby="variables">
          <h2 id="variables">Variables</h2>
          <Table
            rows={variables.map(([name, { value, step }]) => [
              name,
              valueWords(value),
              step === undefined ? "" : `step ${step + 1}`,
            ])}
          />
        </section>
      )}
      {inputs.length > 0 && (
        <section class="card" aria-labelledby="inputs">
          <h2 id="inputs">Inputs</h2>
          <Table rows={inputs.map(([name, value]) => [name, valueWords(value), ""])} />
        </section>
      )}
      {(warnings.length > 0 || record.resumed.length > 0) && (
        <section class="card" aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          {warnings.map((warning) => (
            <p class="warning">{warning.message}</p>
          ))}
          {record.resumed.map((one) => (
            <p class="quiet">
              Resumed <When time={one.time} /> at step {one.step + 1}
              {one.cut_short && ", after it had been cut short"}
            </p>
          ))}
        </section>
      )}
    </>
  );
}

function Table({ rows }: { rows: [string, string, string][] }) {
  return (
    <table class="pairs">
      <tbody>
        {rows.map(([name, value, from]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
            <td class="quiet">{from}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
