// The table of queues.
import { $, el, keyed, setText, number, seconds, History, spark, draw } from "./dom.js";
import { controlled, controls, updateControls } from "./control.js";

const columns = [
  { id: "name", head: "Queue", left: true },
  { id: "kind", head: "Kind", left: true },
  { id: "rate", head: "Started/s", title: "items that started in a second" },
  { id: "trend", head: "Last minute", plain: true },
  { id: "running", head: "Running", title: "items that run now" },
  { id: "waiting", head: "Waiting", title: "items that have not begun" },
  { id: "max_active", head: "Max active", title: "items that may be active at once; 0: any number" },
  { id: "wait", head: "Wait p99", title: "from queueing to start, of 99 in 100", timed: true },
  { id: "run", head: "Run p99", title: "from start to end, of 99 in 100", timed: true },
  { id: "hogs", head: "Hogs", title: "times that an item kept its worker for too long: it computed, or blocked without a word" },
  { id: "retried", head: "Retried", title: "failures after which an item was to run again" },
  { id: "failed", head: "Failed", title: "items that failed for good" },
  { id: "dead", head: "Dead", title: "items that were kept as dead letters" },
  { id: "total", head: "Total", title: "items that have started" },
];

let timed = false; // somebody measures times
const rates = new History();
let sorted = { by: "level", desc: true };

// table gives the head and tells of other orders; open shows a queue's details.
export function table(order, open) {
  const head = $("table").tHead.rows[0];
  for (const c of columns) {
    const th = el("th", { scope: "col", class: c.left && "left", title: c.title });
    if (c.plain) th.append(el("span", {}, c.head));
    else th.append(el("button", { type: "button", onclick: () => sort(c, order) }, c.head));
    c.th = th;
    head.append(th);
  }
  if (controlled) head.append(el("th", { scope: "col", class: "left" }, el("span", {}, "Control")));
  opened = open;
}
let opened;

// sort goes from the natural order of a column to the other, and back to trouble first.
function sort(c, order) {
  const first = !c.left;
  if (sorted.by !== c.id) sorted = { by: c.id, desc: first };
  else if (sorted.desc === first) sorted = { by: c.id, desc: !first };
  else sorted = { by: "level", desc: true };
  for (const x of columns) {
    if (x.id === sorted.by) x.th.setAttribute("aria-sort", sorted.desc ? "descending" : "ascending");
    else x.th.removeAttribute("aria-sort");
  }
  order(sorted.by, sorted.desc);
}

export function showQueues(f, searching) {
  timed = f.queues.some((q) => q.wait !== undefined || q.run !== undefined);
  for (const c of columns) if (c.timed) c.th.hidden = !timed;
  rates.begin();
  keyed($("table").tBodies[0], f.queues, (q) => q.key, makeRow, updateRow);
  rates.end();
  const n = f.queues.length;
  const of = n + f.queues_cut;
  let text = f.queues_cut ? `${n} of ${of}; search or sort to see others` : `${n} shown`;
  if (searching) text = n ? `${of} found${f.queues_cut ? `, ${n} shown` : ""}` : "nothing found";
  setText($("queues-cut"), text);
}

function makeRow(q) {
  const tr = el("tr");
  tr.cells_ = {};
  for (const c of columns) {
    const td = el(c.id === "name" ? "th" : "td", { class: c.left && "left", scope: c.id === "name" && "row" });
    tr.cells_[c.id] = td;
    tr.append(td);
  }
  tr.name = el("button", { type: "button", onclick: () => opened(q) }, el("bdi"));
  tr.cells_.name.append(tr.name);
  tr.spark = spark(90, 18);
  tr.cells_.trend.append(tr.spark);
  if (controlled) tr.append(el("td", { class: "left" }, controls(q)));
  return tr;
}

function updateRow(tr, q) {
  const c = tr.cells_;
  setText(tr.name.firstChild, q.shown);
  const tags = [q.kind, q.level || "", ...(q.flags || [])].join("|");
  if (c.kind.tags !== tags) {
    c.kind.tags = tags;
    c.kind.replaceChildren(q.kind, ...(q.flags || []).map((f) => el("span", { class: "tag" }, f)));
    if (q.level) c.kind.append(el("span", { class: "tag " + q.level }, q.level));
  }
  put(c.rate, q.rate);
  draw(tr.spark, rates.add(q.key, q.rate));
  put(c.running, q.running);
  put(c.waiting, q.waiting);
  put(c.max_active, q.max_active);
  setText(c.wait, q.wait === undefined ? "–" : seconds(q.wait));
  c.wait.hidden = c.run.hidden = !timed;
  setText(c.run, q.run === undefined ? "–" : seconds(q.run));
  put(c.hogs, q.hogs);
  put(c.retried, q.retried);
  put(c.failed, q.failed, true);
  put(c.dead, q.dead, true);
  put(c.total, q.total);
  if (controlled) updateControls(tr.lastChild, q);
}

function put(td, n, bad) {
  setText(td, number(n));
  td.className = n === 0 ? "zero" : bad ? "bad" : "";
}
