// The examples: workflows that run on the demo site of the server, and files that were placed beside its data.

import type { TemplateView } from "../../api/generated";

interface ExamplesProps {
  templates: TemplateView[];
  /** The id of the example in the form. */
  chosen?: string;
  onChoose(template: TemplateView): void;
}

export function Examples({ templates, chosen, onChoose }: ExamplesProps) {
  if (templates.length === 0) return null;
  return (
    <section class="card" aria-labelledby="examples">
      <h2 id="examples">Examples</h2>
      <ul class="choices">
        {templates.map((template) => (
          <li key={template.id}>
            <button
              type="button"
              class="choice"
              aria-pressed={template.id === chosen}
              onClick={() => onChoose(template)}
            >
              <b>{template.name}</b>
              {template.needsModel && <span class="tag">needs a model</span>}
              <small>{template.description}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
