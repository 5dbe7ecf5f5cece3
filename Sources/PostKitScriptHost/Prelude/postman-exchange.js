// `pm.request` and `pm.response`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { equals } = core.part('equality');

  // A list of named values: headers, parameters, form fields.
  const list = (path, items, changed, isWithoutCase) => {
    const key = (name) => isWithoutCase ? P.lower(P.String(name)) : P.String(name);
    const wanted = (method, name) => V.text(`${path}.${method}`, 'name', name);
    const find = (name) => P.find(items, (item) => key(item.key) === key(name));
    const remove = (name) => {
      for (let i = items.length - 1; i >= 0; i -= 1) {
        if (key(items[i].key) === key(name)) P.splice(items, i, 1);
      }
    };
    const item = (value, method) => {
      if (typeof value === 'string') return fromText(value);
      if (typeof value !== 'object' || value === null) {
        throw V.wrong(`${path}.${method}`, 'the item must be an object or a string', value);
      }
      const key = V.named(`${path}.${method}`, value.key, 'key');
      return { ...value, key, value: P.String(value.value ?? '') };
    };
    const run = (method, name, with_) => (call) =>
      with_(items, V.callable(`${path}.${method}`, name, call));
    const fromText = (text) => {
      const place = P.find_(text, isWithoutCase ? ':' : '=');
      return { key: P.trim(place < 0 ? text : P.sub(text, 0, place)),
        value: place < 0 ? '' : P.trim(P.sub(text, place + 1)) };
    };
    const write = (change) => {
      change();
      changed(items);
    };
    return P.freeze({
      get: (name) => find(wanted('get', name))?.value, one: (name) => find(wanted('one', name)),
      has: (name, value) => {
        const known = key(wanted('has', name));
        return P.some(items, (each) => key(each.key) === known
          && (value === undefined || each.value === value));
      },
      all: () => P.map(items, (each) => P.assign({}, each)),
      each: run('each', 'callback', P.forEach), filter: run('filter', 'test', P.filter),
      find: run('find', 'test', P.find), map: run('map', 'change', P.map),
      count: () => items.length,
      idx: (place) => items[V.count(`${path}.idx`, 'index', place)],
      toObject() {
        const result = {};
        for (const each of items) result[each.key] = each.value;
        return result;
      },
      toString: () => P.join(P.map(items, (each) => isWithoutCase ? `${each.key}: ${each.value}`
        : `${each.key}=${each.value}`), isWithoutCase ? '\n' : '&'),
      add: (value) => write(() => P.push(items, item(value, 'add'))),
      append: (value) => write(() => P.push(items, item(value, 'append'))),
      upsert: (value) => write(() => {
        const next = item(value, 'upsert');
        const old = find(next.key);
        if (old) old.value = next.value;
        else P.push(items, next);
      }),
      remove: (name) => write(() => typeof name === 'function'
        ? P.forEach(P.filter(items, name), (each) => remove(each.key))
        : remove(wanted('remove', name))),
      clear: () => write(() => P.splice(items, 0)),
    });
  };

  const mutate = (name, value, path) => {
    const isBefore = core.part('request').isBefore(core.job.phase);
    if (!isBefore) throw new P.TypeError(`${path} can't be set after sending`);
    core.effects.mutate ??= {};
    core.effects.mutate[name] = value;
  };
  const pairs = (query) => P.map(P.filter(P.split(query, '&'), (part) => part !== ''), (part) => {
    const place = P.find_(part, '=');
    return { key: place < 0 ? part : P.sub(part, 0, place),
      value: place < 0 ? '' : P.sub(part, place + 1) };
  });

  // The URL as text, so that references in it stay.
  const urlObject = (state) => {
    const split = () => {
      const [whole, hash = ''] = P.split(state.url, '#');
      const place = P.find_(whole, '?');
      return { base: place < 0 ? whole : P.sub(whole, 0, place),
        query: place < 0 ? '' : P.sub(whole, place + 1), hash };
    };
    const set = (url) => {
      state.url = url;
      mutate('url', url, 'pm.request.url');
    };
    const parameters = pairs(split().query);
    const query = list('pm.request.url.query', parameters, (items) => {
      const { base, hash } = split();
      const text = P.join(P.map(items, ({ key, value }) => `${key}=${value}`), '&');
      set(base + (text === '' ? '' : `?${text}`) + (hash === '' ? '' : `#${hash}`));
    }, false);
    const rest = () => P.replace(split().base, /^[A-Za-z][\w+.-]*:\/\//, '');
    const authority = () => P.replace(P.split(rest(), '/')[0], /^.*@/, '');
    const path = () => {
      const place = P.find_(rest(), '/');
      return place < 0 ? '/' : P.sub(rest(), place);
    };
    return P.freeze({
      toString: () => state.url, toJSON: () => state.url, getRaw: () => state.url,
      getHost: () => P.replace(authority(), /:\d+$/, ''), getPath: path,
      getPathWithQuery: () => path() + (split().query === '' ? '' : `?${split().query}`),
      getQueryString: () => split().query, getRemote: authority, query,
      get host() { return P.split(P.replace(authority(), /:\d+$/, ''), '.'); },
      get path() { return P.slice(P.split(path(), '/'), 1); },
      get protocol() { return P.exec(/^([A-Za-z][\w+.-]*):/, state.url)?.[1]; },
      get port() { return P.exec(/:(\d+)$/, authority())?.[1]; },
      get hash() { return split().hash || undefined; },
      update(url) {
        set(V.named('pm.request.url.update', url, 'URL'));
        P.splice(parameters, 0, parameters.length, ...pairs(split().query));
      },
    });
  };

  const bodyObject = (state, contentType) => {
    const text = () => state.body ?? '';
    const isForm = () => P.test(/x-www-form-urlencoded/i, contentType() ?? '');
    const set = (body) => {
      state.body = body;
      mutate('body', body, 'pm.request.body');
    };
    return P.freeze({
      get raw() { return text(); },
      set raw(body) { set(P.String(body)); },
      get mode() {
        return isForm() ? 'urlencoded' : P.test(/multipart/i, contentType() ?? '') ? 'formdata' : 'raw';
      },
      get urlencoded() {
        const { formDecoded, formEncoded } = core.part('url');
        const items = P.map(pairs(text()), ({ key, value }) =>
          ({ key: formDecoded(key), value: formDecoded(value) }));
        return list('pm.request.body.urlencoded', items, (next) => set(P.join(P.map(next, ({ key, value }) =>
          `${formEncoded(key)}=${formEncoded(value)}`), '&')), false);
      },
      get formdata() { return list('pm.request.body.formdata', [], () => {}, false); },
      isEmpty: () => text() === '', toString: text,
      update(next) {
        if (next === undefined) throw V.wrong('pm.request.body.update', 'the body must be a string or an object', next);
        set(typeof next === 'string' ? next : typeof next?.raw === 'string' ? next.raw : P.json(next));
      },
    });
  };

  const request = V.perJob((job) => {
    const source = job.request;
    if (!source) return undefined;
    const state = { url: source.url, method: source.method,
      body: core.part('request').bodyText(source.body) };
    const items = P.map(source.headers ?? [], ([key, value]) => ({ key, value }));
    const headers = list('pm.request.headers', items, (next) =>
      mutate('headers', P.map(next, ({ key, value }) => [key, value]), 'pm.request.headers'), true);
    const url = urlObject(state);
    const body = bodyObject(state, () => headers.get('content-type'));
    return P.freeze({
      headers, name: source.name ?? '', id: '',
      get url() { return url; },
      set url(next) { url.update(P.String(next)); },
      get method() { return state.method; },
      set method(next) {
        state.method = V.named('pm.request.method', next, 'method');
        mutate('method', state.method, 'pm.request.method');
      },
      get body() { return body; },
      addHeader: headers.add, 
      removeHeader: (name) =>
        headers.remove(V.text('pm.request.removeHeader', 'name', name)),
      upsertHeader: headers.upsert,
      getHeaders: () => headers.toObject(),
      toJSON: () => ({ url: state.url, method: state.method, header: headers.all() }),
    });
  });

  const classes = {
    info: [100, 199], success: [200, 299], redirection: [300, 399], clientError: [400, 499],
    serverError: [500, 599], error: [400, 599], ok: [200, 200], accepted: [202, 202],
    badRequest: [400, 400], unauthorized: [401, 401], forbidden: [403, 403], notFound: [404, 404],
    rateLimited: [429, 429],
  };
  // `pm.response.to.have.status(200)` and its like.
  const sentences = (own, isNegated) => {
    const { AssertionError } = core.part('tests');
    const shown = (value) => core.part('shown').inspect(value);
    const check = (isRight, text, actual, expected, subject = 'response') => {
      if (isNegated ? !isRight : isRight) return;
      throw new AssertionError(`expected ${subject} to ${isNegated ? 'not ' : ''}${text}`,
        { actual, expected });
    };
    const time = {};
    const limits = { below: (a, b) => a < b, above: (a, b) => a > b };
    for (const name of P.keys(limits)) {
      time[name] = (limit) => check(limits[name](own.responseTime, limit),
        `have response time ${name} ${limit} but got ${own.responseTime}`, own.responseTime, limit);
    }
    const have = {
      status(value) {
        const actual = typeof value === 'number' ? own.code : own.status;
        check(actual === value, `have status ${typeof value === 'number' ? 'code' : 'reason'} `
          + `${shown(value)} but got ${shown(actual)}`, actual, value);
      },
      header(header, value) {
        const name = V.text('pm.response.to.have.header', 'name', header);
        const actual = own.headers.get(name);
        const isThere = own.headers.has(name);
        if (value === undefined || !isThere) {
          return check(isThere, `have header with key '${name}'`, actual, value);
        }
        check(actual === value, `be ${shown(value)}${isNegated ? '' : ` but got ${shown(actual)}`}`,
          actual, value, `'${name}' response header`);
      },
      body(value) {
        const text = own.text();
        const isRight = value === undefined ? text !== '' : value instanceof P.RegExp
          ? P.test(value, text) : text === value;
        if (value === undefined) return check(isRight, 'have a body', text);
        const verb = value instanceof P.RegExp ? 'match' : 'equal';
        check(isRight, `${verb} ${shown(value)}${isNegated ? '' : ` but got ${shown(text)}`}`, text,
          value, 'response body');
      },
      jsonBody(path, value) {
        const json = own.json();
        if (path === undefined) return check(true, 'have a JSON body');
        if (typeof path === 'object') {
          return check(equals(json, path), `have JSON body ${shown(path)}`, json, path);
        }
        const actual = V.at(json, path);
        check(value === undefined ? actual !== undefined : equals(actual, value),
          `have JSON body with ${shown(path)}`, actual, value);
      },
      jsonSchema(schema) { core.part('schema').assert(schema, own.json(), isNegated); },
      responseTime: P.freeze(time),
    };
    const be = { get json() {
      own.json();
      check(true, 'be JSON');
      return true;
    }, get withBody() {
      check(own.text() !== '', 'have a body');
      return true;
    } };
    for (const name of P.keys(classes)) {
      V.getter(be, name, () => {
        const [low, high] = classes[name];
        check(own.code >= low && own.code <= high,
          `be ${name} (${low === high ? low : `${low} to ${high}`}) but got ${own.code}`, own.code);
        return true;
      });
    }
    if (!isNegated) {
      P.define(be, 'not', { get: () => sentences(own, true).be });
      P.define(have, 'not', { get: () => sentences(own, true).have });
    }
    return { have: P.freeze(have), be: P.freeze(be) };
  };
  const response = V.perJob((job) => job.response ? responseOf(job.response) : undefined);
  // A response in Postman's form, of the job or of a request that a script has sent.
  const responseOf = (head) => {
    const source = core.part('response').make(head, true);
    const fact = core.part('response').facts(head);
    const items = P.map(head.headers ?? [], ([key, value]) => ({ key, value }));
    const headers = list('pm.response.headers', items, () => {
      throw new P.TypeError("pm.response.headers can't be set");
    }, true);
    const own = {
      code: source.status, status: source.statusMessage, headers,
      responseTime: source.timings.total, responseSize: head.size,
      text: fact.text, reason: () => source.statusMessage,
      json() {
        const { value, error } = fact.json();
        if (error) throw error;
        return value;
      },
      size: () => ({ body: head.size, header: 0, total: head.size }),
      get stream() { return source.rawBody; },
      get cookies() { return core.part('postman').pm.cookies; },
    };
    const to = sentences(own, false);
    const not = sentences(own, true);
    own.to = P.freeze({ have: to.have, be: to.be,
      not: P.freeze({ have: not.have, be: not.be, to: not }) });
    return P.freeze(own);
  };

  // Elements as objects, texts as strings; several of a name as an array.
  const xml2Json = (text) => {
    const document = core.part('dom').document(V.text('xml2Json', 'text', text), false);
    if (!document) throw new P.SyntaxError('xml2Json: the text is no XML');
    const value = (node) => {
      const elements = node.children;
      const attributes = P.slice(node.attributes);
      const own = P.trim(node.textContent);
      if (elements.length === 0 && attributes.length === 0) return own;
      const result = {};
      if (attributes.length > 0) {
        result.$ = {};
        for (const item of attributes) result.$[item.name] = item.value;
      }
      if (elements.length === 0 && own !== '') result._ = own;
      for (const child of elements) {
        const next = value(child);
        const { nodeName: name } = child;
        result[name] = P.has(result, name) ? P.concat([], result[name], [next]) : next;
      }
      return result;
    };
    return { [document.documentElement.nodeName]: value(document.documentElement) };
  };
  return P.freeze({ request, response, responseOf, xml2Json });
}
