// `response`, in the form of JetBrains for `{% %}` and of httpYac for `{{ }}`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { isHttpYac } = core.part('request');

  const timingNames = ['wait', 'dns', 'tcp', 'tls', 'request', 'firstByte', 'download', 'total'];

  // [SC-10] One object with a member for each name in lower case, and the forms of JetBrains.
  const headerObject = (list) => {
    const all = P.map(list, ([name, value]) => ({ name, value }));
    const named = (name) => {
      const wanted = P.lower(name);
      return P.map(P.filter(list, ([known]) => P.lower(known) === wanted), ([, value]) => value);
    };
    const result = {};
    for (const [name] of list) {
      const key = P.lower(name);
      if (P.has(result, key)) continue;
      const values = named(key);
      P.define(result, key, {
        value: key === 'set-cookie' ? P.freeze(values) : P.join(values, ', '), enumerable: true,
      });
    }
    V.hidden(result, 'valueOf', (name) => {
      // What asks for the object's own value, such as `==`, names no header.
      if (name === undefined) return result;
      return named(V.text('response.headers.valueOf', 'name', name))[0] ?? null;
    });
    V.hidden(result, 'valuesOf', (name) => {
      const values = named(V.text('response.headers.valuesOf', 'name', name));
      V.hidden(values, 'name', name);
      V.hidden(values, 'value', values);
      return values;
    });
    V.hidden(result, 'all', () => {
      const copy = P.map(all, (header) => P.assign({}, header));
      // kulala has an object by names here; its keys must be found among ours.
      for (const { name } of all) {
        if (!P.has(copy, name)) {
          P.define(copy, name, {
            value: P.join(named(name), ', '), enumerable: true, configurable: true,
          });
        }
      }
      return copy;
    });
    return P.freeze(result);
  };

  const cookieList = (list) => {
    const cookies = [];
    for (const [header, line] of list) {
      if (P.lower(header) !== 'set-cookie') continue;
      const parts = P.map(P.split(line, ';'), (part) => P.trim(part));
      const first = P.find_(parts[0], '=');
      const cookie = {
        name: first < 0 ? '' : P.trim(P.sub(parts[0], 0, first)),
        value: P.trim(P.sub(parts[0], first + 1)), domain: undefined, path: undefined,
        expires: undefined, secure: false, httpOnly: false, sameSite: undefined,
      };
      for (const part of P.slice(parts, 1)) {
        const place = P.find_(part, '=');
        const name = P.lower(place < 0 ? part : P.trim(P.sub(part, 0, place)));
        const value = place < 0 ? '' : P.trim(P.sub(part, place + 1));
        if (name === 'secure') cookie.secure = true;
        else if (name === 'httponly') cookie.httpOnly = true;
        else if (name === 'samesite') cookie.sameSite = value;
        else if (P.includes(['domain', 'path', 'expires'], name)) cookie[name] = value;
      }
      P.push(cookies, P.freeze(cookie));
    }
    return cookies;
  };

  // [`@jwt`] The payloads of JSON Web Tokens, beside the tokens.
  const withTokens = (head, value) => {
    if (!head.jwt || typeof value !== 'object' || value === null || P.isArray(value)) return value;
    const names = head.jwt.length === 0 ? P.keys(value) : head.jwt;
    for (const name of names) {
      const parts = P.has(value, name) && typeof value[name] === 'string' ? P.split(value[name], '.') : [];
      if (parts.length !== 3) continue;
      try {
        const read = (part) => P.parse(V.decoded(V.fromBase64(part, () => { throw new P.Error(); }, true), 'utf-8'));
        read(parts[0]);
        value[`${name}_parsed`] = read(parts[1]);
      } catch {
        // The text is no token.
      }
    }
    return value;
  };

  const isNamed = (name) => {
    const wanted = P.lower(name);
    return ([known]) => P.lower(known) === wanted;
  };
  // What both forms read of a head and its body; each is made when it is first asked for.
  const facts = (head) => {
    const list = head.headers ?? [];
    let bytes, text, json, content, buffer, body, headers, cookies;
    const fact = {
      list,
      bytes: () => bytes ??= head.body === null || head.body === undefined
        ? new P.Uint8Array(0) : typeof head.body === 'string' ? V.utf8(head.body)
          : new P.Uint8Array(core.bytes(head.body)),
      text: () => text ??= textOf(head, fact),
      json: () => json ??= jsonOf(head, fact.text()),
      content: () => content ??= contentOf(head, fact),
      buffer: () => buffer ??= core.part('buffer').Buffer.from(fact.bytes()),
      first: (name) => P.find(list, isNamed(name))?.[1],
      joined(name) {
        const values = P.filter(list, isNamed(name));
        return values.length === 0 ? undefined : P.join(P.map(values, ([, value]) => value), ', ');
      },
      body: () => (body ??= { value: jetbrainsBody(head, fact) }).value,
      headers: () => headers ??= headerObject(list),
      cookies: () => cookies ??= cookieList(list),
    };
    return fact;
  };
  const textOf = (head, fact) => {
    if (typeof head.body === 'string') return head.body;
    const bytes = fact.bytes();
    if (bytes.length === 0) return '';
    try {
      return V.decoded(bytes, head.charset || 'utf-8');
    } catch {
      return V.decoded(bytes, 'utf-8');
    }
  };
  const jsonOf = (head, text) => {
    try {
      // A byte order mark in front is no part of the text.
      const plain = P.charCode(text, 0) === 0xfeff ? P.sub(text, 1) : text;
      return { value: withTokens(head, P.parse(plain)) };
    } catch (error) {
      return { error };
    }
  };
  const contentOf = (head, fact) => {
    const boundary = P.exec(/boundary="?([^";]+)/i, fact.first('content-type') ?? '')?.[1];
    return P.freeze({
      mimeType: head.mime || 'application/octet-stream', charset: head.charset || 'utf-8',
      boundary,
    });
  };

  const jetbrainsBody = (head, { bytes, text, json, buffer }) => {
    switch (head.kind) {
      case 'empty': return '';
      case 'json': {
        if (text() === '') return '';
        const parsed = json();
        if (head.byItem) return core.part('streams').readable(parsed, text);
        if (!parsed.error) return parsed.value;
        const length = head.body === null ? 0 : bytes().byteLength;
        const why = length < head.size
          ? `Scripts get the first ${length} of the body's ${head.size} bytes`
          : `The body is no JSON (${parsed.error.message})`;
        core.log('warn', [`${why}: response.body is text.`]);
        return text();
      }
      case 'xml': case 'html':
        return text() === '' ? '' : core.part('dom').document(text(), head.kind === 'html') ?? text();
      case 'stream': return core.part('streams').subscription(text);
      case 'binary': return head.body === null ? '' : buffer();
      default: return text();
    }
  };

  const cookiesOf = (fact) => {
    const cookies = () => P.slice(fact.cookies());
    for (const cookie of fact.cookies()) {
      if (!P.has(cookies, cookie.name)) P.define(cookies, cookie.name, { value: cookie.value,
        enumerable: true, configurable: true });
    }
    return cookies;
  };
  const timingsOf = (times) => {
    const timings = {};
    for (const name of timingNames) timings[name] = times?.[name];
    return P.freeze(timings);
  };

  const sentRequest = ({ request }) => {
    const { method, url, headers, body } = request ?? {};
    const members = {};
    for (const [name, value] of headers ?? []) members[name] = value;
    return P.freeze({ method, url, headers: P.freeze(members),
      body: core.part('request').bodyText(body) });
  };

  // The response of a head in the form of a family; in `logging` what is displayed can be set. Most
  // scripts read two or three of its members: the others are made where somebody asks for them.
  const make = (head, isForHttpYac, isWritable = false) => {
    const fact = facts(head);
    const { job } = core;
    let display, raw, cookies, timings, meta, request;
    const result = {
      get headers() { return fact.headers(); },
      get contentType() { return fact.content(); },
      get parsedBody() { return fact.json().value; },
      get rawBody() { return fact.buffer(); },
      get prettyPrintBody() {
        return fact.json().error ? fact.text() : P.json(fact.json().value, null, 2);
      },
      status: head.status, statusCode: head.status, responseCode: head.status,
      statusMessage: head.reason, protocol: head.protocol,
      get httpVersion() { return P.replace(head.protocol ?? '', /^HTTP\//i, ''); },
      get rawHeaders() { return raw ??= P.flat(fact.list); },
      get cookies() { return cookies ??= cookiesOf(fact); },
      cookiesByName: (name) => P.filter(fact.cookies(), (cookie) =>
        cookie.name === V.text('response.cookiesByName', 'name', name)),
      get timings() { return timings ??= timingsOf(head.timings); },
      get meta() { return meta ??= P.freeze({ ip: head.ip ?? undefined, size: head.size }); },
      get request() {
        return request ??= head.request ?? (job.response === head ? sentRequest(job) : undefined);
      },
      name: head.name ?? job.request?.name ?? undefined, tags: job.request?.tags ?? {},
      get body() { return display ?? (isForHttpYac ? fact.text() : fact.body()); },
      set body(value) {
        if (!isWritable) return;
        display = typeof value === 'object' && value !== null
          ? P.json(value, null, 2) : P.String(value);
        core.effects.display = display;
      },
    };
    return isWritable ? result : P.freeze(result);
  };

  const current = V.perJob((job) => job.response
    ? make(job.response, isHttpYac(job), job.phase === 'logging') : undefined);
  // What assertions look at, whatever the family.
  const looked = V.perJob((job) => {
    const head = job.response;
    if (!head) return undefined;
    const fact = facts(head);
    return {
      status: head.status, timings: head.timings, firstHeader: fact.first,
      joinedHeader: fact.joined, fact,
      get bodyText() { return fact.text(); },
      get jetbrains() { return make(head, false); },
    };
  });
  // `<name>` and `<name>Response` of an earlier request: its parsed body, and all of it.
  const named = (responses, name) => {
    const isWhole = P.ends(name, 'Response') && P.has(responses, P.sub(name, 0, -8));
    const key = isWhole ? P.sub(name, 0, -8) : name;
    if (!P.has(responses, key)) return undefined;
    const memo = core.state.memo ??= {};
    const response = memo[key] ??= make(responses[key], true);
    return { value: isWhole ? response : response.parsedBody ?? response.body };
  };
  // What a request that a script ran has answered: its body as a value where it is JSON.
  const ran = (answer) => {
    const text = typeof answer?.body === 'string' || !answer?.body ? answer?.body ?? ''
      : V.decoded(new P.Uint8Array(answer.body), 'utf-8');
    let body = text;
    try {
      if (typeof text === 'string' && text !== '') body = P.parse(text);
    } catch {
      body = text;
    }
    return P.freeze({
      status: answer?.status, statusText: answer?.reason, body, data: body, headers: headerObject(answer?.headers ?? []),
    });
  };
  return P.freeze({ ran, response: current, current: looked, make, named, facts });
}
