// Bodies that arrive piece by piece: `onEachLine`, `onEachMessage`, and httpYac's `$requestClient`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const isJSONLines = () =>
    P.test(/json-?(seq|lines|l)|ndjson|jsonl/i, core.job.response?.mime ?? '');
  const isEvents = () => core.job.response?.mime === 'text/event-stream';
  const item = (text) => {
    if (!isJSONLines() || typeof text !== 'string' || P.trim(text) === '') return text;
    try {
      return P.parse(text);
    } catch {
      return text;
    }
  };

  // Whether pieces still come.
  const isOpen = () => {
    const { response } = core.job;
    return response?.kind === 'stream' && (response.body === null || response.body === undefined);
  };

  // The pieces of a body that is complete.
  const linesOf = (text) => {
    const lines = P.split(text, /\r\n|\r|\n/);
    if (lines[lines.length - 1] === '') P.pop(lines);
    return lines;
  };
  const eventsOf = (text) => {
    const events = [];
    let data = [];
    for (const line of P.concat(linesOf(text), '')) {
      if (line === '') {
        if (data.length > 0) P.push(events, P.join(data, '\n'));
        data = [];
      } else if (P.starts(line, 'data:')) {
        P.push(data, P.replace(P.sub(line, 5), /^ /, ''));
      }
    }
    return events;
  };

  const subscribe = (path, text, pieces, subscriber, onFinish) => {
    V.callable(path, 'subscriber', subscriber);
    if (onFinish !== undefined) V.callable(path, 'function at the end', onFinish);
    // The host delivers items one at a time and ends with `onFinish`.
    if (isOpen()) {
      // Only what can be written to has a third argument.
      const more = core.job.response.canSend === true
        ? [(output) => { core.post('send', number, V.text(path, 'output', output)); }] : [];
      const number = core.subscribe('items', (value) => subscriber(item(value), () => {
        core.call('unsubscribe', number);
      }, ...more), onFinish);
      return;
    }
    let isOver = false;
    const run = async () => {
      for (const piece of pieces(text())) {
        if (isOver) break;
        await subscriber(item(piece), () => { isOver = true; });
      }
      if (onFinish) await onFinish();
    };
    // The script is over when the last piece has been seen.
    const { state } = core;
    state.waits += 1;
    P.then(run(), () => { state.waits -= 1; }, (error) => {
      state.waits -= 1;
      throw error;
    });
  };

  const subscription = (text) => P.freeze({
    onEachLine(subscriber, onFinish) {
      subscribe('response.body.onEachLine', text, isEvents() ? eventsOf : linesOf, subscriber,
        onFinish);
    },
    onEachMessage(subscriber, onFinish) {
      subscribe('response.body.onEachMessage', text, isEvents() ? eventsOf : linesOf, subscriber,
        onFinish);
    },
    toString: () => text(),
  });

  // What a body of JSON is for a script that reads lines: the value, with what reads lines beside
  // its members, or the lines alone where it is no one value.
  const readable = ({ value, error }, text) => {
    const lines = subscription(text);
    if (error) return lines;
    if (typeof value !== 'object' || value === null) return value;
    for (const name of ['onEachLine', 'onEachMessage']) {
      if (!P.has(value, name)) V.hidden(value, name, lines[name]);
    }
    return value;
  };

  const client = V.perJob(() => {
    if (!isOpen()) return undefined;
    return P.freeze({
      send(text) { core.post('send', 0, V.text('$requestClient.send', 'text', text)); },
      disconnect() { core.call('unsubscribe', 0); },
      on(event, listener) {
        V.callable('$requestClient.on', 'listener', listener);
        if (event === 'message') core.subscribe('items', (value) => listener(value), undefined);
        else if (event === 'end') core.subscribe('items', () => {}, listener);
        else throw new P.TypeError(`$requestClient.on: "${event}" is no event (message, end)`);
      },
    });
  });
  return P.freeze({ subscription, readable, client });
}
