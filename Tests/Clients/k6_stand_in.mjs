// node k6_stand_in.mjs SCRIPT ROUNDS: runs a script for k6 as one user would, and prints how its
// checks came out. It has as much of k6 as exports call, and sends with curl.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { dirname, resolve } from "node:path";

const results = {};

function send(method, url, body, parameters = {}) {
  const words = ["--silent", "--globoff", "--path-as-is", "--include", "--request", method];
  for (const [name, value] of Object.entries(parameters.headers ?? {})) {
    words.push("--header", `${name}: ${value}`);
  }
  if (parameters.redirects !== 0) words.push("--location");
  if (!Object.keys(parameters.headers ?? {}).some((name) => name.toLowerCase() === "content-type")) {
    words.push("--header", "Content-Type:");
  }
  const sent = body === null ? undefined : typeof body === "string" ? body : Buffer.from(body);
  if (sent !== undefined) words.push("--data-binary", "@-");
  const output = spawnSync("curl", [...words, url], { input: sent ?? "" }).stdout.toString();
  const end = output.lastIndexOf("\r\n\r\n");
  const lines = output.slice(0, end).split("\r\n");
  const headers = {};
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon)] = line.slice(colon + 1).trim();
  }
  return {
    status: Number(lines[0].split(" ")[1]), headers, body: output.slice(end + 4),
    timings: { duration: 1 },
  };
}

globalThis.standIn = {
  http: { request: send },
  check(value, checks) {
    for (const [name, holds] of Object.entries(checks)) {
      const result = (results[name] ??= { passed: 0, failed: 0 });
      result[holds(value) ? "passed" : "failed"] += 1;
    }
  },
  fail(message) { throw new Error(message); },
  sleep() {},
  encoding: { b64encode: (text) => Buffer.from(text).toString("base64") },
  crypto: Object.fromEntries(["md5", "sha256", "sha512"].map((kind) => [
    kind, (text, form) => createHash(kind).update(text).digest(form),
  ])),
};

const modules = {
  "k6": "export const { check, fail, sleep } = globalThis.standIn;",
  "k6/http": "export default globalThis.standIn.http;",
  "k6/encoding": "export default globalThis.standIn.encoding;",
  "k6/crypto": "export default globalThis.standIn.crypto;",
};
const found = Object.fromEntries(Object.entries(modules).map(([name, text]) => [
  name, `data:text/javascript,${encodeURIComponent(text)}`,
]));
register(`data:text/javascript,${encodeURIComponent(`
  const found = ${JSON.stringify(found)};
  export const resolve = (name, context, next) =>
    found[name] ? { url: found[name], shortCircuit: true } : next(name, context);
`)}`);

const path = resolve(process.argv[2]);
globalThis.__ENV = process.env;
globalThis.open = (name) => new Uint8Array(readFileSync(resolve(dirname(path), name))).buffer;
const script = await import(`file://${path}`);
const data = script.setup?.() ?? null;
for (let round = 0; round < Number(process.argv[3]); round++) {
  script.default(JSON.parse(JSON.stringify(data)));
}
console.log(JSON.stringify(results));
