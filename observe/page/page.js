// The live page: it asks for a stream of events, and shows each.
import { $, el, keyed, setText, number, History, spark, draw } from "./dom.js";
import { table, showQueues } from "./table.js";
import { showPools } from "./pools.js";
import { clear, showDetail } from "./detail.js";

const want = { q: "", sort: "level", dir: "desc", queue: "" };
let source;
let last; // the event that is shown
let held = false;

function connect() {
  source?.close();
  const query = new URLSearchParams(Object.entries(want).filter(([, v]) => v !== ""));
  source = new EventSource("events?" + query);
  source.addEventListener("frame", (e) => {
    link("live", "live");
    last = JSON.parse(e.data);
    if (!held) show(last);
  });
  source.addEventListener("gone", (e) => link("lost", "stopped: " + e.data));
  source.onerror = () => {
    link("lost", "not connected");
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000); // it was refused
  };
}

function link(state, text) {
  $("link").dataset.state = state;
  setText($("link").firstElementChild, text);
}

function show(f) {
  showSum(f.sum);
  showAlerts(f);
  showPools(f);
  showQueues(f, want.q !== "");
  showDetail(f.detail);
}

const sums = [
  ["rate", "Started a second", true],
  ["waiting", "Items waiting", true],
  ["busy", "Workers busy", true],
  ["failed", "Failed for good"],
  ["queues", "Queues"],
  ["pools", "Pools"],
];
const sumHistory = new History();

function showSum(sum) {
  sumHistory.begin();
  keyed($("sum"), sums, ([id]) => id, ([, name, trend]) => {
    const d = el("div", {}, el("dt", {}, name), el("dd"));
    if (trend) d.append((d.spark = spark(64, 22)));
    return d;
  }, (d, [id]) => {
    const dd = d.children[1];
    if (id === "busy") dd.replaceChildren(number(sum.busy), el("small", {}, ` of ${number(sum.workers)}`));
    else setText(dd, number(sum[id]));
    if (d.spark) draw(d.spark, sumHistory.add(id, sum[id]));
  });
}

let said = "";
function showAlerts(f) {
  const alerts = [...f.alerts];
  if (!alerts.length) alerts.push({ level: "ok", text: "Nothing is stuck, nothing fails." });
  if (f.alerts_cut) alerts.push({ level: "more", text: `${f.alerts_cut} more of the kind; search the queues for “stuck” or “failing”.` });
  keyed($("alerts"), alerts, (a) => a.level + a.queue, () => el("li", {}, el("b"), el("span"), el("em")), (li, a) => {
    li.className = a.level + (a.past ? " past" : "");
    setText(li.children[0], a.past ? `${a.level}, over` : a.level);
    setText(li.children[1], a.text);
    setText(li.children[2], a.advice || "");
  });
  // Numbers change all the time: who listens hears what is new, not each number.
  const kinds = f.alerts.map((a) => `${a.level} ${a.queue}`).sort();
  const fresh = f.alerts.find((a) => !said.includes(`|${a.level} ${a.queue}|`));
  if (fresh) setText($("say"), fresh.text);
  said = `|${kinds.join("|")}|`;
  const stuck = f.alerts.filter((a) => a.level === "stuck").length;
  document.title = document.title.replace(/^(\(\d+ stuck\) )?/, stuck ? `(${stuck} stuck) ` : "");
}

// Details of one queue.
function open(q) {
  want.queue = q.key;
  setText($("detail-h"), `Queue ${q.shown}`);
  clear("…");
  $("detail").showModal();
  connect();
}

$("detail").addEventListener("close", () => {
  if ($("detail").open) return; // it is told late, and another was opened
  want.queue = "";
  connect();
});
$("detail-close").addEventListener("click", () => $("detail").close());

// What the reader does.
table((sort, desc) => {
  want.sort = sort;
  want.dir = desc ? "desc" : "asc";
  connect();
}, open);

let typing;
$("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    want.q = $("search").value.trim();
    connect();
  }, 150);
});

$("hold").addEventListener("click", () => {
  held = !held;
  $("hold").setAttribute("aria-pressed", held);
  if (!held && last) show(last);
});

addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input")) return;
  e.preventDefault();
  $("search").focus();
});

// Nobody looks at a hidden page: the program need not take snapshots for it.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    link("wait", "hidden");
  } else connect();
});

connect();
