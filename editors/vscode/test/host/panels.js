'use strict';
// Web view panels and the Test Explorer, as far as tests look at them: what a page is and says, which
// tests there are and what became of them.
const { WithBuffers } = require('./rpc');

const ok = () => undefined;
/** VS Code's `TestResultState`. */
const STATES = ['unset', 'queued', 'running', 'passed', 'failed', 'skipped', 'errored'];
/** VS Code's `TestDiffOpType`. */
const [ADD, UPDATE, , REMOVE] = [0, 1, 2, 3];

/** The actors of panels. */
function panelActors(host) {
  const panels = host.panels = new Map();
  const testing = host.testing = { items: new Map(), profiles: [], results: new Map(),
    messages: [], output: '', ended: 0 };
  const H = host.rpcProxy;
  /** What the page's script would post. */
  host.postFromPanel = (panel, message) =>
    H.ExtHostWebviews.$onMessage(panel.handle, JSON.stringify(message), new WithBuffers([]));
  host.closePanel = panel => {
    panels.delete(panel.handle);
    return H.ExtHostWebviewPanels.$onDidDisposeWebviewPanel(panel.handle);
  };
  /** Runs tests by their ids; without any, all. */
  host.runTests = (
    ids = [...testing.items.keys()].filter(id => !id.includes('\0')), { signal } = {},
  ) => {
    const profile = testing.profiles[0];
    return host.rpc.call('ExtHostTesting', '$runControllerTests', [[{ testIds: ids,
      controllerId: profile.controllerId, profileId: profile.profileId, excludeExtIds: [] }]],
    { cancellable: true, signal });
  };
  /** Somebody opens an item of the Test Explorer, or, without one, looks at it. */
  host.expandTest = (id = testing.profiles[0].controllerId) =>
    host.rpc.call('ExtHostTesting', '$expandTest', [id, 0]);
  return {
    MainThreadWebviewPanels: {
      $createWebviewPanel(extension, handle, viewType, init, show) {
        panels.set(handle, { handle, viewType, title: init.title, html: '', received: [], reveals: 0,
          options: init.webviewOptions, show });
      },
      $disposeWebview: handle => { panels.delete(handle); },
      $reveal: handle => { panels.get(handle).reveals += 1; },
      $setTitle: (handle, title) => { panels.get(handle).title = title; },
      $setIconPath: ok, $registerSerializer: ok, $unregisterSerializer: ok,
    },
    MainThreadWebviews: {
      $setHtml: (handle, html) => { panels.get(handle).html = html; },
      $setOptions: (handle, options) => { panels.get(handle).options = options; },
      $postMessage(handle, json) {
        panels.get(handle).received.push(JSON.parse(json));
        return true;
      },
    },
    MainThreadTesting: testingActor(testing),
  };
}

function testingActor(testing) {
  return {
    $publishDiff(controllerId, operations) {
      for (const { op, item, itemId } of operations) {
        if (op === ADD) testing.items.set(item.item.extId, item.item);
        if (op === UPDATE) Object.assign(testing.items.get(item.extId) ?? {}, item.item);
        if (op === REMOVE) {
          for (const id of testing.items.keys()) {
            if (id === itemId || id.startsWith(`${itemId}\0`)) testing.items.delete(id);
          }
        }
      }
    },
    $publishTestRunProfile: profile => { testing.profiles.push(profile); },
    $updateTestStateInRun: (run, task, id, state) => { testing.results.set(id, STATES[state]); },
    $appendTestMessagesInRun(run, task, id, messages) {
      testing.messages.push(...messages.map(({ message, location }) => ({
        id, text: message.value ?? message, line: location?.range.startLineNumber - 1 })));
    },
    $appendOutputToRun: (run, task, bytes) => { testing.output += bytes.toString(); },
    $finishedExtensionTestRun: () => { testing.ended += 1; },
    $registerTestController: ok, $updateController: ok, $unregisterTestController: ok,
    $updateTestRunConfig: ok, $removeTestProfile: ok, $addTestsToRun: ok,
    $startedExtensionTestRun: ok, $startedTestRunTask: ok, $finishedTestRunTask: ok,
    $subscribeToDiffs: ok, $unsubscribeFromDiffs: ok, $markTestRetired: ok,
  };
}

module.exports = { panelActors };
