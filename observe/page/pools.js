// The map of pools: a square for each worker, by what it does.
import { $, el, keyed, setText, number, seconds, History, spark, draw } from "./dom.js";

const letters = { running: "R", hog: "H", "cpu-intensive": "C", sleeping: "S", blocked: "B", "assumed asleep": "A", starting: "·" };
const classes = { "assumed asleep": "assumed", blocked: "assumed" };
const kinds = { managed: "managed", percpu: "per-CPU", unbound: "unbound", bh: "BH" };
const idles = 24; // idle workers that are drawn

const loads = new History();

export function showPools(f) {
  loads.begin();
  keyed($("pools"), f.pools, (p) => p.name, makePool, updatePool);
  loads.end();
  $("pools-cut").hidden = !f.pools_cut;
  setText($("pools-cut"), `${f.pools_cut} more pools, most of them idle, are not shown`);
}

function makePool() {
  const li = el("li");
  li.title_ = el("span");
  li.kind = el("small");
  li.spark = spark(70, 16);
  li.words = el("p");
  li.map = el("div", { class: "map", "aria-hidden": "true" });
  li.append(el("h3", {}, li.title_, li.kind, li.spark), li.words, li.map);
  return li;
}

function updatePool(li, p) {
  setText(li.title_, `Pool ${p.name}`);
  setText(li.kind, [kinds[p.kind] || p.kind, p.cpu >= 0 ? `CPU ${p.cpu}` : p.cpus && `CPUs ${p.cpus}`, p.high_pri ? "highpri" : ""].filter(Boolean).join(" · "));
  draw(li.spark, loads.add(p.name, (p.workers || []).length + (p.cut || 0)));
  li.classList.toggle("hung", p.hung >= 5);
  describe(li.words, p);
  const squares = (p.workers || []).map((w) => ({ k: w.name, w }));
  for (let i = 0; i < Math.min(p.idle, idles); i++) squares.push({ k: `idle ${i}` });
  keyed(li.map, squares, (s) => s.k, () => el("i"), updateWorker);
}

// describe says what the squares show, for those who do not see them.
function describe(e, p) {
  const n = {};
  for (const w of p.workers || []) n[w.state] = (n[w.state] || 0) + 1;
  const parts = Object.entries(n).map(([s, k]) => `${k} ${s === "hog" && k > 1 ? "hogs" : s}`);
  if (p.cut) parts.push(`${p.cut} more`);
  if (p.idle) parts.push(`${p.idle} idle`);
  if (p.wanted) parts.push(`${p.wanted} to be made`);
  if (p.width) parts.push(`width ${p.width}`);
  if (!parts.length) parts.push("no workers");
  const hung = p.hung >= 1 ? `no progress for ${seconds(p.hung)}` : "";
  const waits = p.waiting ? `${number(p.waiting)} waiting` : "";
  const key = [parts, waits, hung].join("|");
  if (e.key === key) return;
  e.key = key;
  e.replaceChildren(parts.join(", "));
  if (waits) e.append(", ", waits);
  if (hung) e.append(", ", el("strong", {}, hung));
}

function updateWorker(i, { w }) {
  if (!w) {
    i.className = "w idle";
    setText(i, "");
    i.title = "idle";
    return;
  }
  i.className = "w " + (classes[w.state] || w.state);
  setText(i, letters[w.state] || "?");
  i.title = `${w.name}: ${w.state}${w.func ? ` in ${w.func} for ${seconds(w.for)}` : ""}\n${w.where ? w.where + "\n" : ""}queue ${w.queue}${w.desc ? `\n${w.desc}` : ""}`;
}
