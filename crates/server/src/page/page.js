// The page of the prover server: asks the same interface that every client asks. Text is set as text, never as markup.
"use strict";

const $ = (id) => document.getElementById(id);
const KEEP = "frumious-token";
const POINTS = 100;
// A browser has six connections to a server, and those of all its pages count: others are for lists and buttons.
const MOST_STREAMS = 3;

let token = sessionStorage.getItem(KEEP) || "";
const watched = new Map();
const listed = new Map();

const ask = async (path, options = {}) => {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(path, { ...options, headers });
  if (answer.status === 401) {
    signIn(true);
    throw new Error("a token is needed");
  }
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return answer;
};

const signIn = (isNeeded) => {
  $("sign-in").hidden = !isNeeded;
  $("board").hidden = isNeeded;
};

const element = (tag, text, name) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
};

const row = (cells) => {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
};

const bytes = (count) => {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) {
    count /= 1000;
    unit += 1;
  }
  return `${count.toFixed(unit && count < 10 ? 1 : 0)} ${units[unit]}`;
};

const seconds = (job) => job.finished_ms && (job.finished_ms - job.created_ms) / 1000;

// A running job's line, and what shows its progress.
const lineOf = (job) => {
  const line = element("li");
  line.dataset.job = job.id;
  const name = element("span", `${job.circuit} `);
  const phase = element("span", "", "quiet");
  const bar = element("progress");
  bar.max = 1;
  bar.setAttribute("aria-label", `Progress of ${job.id}`);
  const part = element("span", "0%");
  name.append(phase);
  line.append(name, bar, part);
  const show = (view) => {
    if (view.done === undefined) return;
    bar.value = view.done;
    part.textContent = `${Math.round(100 * view.done)}%`;
    phase.textContent = view.phase || "";
  };
  show(job);
  return { line, show };
};

// By a stream of events, so that progress moves as it is made.
const follow = async (job) => {
  const { line, show } = lineOf(job);
  watched.set(job.id, line);
  try {
    const answer = await ask(`/v1/proofs/${job.id}/events`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events) {
        const data = event.match(/^data: (.*)$/m);
        if (data) show(JSON.parse(data[1]));
      }
    }
  } catch {
    // The stream broke: the list tells the rest.
  }
  watched.delete(job.id);
  line.remove();
  refreshSoon();
};

const showLive = (jobs) => {
  const list = $("live");
  const running = jobs.filter((job) => job.state === "running" && !watched.has(job.id));
  const free = MOST_STREAMS - watched.size;
  for (const job of running.slice(0, free)) follow(job);
  // The others' progress is what the list says.
  const others = new Map(running.slice(free).map((job) => [job.id, job]));
  for (const [id, { line }] of listed) {
    if (others.has(id)) continue;
    line.remove();
    listed.delete(id);
  }
  for (const [id, job] of others) {
    if (!listed.has(id)) listed.set(id, lineOf(job));
    listed.get(id).show(job);
  }
  const lines = [...watched.values(), ...[...listed.values()].map(({ line }) => line)];
  for (const line of lines) if (!line.isConnected) list.append(line);
  const empty = list.querySelector(".quiet:not(span)");
  if (lines.length && empty) empty.remove();
  if (!lines.length && !empty) list.replaceChildren(element("li", "Nothing runs.", "quiet"));
};

const showJobs = (jobs) => {
  const rows = jobs.slice(0, 20).map((job) => {
    const id = element("td");
    id.append(element("code", job.id.slice(0, 12)));
    id.title = job.id;
    const state = element("td");
    state.append(element("span", job.state, `state ${job.state}`));
    if (job.error) state.append(` ${job.error}`);
    if (job.error) state.className = "reason";
    const action = element("td");
    if (!job.finished_ms) {
      const cancel = element("button", "Cancel");
      cancel.setAttribute("aria-label", `Cancel ${job.id}`);
      cancel.dataset.cancel = job.id;
      action.append(cancel);
    }
    const time = seconds(job);
    return row([id, element("td", job.circuit), state, element("td", time ? time.toFixed(2) : ""), element("td", job.owner), action]);
  });
  const body = $("jobs").tBodies[0];
  const focused = document.activeElement && document.activeElement.dataset.cancel;
  body.replaceChildren(...rows);
  if (focused) body.querySelector(`[data-cancel="${focused}"]`)?.focus();
};

const showCircuits = (circuits) => {
  const rows = circuits.map((one) => row([
    element("td", one.id), element("td", one.curve), element("td", one.wires.toLocaleString("en")),
    element("td", `2^${Math.log2(one.domain_size)}`), element("td", one.public_signals),
    element("td", one.generator ? "yes" : "no"), element("td", one.threads), element("td", bytes(one.memory_bytes)),
  ]));
  $("circuits").tBodies[0].replaceChildren(...rows);
};

const shape = (kind, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

const frame = (most, unit) => [
  shape("line", { class: "axis", x1: 40, y1: 120, x2: 600, y2: 120 }),
  shape("text", { x: 0, y: 124 }, "0"),
  shape("text", { x: 0, y: 20 }, `${most >= 10 ? Math.round(most) : most.toFixed(most >= 1 ? 1 : 2)}${unit}`),
];

const showCharts = (jobs) => {
  const proofs = jobs.filter((job) => job.state === "succeeded");
  const now = Date.now();
  const bins = Array(60).fill(0);
  for (const job of proofs) {
    const age = Math.floor((now - job.finished_ms) / 1000);
    if (age >= 0 && age < 60) bins[59 - age] += 1;
  }
  const high = Math.max(1, ...bins);
  const bars = bins.map((count, k) => shape("rect", {
    class: "bar", x: 42 + k * 9.2, width: 7, y: 120 - (104 * count) / high, height: (104 * count) / high,
  }));
  $("throughput").replaceChildren(...frame(high, ""), ...bars);
  const times = proofs.map(seconds).reverse();
  const slow = Math.max(0.001, ...times);
  const dots = times.map((time, k) => shape("circle", {
    class: "dot", r: 3, cx: 45 + (k * 550) / Math.max(1, times.length - 1), cy: 120 - (104 * time) / slow,
  }));
  $("latency").replaceChildren(...frame(slow, " s"), ...dots);
  $("rate").textContent = bins.reduce((sum, count) => sum + count, 0) + (proofs.length === POINTS ? "+" : "");
  const sorted = [...times].sort((a, b) => a - b);
  $("median").textContent = sorted.length ? `${sorted[sorted.length >> 1].toFixed(2)} s` : "–";
};

let circuitsShown = false;
let timer;

const refresh = async () => {
  clearTimeout(timer);
  try {
    const [status, list] = await Promise.all(
      ["/v1/status", `/v1/proofs?limit=${POINTS}`].map((path) => ask(path).then((answer) => answer.json())),
    );
    signIn(false);
    if (!circuitsShown) {
      showCircuits((await (await ask("/v1/circuits")).json()).circuits);
      circuitsShown = true;
    }
    $("machine").textContent = `${status.cpu}, threads: ${status.threads}, ${status.backend}, version ${status.version}`;
    $("queued").textContent = status.queued;
    $("running").textContent = status.running;
    $("memory").textContent = bytes(status.resident_bytes);
    $("state").textContent = status.ready ? "ready" : "not ready";
    $("state").className = `badge ${status.ready ? "ready" : "away"}`;
    showJobs(list.proofs);
    showCharts(list.proofs);
    showLive(list.proofs);
  } catch (error) {
    $("state").textContent = error.message;
    $("state").className = "badge away";
  }
  // A page that nobody looks at asks rarely.
  timer = setTimeout(refresh, document.hidden ? 10000 : 1000);
};

const refreshSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 100);
};

$("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  token = $("token").value.trim();
  sessionStorage.setItem(KEEP, token);
  $("token").value = "";
  refresh();
});

$("jobs").addEventListener("click", async (event) => {
  const id = event.target.dataset.cancel;
  if (!id) return;
  event.target.disabled = true;
  await ask(`/v1/proofs/${id}`, { method: "DELETE" }).catch(() => {});
  refreshSoon();
});

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

const showTheme = () => {
  $("theme").textContent = isDark() ? "Light" : "Dark";
  $("theme").setAttribute("aria-pressed", String(isDark()));
};

const turn = () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("frumious-theme", document.documentElement.dataset.theme);
  showTheme();
};

const kept = localStorage.getItem("frumious-theme");
if (kept) document.documentElement.dataset.theme = kept;
showTheme();
$("theme").addEventListener("click", turn);

document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "d") turn();
  const place = { j: "jobs", c: "circuits" }[event.key];
  if (place) {
    $(place).tabIndex = -1;
    $(place).focus();
    $(place).scrollIntoView({ block: "center" });
  }
});

document.addEventListener("visibilitychange", () => document.hidden || refreshSoon());
refresh();
