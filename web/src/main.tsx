// The entry point of the page: loads styles and theme, and renders the app.

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/parts.css";
import "./styles/forms.css";
import "./styles/work.css";
import "./styles/run.css";
import "./styles/conversation.css";
import "./styles/trace.css";
import "./styles/charts.css";
import { render } from "preact";
import { App } from "./app";
import { applyTheme } from "./ui/theme";

applyTheme();
const place = document.getElementById("app");
if (place) {
  place.textContent = "";
  render(<App />, place);
}
