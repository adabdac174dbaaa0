// The prover server: its proofs are verified by snarkjs, and its page is used in a browser.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { circuits, filesOf } from "../src/circuits.js";
import { serve } from "../src/server.js";
import { directory, frumious, snarkjs, VALID } from "../src/tools.js";

const browserBinary = process.env.CHROMIUM ?? "/usr/bin/chromium";
const noBrowser = existsSync(browserBinary) || process.env.CI === "true" ? false : "no chromium here";
// A proof that takes long enough to be watched. CI's server is compiled for tests, and is slower.
const TRANSFERS = process.env.FRUMIOUS_SERVER ? 5 : 17;

let server, folder;
const at = (name) => join(folder, name);
const job = async (id, wait = 0) => (await fetch(`${server.url}/v1/proofs/${id}?wait=${wait}`)).json();
const submit = async () => {
  const headers = { "content-type": "application/octet-stream" };
  const answer = await fetch(`${server.url}/v1/proofs?circuit=rollup`, { method: "POST", headers, body: readFileSync(at("rollup.wtns")) });
  return (await answer.json()).id;
};

before(async () => {
  folder = directory("server");
  rmSync(at("data"), { recursive: true, force: true });
  await frumious(["demo", "rollup", "--force", "--transfers", String(TRANSFERS), "--dir", folder], { expect: VALID });
  const circuit = '[[circuits]]\nid = "rollup"\nkey = "rollup.zkey"\ncheck = false\n';
  server = await serve(folder, `listen = "127.0.0.1:0"\ndata = "data"\n[limits]\nthreads = 1\n${circuit}`);
});
after(() => server?.stop());

test("snarkjs verifies what the server proves, with the key that the server tells", async () => {
  const done = await job(await submit(), 60);
  assert.equal(done.state, "succeeded", JSON.stringify(done));
  const circuit = await (await fetch(`${server.url}/v1/circuits/rollup`)).json();
  for (const [name, value] of [["vkey", circuit.verification_key], ["public", done.public], ["proof", done.proof]]) {
    writeFileSync(at(`told.${name}.json`), JSON.stringify(value));
  }
  await snarkjs(["groth16", "verify", at("told.vkey.json"), at("told.public.json"), at("told.proof.json")]);
});

test("a circuit is prepared when the server starts, without inputs", async () => {
  const circuit = circuits.find(({ name }) => name === "no_public");
  const { wasm, r1cs, input } = filesOf(circuit);
  const folder = directory("server", "prepared");
  rmSync(join(folder, "data"), { recursive: true, force: true });
  await frumious(["setup", "--dev", "--force", r1cs, join(folder, "circuit.zkey")], { expect: VALID });
  const entry = `[[circuits]]\nid = "circuit"\nkey = "circuit.zkey"\ngenerator = "${wasm}"\nallow_uncontributed = true\n`;
  const server = await serve(folder, `listen = "127.0.0.1:0"\ndata = "data"\n${entry}`);
  const tapes = () => readdirSync(join(folder, "data", "tapes")).filter((name) => name.endsWith(".ftape"));
  try {
    for (let tries = 0; tapes().length === 0; tries++) {
      assert.ok(tries < 300, "no run is recorded");
      await new Promise((done) => setTimeout(done, 100));
    }
    const headers = { "content-type": "application/json" };
    const options = { method: "POST", headers, body: readFileSync(input) };
    const { id } = await (await fetch(`${server.url}/v1/proofs?circuit=circuit`, options)).json();
    const done = await (await fetch(`${server.url}/v1/proofs/${id}?wait=60`)).json();
    assert.equal(done.state, "succeeded", JSON.stringify(done));
    assert.equal(tapes().length, 1, "these inputs need no run of their own");
  } finally {
    await server.stop();
  }
});

describe("the page", { skip: noBrowser }, () => {
  let browser;
  before(async () => {
    browser = await chromium.launch({ executablePath: browserBinary, args: ["--no-sandbox"] });
  });
  after(() => browser?.close());

  const open = async (options) => {
    const page = await browser.newPage(options);
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("request", (request) => request.url().startsWith(server.url) || faults.push(`asks ${request.url()}`));
    await page.goto(server.url);
    await page.locator("#state", { hasText: "ready" }).waitFor();
    return { page, faults };
  };

  test("shows the progress of a running proof as it is made, and its end", async () => {
    const { page, faults } = await open({ viewport: { width: 1200, height: 900 } });
    const id = await submit();
    const bar = page.locator(`li[data-job="${id}"] progress`);
    await bar.waitFor();
    const seen = new Set();
    while ((await bar.count()) > 0) {
      const value = await bar.evaluate((element) => element.value, { timeout: 1000 }).catch(() => undefined);
      if (value !== undefined) seen.add(value);
      if (seen.size === 4) await page.screenshot({ path: at("page.png") });
    }
    assert.ok(seen.size >= 4, `only ${[...seen]} was shown`);
    assert.deepEqual([...seen], [...seen].sort((a, b) => a - b));
    await page.locator("#jobs tbody tr").first().locator(".state.succeeded").waitFor();
    assert.equal(await page.locator("#throughput .bar").count(), 60);
    assert.match(await page.locator("#circuits tbody").innerText(), /rollup/);
    await page.screenshot({ path: at("light.png"), fullPage: true });
    assert.deepEqual(faults, []);
    await page.close();
  });

  test("cancels a job by keyboard alone", async () => {
    const { page } = await open({});
    const ids = [await submit(), await submit()];
    const button = page.locator(`[data-cancel="${ids[1]}"]`);
    await button.waitFor();
    await page.keyboard.press("j");
    for (let k = 0; k < 20 && !(await button.evaluate((element) => element === document.activeElement).catch(() => false)); k++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    assert.equal((await job(ids[1], 60)).state, "cancelled");
    await job(ids[0], 60);
    await page.close();
  });

  test("fits a phone, light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      const { page, faults } = await open({ viewport: { width: 375, height: 720 }, colorScheme });
      const [ground, width] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.documentElement.scrollWidth]);
      assert.equal(width, 375, "the page is wider than the phone");
      assert.equal(ground, colorScheme === "dark" ? "rgb(20, 23, 28)" : "rgb(245, 246, 248)");
      await page.screenshot({ path: at(`phone-${colorScheme}.png`), fullPage: true });
      await page.keyboard.press("d");
      assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), ground);
      assert.deepEqual(faults, []);
      await page.close();
    }
  });

  test("a stranger's page cannot ask, and no markup comes out of a job", async () => {
    const { page } = await open({});
    const answer = await fetch(`${server.url}/v1/proofs?circuit=rollup`, { method: "POST", headers: { origin: "http://evil.example", "content-type": "application/json" }, body: "{}" });
    assert.equal(answer.status, 403);
    assert.equal(await page.locator("#jobs script, #jobs img").count(), 0);
    await page.close();
  });
});
