// Creates a wiki in the current folder and serves it on a free port, which TiddlyWiki prints. Ends when its standard input
// is closed, so that it cannot outlive the test that started it.
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));

const boot = (...argv) => {
  const { TiddlyWiki } = require("tiddlywiki");
  const wiki = TiddlyWiki();
  wiki.boot.argv = argv;
  return new Promise((done) => wiki.boot.boot(done));
};

boot("wiki", "--init", "server").then(() => boot("wiki", "--listen", "host=127.0.0.1", "port=0"));
