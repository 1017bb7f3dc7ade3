// The frame of every screen: skip link, navigation, theme and the screen itself.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { whoami } from "./api/client";
import type { CurrentUser } from "./api/generated";
import { asRefused } from "./api/load";
import { Link, useLocation } from "./router";
import { BatchScreen } from "./screens/batches/batch";
import { BatchesScreen } from "./screens/batches/list";
import { DashboardScreen } from "./screens/dashboard/dashboard";
import { MemoryScreen } from "./screens/memory";
import { RunScreen } from "./screens/run/run";
import { RunsScreen } from "./screens/runs";
import { SchedulesScreen } from "./screens/schedules/schedules";
import { SettingsScreen } from "./screens/settings/settings";
import { StartScreen } from "./screens/start/start";
import { EditWorkflowScreen, NewWorkflowScreen } from "./screens/workflows/edit";
import { WorkflowsScreen } from "./screens/workflows/list";
import { WorkflowScreen } from "./screens/workflows/workflow";
import { Announcer } from "./ui/announce";
import { keepTheme, type Theme, theme } from "./ui/theme";

const PLACES = [
  ["/", "New run"],
  ["/workflows", "Workflows"],
  ["/runs", "Runs"],
  ["/batches", "Batches"],
  ["/schedules", "Schedules"],
  ["/dashboard", "Dashboard"],
  ["/memory", "Memory"],
  ["/settings", "Settings"],
] as const;

export function App() {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const [me, setMe] = useState<CurrentUser>();
  const [shut, setShut] = useState(false);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    whoami().then(setMe, (problem: unknown) => setShut(asRefused(problem).unauthorized));
  }, []);

  // The focus moves to the heading of a new screen, so that a screen reader announces it.
  useEffect(() => {
    setOpen(false);
    if (first.current) first.current = false;
    else main.current?.querySelector<HTMLElement>("h1")?.focus();
  }, [path]);

  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <header class="topbar">
        <Link to="/" class="brand" aria-label="Legwork, new run">
          <img src="/icon.svg" alt="" width="22" height="22" /> <span>Legwork</span>
        </Link>
        <button
          type="button"
          class="menu-button"
          aria-expanded={open}
          aria-controls="places"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
        <nav id="places" aria-label="Main" data-open={open}>
          {PLACES.map(([to, name]) => (
            <Link key={to} to={to} aria-current={here(path, to) ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {shut ? <SignedOut /> : screen(path)}
      </main>
      <footer class="foot">Legwork {me?.version}</footer>
      <Announcer />
    </>
  );
}

function screen(path: string): ComponentChildren {
  const [, place, id, part] = path.split("/");
  switch (place) {
    case "":
      return <StartScreen />;
    case "runs":
      return id ? (
        <RunScreen
          key={id}
          id={decodeURIComponent(id)}
          part={part === "trace" || part === "chat" ? part : "overview"}
        />
      ) : (
        <RunsScreen />
      );
    case "workflows":
      return id ? workflow(decodeURIComponent(id), part) : <WorkflowsScreen />;
    case "batches":
      return id ? <BatchScreen key={id} id={decodeURIComponent(id)} /> : <BatchesScreen />;
    case "dashboard":
      return <DashboardScreen />;
    case "memory":
      return <MemoryScreen />;
    case "schedules":
      return <SchedulesScreen />;
    case "settings":
      return <SettingsScreen />;
    default:
      return (
        <>
          <h1 tabIndex={-1}>Page not found</h1>
          <p>
            This address does not exist. <Link to="/runs">Show runs</Link>
          </p>
        </>
      );
  }
}

function workflow(id: string, part: string | undefined): ComponentChildren {
  if (id === "new") return <NewWorkflowScreen />;
  return part === "edit" ? <EditWorkflowScreen key={id} id={id} /> : <WorkflowScreen key={id} id={id} />;
}

const here = (path: string, to: string) => (to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`));

function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

function SignedOut() {
  return (
    <section class="empty">
      <h1 tabIndex={-1}>Sign-in required</h1>
      <p>
        This page belongs to the person who started the server. Open the link that the server shows when it starts, or
        ask that person for a new one. Each link works once.
      </p>
    </section>
  );
}

function ThemeSwitch() {
  const [now, set] = useState<Theme>(theme());
  const choose = (wanted: Theme) => {
    keepTheme(wanted);
    set(wanted);
  };
  return (
    <label class="theme">
      <span class="unseen">Colours</span>
      <select value={now} onChange={(event) => choose(event.currentTarget.value as Theme)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
