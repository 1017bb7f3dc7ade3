// The judge's server appends this script to each MiniWoB++ page. It starts the episode with the seed in the query, hides
// the elements of the harness from the agent, and reports the task and the reward to the judge.
(() => {
  const style = document.createElement("style");
  // The query stays in the layout, so that the elements of the task keep their positions.
  style.textContent =
    "#reward-display, #click-canvas, #sync-task-cover { display: none !important }" +
    "#query { visibility: hidden !important }";
  document.head.append(style);

  const asked = new URLSearchParams(location.search);
  // Synchronous, so that the judge has the report before an action is finished.
  const tell = (word) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/~judge/" + asked.get("episode"), false);
    request.setRequestHeader("content-type", "application/json");
    request.send(JSON.stringify(word));
  };

  addEventListener("load", () => {
    const end = core.endEpisode;
    core.endEpisode = (...given) => {
      const open = core.EP_TIMER !== null;
      end(...given);
      if (open) tell({ reward: WOB_RAW_REWARD_GLOBAL });
    };
    core.EPISODE_MAX_TIME = 1e6;
    Math.seedrandom(Number(asked.get("seed")));
    core.startEpisodeReal();
    const utterance = () => {
      const said = core.getUtterance();
      // Natural-language tasks also return the values of their slots, which the agent must not see.
      return typeof said === "string" ? said : said.utterance;
    };
    const ready = () => (WOB_TASK_READY ? tell({ utterance: utterance() }) : setTimeout(ready, 10));
    ready();
  });
})();
