// The objects of kulala that others have not: `$kulala`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { client } = core.part('client');
  const { decisions } = core.part('request');

  const $kulala = P.freeze({
    client: P.freeze({ global: P.freeze({ headers: client.global.headers }) }),
    request: P.freeze({
      skip: decisions.skip, abort: decisions.abort, replay: decisions.replay,
    }),
    runRequest: async (name) =>
      core.part('response').ran(await core.post('execute', V.named('$kulala.runRequest', name), {})),
    prompt: async (label, options = {}) => {
      const text = V.named('$kulala.prompt', label, 'label');
      if (typeof options !== 'object' || options === null) {
        throw V.wrong('$kulala.prompt', 'the options must be an object', options);
      }
      return await core.post('input', text, options.default ?? null, options.secret === true);
    },
  });
  return P.freeze({ $kulala });
}
