// Small helpers. What comes from the program only ever becomes text: no markup is parsed.

export const $ = (id) => document.getElementById(id);

export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (v === undefined || v === false) continue;
    if (k === "class") e.className = v;
    else if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.filter((c) => c !== undefined && c !== null));
  return e;
}

// keyed makes the children of a list those of items, keeping elements by their key, so
// that focus and selection stay where they are.
export function keyed(list, items, key, make, update) {
  const old = new Map();
  for (const c of list.children) old.set(c.dataKey, c);
  let at = list.firstElementChild;
  for (const item of items) {
    const k = key(item);
    let e = old.get(k);
    if (e) old.delete(k);
    else {
      e = make(item);
      e.dataKey = k;
    }
    update(e, item);
    if (e === at) at = at.nextElementSibling;
    else list.insertBefore(e, at);
  }
  for (const e of old.values()) e.remove();
}

export function setText(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

// figures gives three of them, and never an exponent.
function figures(n) {
  return Math.abs(n) >= 99.95 ? Math.round(n).toString() : n.toPrecision(3);
}

export function number(n) {
  const a = Math.abs(n);
  if (a >= 1e9) return figures(n / 1e9) + " G";
  if (a >= 1e6) return figures(n / 1e6) + " M";
  if (a >= 1e4) return figures(n / 1e3) + " k";
  if (a > 0 && a < 10 && !Number.isInteger(n)) return n.toFixed(1);
  return Math.round(n).toString();
}

export function seconds(s) {
  if (s === 0) return "0";
  if (s < 1e-3) return figures(s * 1e6) + " µs";
  if (s < 1) return figures(s * 1e3) + " ms";
  if (s < 120) return (s < 10 ? s.toFixed(1) : Math.round(s)) + " s";
  if (s < 7200) return Math.round(s / 60) + " min";
  return Math.round(s / 3600) + " h";
}

// History holds the last numbers of things by name, of those that are shown.
export class History {
  constructor(length = 60) {
    this.length = length;
    this.of = new Map();
    this.round = 0;
  }
  begin() {
    this.round++;
  }
  add(name, value) {
    let h = this.of.get(name);
    if (!h) this.of.set(name, (h = { values: [], seen: 0 }));
    h.seen = this.round;
    h.values.push(value);
    if (h.values.length > this.length) h.values.shift();
    return h.values;
  }
  end() {
    for (const [name, h] of this.of) if (this.round - h.seen > this.length) this.of.delete(name);
  }
}

const SVG = "http://www.w3.org/2000/svg";

export function spark(width, height) {
  const s = document.createElementNS(SVG, "svg");
  s.setAttribute("class", "spark");
  s.setAttribute("width", width);
  s.setAttribute("height", height);
  s.setAttribute("viewBox", `0 0 ${width} ${height}`);
  s.setAttribute("aria-hidden", "true");
  for (const c of ["fill", "line"]) {
    const p = document.createElementNS(SVG, "path");
    p.setAttribute("class", c);
    s.append(p);
  }
  s.w = width;
  s.h = height;
  return s;
}

export function draw(s, values, length = 60) {
  const top = Math.max(...values, 1e-9);
  const x = (i) => (((i + length - values.length) / (length - 1)) * s.w).toFixed(1);
  const y = (v) => (s.h - 1 - (v / top) * (s.h - 2)).toFixed(1);
  const line = values.map((v, i) => `${i ? "L" : "M"}${x(i)} ${y(v)}`).join("");
  s.lastChild.setAttribute("d", line);
  s.firstChild.setAttribute("d", `${line}L${s.w} ${s.h}L${x(0)} ${s.h}Z`);
}
