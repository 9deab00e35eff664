// What is known of one queue, in a dialog.
import { $, el, keyed, setText, number, seconds } from "./dom.js";

export function clear(text) {
  const body = $("detail-body");
  body.facts = null;
  setText(body, text);
}

export function showDetail(d) {
  if (!$("detail").open) return;
  if (!d) return clear("The queue is gone.");
  const { row } = d;
  setText($("detail-h"), `Queue ${row.shown}`);
  const facts = { running: row.running, waiting: row.waiting, delayed: row.delayed, "max active": row.max_active, started: row.total, retried: row.retried, failed: row.failed, dead: row.dead };
  const run = (r) => `${r.n > 1 ? r.n + " × " : ""}${r.func}${r.waiters ? `, waited for by ${r.waiters}` : ""} (pool ${r.pool})`;
  const body = $("detail-body");
  if (!body.facts) body.replaceChildren((body.facts = el("dl", { class: "facts" })), (body.lists = el("div")), (body.cut = el("p", { class: "cut" })));
  // What stands there stays: who reads it, or has marked some, is not disturbed.
  keyed(body.facts, Object.entries(facts), ([k]) => k, ([k]) => el("div", {}, el("dt", {}, k), el("dd")), (e, [, v]) => setText(e.lastChild, number(v)));
  const lists = [
    ["In flight, the longest first", d.in_flight.map((w) => `${w.name} ${w.func || "…"} ${w.state} for ${seconds(w.for)}${w.where ? `, ${w.where}` : ""}${w.desc ? ` “${w.desc}”` : ""}`)],
    ["Pending, in a pool", d.pending.map(run)],
    ["Inactive, beyond max_active or behind their key", d.held.map(run)],
  ];
  keyed(body.lists, lists, ([name]) => name, ([name]) => el("div", {}, el("h3", {}, name), el("ul")), (e, [, lines]) => {
    const shown = (lines.length ? lines : ["none"]).map((text, i) => ({ text, i }));
    keyed(e.lastChild, shown, (l) => l.i, () => el("li"), (li, l) => setText(li, l.text));
  });
  setText(body.cut, d.cut ? `${d.cut} more are not shown` : "");
}
