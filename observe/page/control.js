// Pause, resume and max_active, where the program allows it.
import { $, el, setText } from "./dom.js";

const token = document.querySelector('meta[name="token"]').content;

export const controlled = token !== "";

export function controls(q) {
  const pause = el("button", { type: "button" });
  const limit = el("button", { type: "button", title: "change max_active", onclick: () => ask(limit.queue) }, "limit…");
  pause.addEventListener("click", () => change(q.key, pause.paused ? "resume" : "pause"));
  const box = el("span", {}, pause, " ", limit);
  box.pause = pause;
  box.limit = limit;
  return box;
}

export function updateControls(td, q) {
  const { pause, limit } = td.firstChild;
  pause.paused = (q.flags || []).includes("paused");
  setText(pause, pause.paused ? "Resume" : "Pause");
  pause.setAttribute("aria-label", `${pause.paused ? "Resume" : "Pause"} ${q.shown}`);
  limit.setAttribute("aria-label", `Change max_active of ${q.shown}`);
  limit.queue = q;
}

async function change(key, action, form = {}) {
  // A path may not have every name in it.
  const plain = !/^\.{1,2}$/.test(key);
  const body = new URLSearchParams(form);
  if (!plain) body.set("queue", key);
  try {
    const answer = await fetch(`queues/${plain ? encodeURIComponent(key) : "-"}/${action}`, {
      method: "POST",
      headers: { "X-Cmwq-Token": token },
      body,
    });
    toast((await answer.text()).trim(), answer.ok);
  } catch {
    toast("The program did not answer.", false);
  }
}

function ask(q) {
  const d = $("limit");
  setText($("limit-h"), `max_active of ${q.shown}`);
  $("limit-n").value = q.max_active || 1;
  d.onclose = () => {
    if (d.returnValue === "set") change(q.key, "max_active", { n: $("limit-n").value });
  };
  d.returnValue = "";
  d.showModal();
}

$("limit-cancel").addEventListener("click", () => $("limit").close());

let gone;
function toast(text, ok) {
  const t = $("toast");
  t.hidden = false;
  setText(t, ok ? text : `Refused: ${text}`);
  clearTimeout(gone);
  gone = setTimeout(() => (t.hidden = true), 6000);
}
