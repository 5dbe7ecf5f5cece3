// `request`: frozen and with JetBrains' forms in `{% %}`, with plain members in `{{ }}`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { requestVariables, environmentValue } = core.part('client');

  const isHttpYac = (job) => job.kind === 'evaluate' || job.family === 'httpyac';
  const isBefore = (phase) => phase === 'pre' || phase === 'request';
  // The text of a body that is text; `undefined` for bytes that are no UTF-8.
  const bodyText = (body) => {
    if (body === null || body === undefined) return undefined;
    if (typeof body === 'string') return body;
    return core.native.text(core.bytes(body), 'utf-8-strict') ?? undefined;
  };

  // kulala counts the variables of the file among those of the environment.
  const read = (path) => (name) => {
    const asked = V.text(path, 'name', name);
    return environmentValue(asked) ?? core.get('file', asked) ?? null;
  };
  const environment = P.freeze({
    get: read('request.environment.get'), getName: read('request.environment.getName'),
  });

  // What a script decides about its request.
  const only = (name, phases, words) => {
    if (P.includes(phases, core.job.phase)) return;
    throw new P.Error(`request.${name} is possible ${words} only`);
  };
  // What a script decides takes effect when it is done; its other statements still run.
  const decide = (kind, why) => { core.state.stopped ??= { kind, reason: why }; };
  const reason = (message) => message === undefined ? undefined : P.String(message);
  const decisions = {
    skip(message) {
      only('skip', ['pre', 'request'], 'before the request is sent');
      decide('skip', reason(message));
    },
    abort(message) {
      only('abort', ['pre', 'request'], 'before the request is sent');
      core.stop('abort', reason(message));
    },
    replay() {
      only('replay', ['response', 'after'], 'after the response');
      decide('replay');
    },
  };
  const facts = (job) => ({
    environment, variables: requestVariables, ...decisions,
    iteration() {
      const { request } = job;
      return core.hello.dialect === 'kulala' ? request.replayCount + 1 : request.iteration;
    },
    templateValue(index) {
      const place = V.count('request.templateValue', 'index', index);
      const values = job.request.templateValues ?? [];
      if (!P.isInteger(place) || place < 0 || place >= values.length) {
        throw new P.RangeError(`this request has ${values.length} collection references`);
      }
      return values[place];
    },
  });

  const jetbrains = (job) => {
    const { request } = job;
    const known = request;
    const raw = request.raw ?? request;
    const isSent = !isBefore(job.phase);
    const substituted = (written, final) => isSent || job.phase === 'request'
      ? () => final : () => V.substituted(written);
    const forms = (written, final, absent) => {
      if (written === undefined && !isSent) return P.freeze({ getRaw: () => absent });
      return P.freeze({
        getRaw: () => written ?? absent, tryGetSubstituted: substituted(written ?? '', final),
      });
    };
    const url = V.textFunction(substituted(raw.url, known.url), forms(raw.url, known.url, ''));
    const rawBody = bodyText(raw.body);
    const finalBody = bodyText(known.body);
    const isBinary = (body, text) => body !== null && body !== undefined && text === undefined;
    const computed = rawBody === undefined && finalBody === undefined
      ? () => undefined : substituted(rawBody ?? '', finalBody);
    const bytes = isBinary(raw.body, rawBody) || isBinary(known.body, finalBody);
    const body = V.textFunction(() => computed() ?? '', {
      getRaw: () => isBinary(raw.body, rawBody) ? undefined : rawBody ?? '',
      tryGetSubstituted: () => bytes ? undefined : computed() ?? '',
      getComputed: () => bytes ? undefined : computed(),
    });
    const result = facts(job);
    const readOnly = (name, get) => V.getter(result, name, get, () => {
      throw new P.TypeError(`request.${name} can't be set here `
        + '(use request.variables.set, or a {{@request block)');
    });
    readOnly('url', () => url);
    readOnly('method', () => known.method);
    readOnly('headers', () => headers);
    readOnly('body', () => body);
    const headers = headerObject(raw.headers ?? [], known.headers ?? [], substituted);
    return P.freeze(P.assign(result, {
      replayCount: request.replayCount, name: request.name ?? undefined, tags: request.tags ?? {},
    }));
  };

  const headerObject = (raw, known, substituted) => {
    const written = new P.Map();
    for (const [name, value] of raw) {
      const key = P.lower(name);
      if (!P.mapHas(written, key)) P.mapSet(written, key, []);
      P.push(P.mapGet(written, key), value);
    }
    const all = P.map(known, ([name, value]) => {
      const own = P.mapGet(written, P.lower(name));
      const source = own && own.length > 0 ? P.shift(own) : value;
      const read = substituted(source, value);
      return P.freeze({
        name: V.textFunction(name), value: read, getRawValue: () => source,
        tryGetSubstituted: read, tryGetSubstitutedValue: read,
      });
    });
    const result = {};
    for (const header of all) {
      const name = P.String(header.name);
      if (!P.has(result, name)) V.getter(result, name, () => header.value(), undefined);
    }
    V.hidden(result, 'all', () => P.slice(all));
    V.hidden(result, 'findByName', (name) => {
      const wanted = P.lower(V.text('request.headers.findByName', 'name', name));
      return P.find(all, (header) => P.lower(P.String(header.name)) === wanted) ?? null;
    });
    return P.freeze(result);
  };

  const current = V.perJob((job) => {
    if (!job.request || job.phase === 'imports') return undefined;
    return isHttpYac(job) ? core.part('hyrequest').request(job, facts(job)) : jetbrains(job);
  });
  return P.freeze({ current, decisions: P.freeze(decisions), bodyText, isBefore, isHttpYac });
}
