// Evaluates the scripts of a file in Node, each as a program of its own in one context: the
// yardstick of `scripting.py`, which wrote the file.

const fs = require("node:fs");
const vm = require("node:vm");

const body = '{"id": 1, "name": "Ada", "roles": ["admin"]}\n';
const globals = new Map();
const tests = [];
const client = {
  test(name, check) {
    try {
      check();
      tests.push({ name, passed: true });
    } catch (error) {
      tests.push({ name, passed: false, message: String(error) });
    }
  },
  assert(condition, message) {
    if (!condition) throw new Error(message);
  },
  global: { set: (name, value) => globals.set(name, value), get: (name) => globals.get(name) },
};
const context = vm.createContext({ client });
let length = 0;
for (const { expression, handler } of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) {
  length += String(new vm.Script(`(${expression})`).runInContext(context)).length;
  if (handler === undefined) continue;
  context.response = { status: 200, body: JSON.parse(body) };
  new vm.Script(`(() => {${handler}\n})()`).runInContext(context);
}
if (length === 0 || tests.some((test) => !test.passed)) process.exit(1);
