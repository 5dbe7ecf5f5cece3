'use strict';
// Presses a key in VS Code's extension host and waits until the answer is shown, with the extension
// that `--install-extension` has put into the home folder:
//   node first.js SERVER KEY FILE      ANSWER has a pattern for each line of what has to be seen
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ExtHost } = require('./host');

const [serverDir, key, file] = process.argv.slice(2);
const patterns = process.env.ANSWER.split('\n').map(line => new RegExp(line, 'm'));

/** The folder of the one extension that is installed. */
function installed() {
  const folder = path.join(os.homedir(), '.vscode-server', 'extensions');
  const found = fs.readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} extensions`);
  return path.join(folder, found[0].name);
}

/** What the key does in a file of requests of which nothing is selected. */
function commandOf({ contributes }) {
  return contributes.keybindings.find(binding => binding.key === key.toLowerCase()
    && /editorLangId == http/.test(binding.when) && /!editorHasSelection/.test(binding.when)).command;
}

/** The hints in the file and the responses that editors show. */
async function shown(host) {
  const hints = (await host.inlayHints(file)).map(({ label }) => label);
  const documents = [...host.editors.values()].map(({ doc }) => doc);
  const responses = documents.filter(({ uri }) => uri.scheme === 'postkit');
  return [...hints, ...responses.map(document => document.getText())].join('\n');
}

async function main() {
  const extensionPath = installed();
  const command = commandOf(require(path.join(extensionPath, 'package.json')));
  const workspace = path.dirname(file);
  await ExtHost.run({ serverDir, extensionPath, workspace, timeout: 60_000, startTimeout: 60_000 }, async host => {
    const document = await host.openDocument(file);
    await host.waitForProvider('inlayHints', file);
    const [request] = /^[A-Z]+ /m.exec(fs.readFileSync(file, 'utf8'));
    await host.setSelection(file, document.find(request));
    await host.executeCommand(command);
    await host.waitFor(async () => {
      const text = await shown(host);
      return patterns.every(pattern => pattern.test(text));
    }, { what: `an answer with ${patterns.join(' and ')}` });
    console.log(await shown(host));
  });
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
