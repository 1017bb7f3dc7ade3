// What the mind thinks beside its actions, in words: plans, reflections, reviews, investigations, data taken.

import type { Event } from "../protocol/generated";
import type { Tone } from "./states";
import type { Thought } from "./types";
import { percent, valueWords } from "./words";

export interface Words {
  title: string;
  text?: string;
  items?: string[];
  tone?: Tone;
}

/** A thought in words; nothing for what is no thought, or says nothing. */
export function thoughtWords(thought: Thought): Words | undefined {
  const event = thought as Event;
  switch (event.type) {
    case "PLAN_MADE": {
      const { plan, successCriteria, actionItems, revision } = event.data;
      const done = successCriteria ? `Done when: ${successCriteria}` : "";
      return {
        title: revision ? "New plan" : "Plan",
        text: [plan, done].filter(Boolean).join("\n"),
        items: actionItems,
      };
    }
    case "REFLECTED": {
      const { verdict, thought, cause, risk } = event.data;
      return {
        title: `On reflection: ${verdict.toLowerCase()}`,
        text: `${thought}\nBecause: ${cause}. Risk: ${risk.toLowerCase()}.`,
      };
    }
    case "ANSWER_REVIEWED": {
      const { quality, feedback, attempt } = event.data;
      const good = quality === "complete" || quality === "excellent";
      return { title: `Answer judged ${quality} (try ${attempt})`, text: feedback, tone: good ? "good" : "wait" };
    }
    case "DATA_EXTRACTED": {
      const { instruction, data, unverified } = event.data;
      const doubt = unverified?.length ? `\nNot found where it is said to be: ${unverified.join(", ")}` : "";
      return { title: `Data extracted${instruction ? `: ${instruction}` : ""}`, text: valueWords(data) + doubt };
    }
    case "INVESTIGATION_STARTED":
      return { title: "Investigates", text: event.data.reason };
    case "INVESTIGATION_PHASE_COMPLETED":
      return event.data.summary ? { title: phaseWords(event.data.phase), text: event.data.summary } : undefined;
    case "INVESTIGATION_TOOL_COMPLETED":
      return { title: `Tool ${event.data.tool}: ${event.data.ok ? "answered" : "failed"}`, text: event.data.summary };
    case "INVESTIGATION_COMPLETED": {
      const { insight, target, confidence, partial } = event.data;
      const found = target ? `Element: ${target}` : "No single element named";
      const sure = confidence == null ? "" : `, confidence ${percent(confidence)}`;
      return {
        title: `Investigation done${partial ? " in part" : ""}`,
        text: [insight, found + sure].filter(Boolean).join("\n"),
      };
    }
    case "INVESTIGATION_FAILED":
      return { title: "Investigation failed", text: event.data.message, tone: "wait" };
    case "ELEMENT_DISCOVERED":
      return { title: `Found ${event.data.element}`, text: event.data.purpose };
    default:
      return undefined;
  }
}

const PHASES: Record<string, string> = {
  INITIALIZING: "Begins",
  GENERATING_PROMPT: "Looks at the page",
  QUERYING_AI: "Asks the model",
  PROCESSING_RESPONSE: "Reads the reply",
  INVESTIGATING: "Investigates",
  INITIAL_ASSESSMENT: "First look",
  FOCUSED_EXPLORATION: "Looks closer",
  SELECTOR_DETERMINATION: "Names the element",
  BUILDING_CONTEXT: "Gathers what it found",
  EXECUTING_COMMANDS: "Acts",
  REFLECTING: "Reflects",
  VALIDATING: "Checks the result",
  COMPLETED: "Done",
  FAILED: "Failed",
};

export const phaseWords = (phase: string): string => PHASES[phase] ?? phase.toLowerCase();
