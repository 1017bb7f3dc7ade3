// Runs at the end of each MiniWoB++ page, served by the judge: begins the episode that the address names, hides what is
// the harness's own from whoever drives the page, and tells the judge the task and the reward.
(() => {
  const style = document.createElement("style");
  // The task's own layout stays: what asks keeps its place.
  style.textContent =
    "#reward-display, #click-canvas, #sync-task-cover { display: none !important }" +
    "#query { visibility: hidden !important }";
  document.head.append(style);

  const asked = new URLSearchParams(location.search);
  // At once, so that whoever acts and then looks at the judge finds what the act led to.
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
      // Tasks in natural language say beside it what is in which slot; that is not for the agent.
      return typeof said === "string" ? said : said.utterance;
    };
    const ready = () => (WOB_TASK_READY ? tell({ utterance: utterance() }) : setTimeout(ready, 10));
    ready();
  });
})();
