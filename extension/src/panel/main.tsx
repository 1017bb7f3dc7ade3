// The entry point of the panel: loads styles, theme and settings, and renders.

import "../../../web/src/styles/tokens.css";
import "../../../web/src/styles/base.css";
import "../../../web/src/styles/layout.css";
import "../../../web/src/styles/parts.css";
import "../../../web/src/styles/forms.css";
import "../../../web/src/styles/run.css";
import "../../../web/src/styles/conversation.css";
import "./panel.css";
import { render } from "preact";
import { setPlace } from "../../../web/src/api/place";
import { speakForPanel } from "../../../web/src/ui/advice";
import { applyTheme } from "../../../web/src/ui/theme";
import { Panel } from "./panel";
import { proving } from "./prove";
import { loadSettings } from "./settings";

applyTheme();
speakForPanel();
const settings = await loadSettings();
const { server, token } = settings;
setPlace(server, token, token ? proving(token, server) : undefined);
const place = document.getElementById("app");
if (place) render(<Panel settings={settings} />, place);
