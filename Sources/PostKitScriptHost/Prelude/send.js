// Requests that scripts send themselves: `pm.sendRequest` and `bru.sendRequest`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const pairsOf = (items, separator) => {
    if (items === undefined || items === null) return [];
    if (typeof items === 'string') {
      return pairsOf(P.filter(P.split(items, separator === ':' ? /\r?\n/ : '&'), (line) => line !== ''),
        separator);
    }
    if (!P.isArray(items)) {
      if (typeof items.all === 'function') return pairsOf(items.all(), separator);
      return P.map(P.keys(items), (key) => [key, P.String(items[key])]);
    }
    return P.map(P.filter(items, (item) => item?.disabled !== true), (item) => {
      if (typeof item !== 'string') return [P.String(item.key), P.String(item.value ?? '')];
      const place = P.find_(item, separator);
      return place < 0 ? [item, ''] : [P.trim(P.sub(item, 0, place)), P.trim(P.sub(item, place + 1))];
    });
  };
  const urlText = (url) => {
    if (typeof url === 'string') return url;
    if (typeof url?.raw === 'string') return url.raw;
    if (url && P.isArray(url.host)) {
      const path = P.isArray(url.path) ? `/${P.join(url.path, '/')}` : '';
      return `${url.protocol ?? 'http'}://${P.join(url.host, '.')}${url.port ? `:${url.port}` : ''}${path}`;
    }
    return `${url ?? ''}`;
  };
  const setDefault = (headers, name, value) => {
    if (!P.some(headers, ([known]) => P.lower(known) === P.lower(name))) P.push(headers, [name, value]);
  };

  // A body in Postman's forms as text; the type goes to the headers.
  const bodyText = (body, headers) => {
    if (body === undefined || body === null) return null;
    if (typeof body === 'string') return body;
    if (P.isView(body)) return body;
    switch (body.mode) {
      case 'urlencoded': {
        const { formEncoded } = core.part('url');
        setDefault(headers, 'Content-Type', 'application/x-www-form-urlencoded');
        return P.join(P.map(pairsOf(body.urlencoded, '='), ([key, value]) =>
          `${formEncoded(key)}=${formEncoded(value)}`), '&');
      }
      case 'formdata': {
        const boundary = `postkit-${core.part('digests').randomUUID()}`;
        setDefault(headers, 'Content-Type', `multipart/form-data; boundary=${boundary}`);
        const parts = P.map(pairsOf(body.formdata, '='), ([key, value]) => `--${boundary}\r\n`
          + `Content-Disposition: form-data; name=${P.json(key)}\r\n\r\n${value}\r\n`);
        return `${P.join(parts, '')}--${boundary}--\r\n`;
      }
      case 'graphql':
        setDefault(headers, 'Content-Type', 'application/json');
        return P.json(body.graphql);
      case 'file': throw new P.Error('pm.sendRequest: bodies of files are not supported by PostKit');
      default: break;
    }
    if (body.options?.raw?.language === 'json') setDefault(headers, 'Content-Type', 'application/json');
    const raw = body.mode === 'raw' || body.raw !== undefined ? body.raw ?? '' : body;
    if (typeof raw === 'string') return raw;
    setDefault(headers, 'Content-Type', 'application/json');
    return P.json(raw);
  };

  const post = async (path, request) => {
    const place = core.place();
    const whole = { ...request, url: V.substituted(V.named(path, request.url, 'URL')),
      headers: P.map(request.headers, ([name, value]) => [name, V.substituted(value)]) };
    if (typeof whole.body === 'string') whole.body = V.substituted(whole.body);
    if (!P.test(/^[A-Za-z][\w+.-]*:\/\//, whole.url)) whole.url = `http://${whole.url}`;
    try {
      return await core.post('sendRequest', whole);
    } catch (error) {
      error.isPlace = core.native;
      error.place = place;
      if (P.starts(error.message, 'scripts may not send')) {
        error.message = `${path}: ${error.message}`;
        error.isRefused = true;
      }
      throw error;
    }
  };
  const headOf = (answer) => {
    const type = P.find(answer.headers, ([name]) => P.lower(name) === 'content-type')?.[1] ?? '';
    return { status: answer.status, reason: answer.reason, protocol: 'HTTP/1.1',
      headers: answer.headers, body: answer.body, kind: 'text', mime: P.trim(P.split(type, ';')[0]),
      charset: P.exec(/charset="?([^";\s]+)/i, type)?.[1] ?? 'utf-8',
      timings: { total: answer.milliseconds },
      size: typeof answer.body === 'string' ? V.utf8(answer.body).length : answer.body?.byteLength ?? 0 };
  };

  // Postman calls back, and gives a promise where nobody is to be called.
  const sendRequest = (request, callback) => {
    const path = 'pm.sendRequest';
    const asked = typeof request === 'string' || typeof request?.getHost === 'function'
      ? { url: request } : request;
    if (typeof asked !== 'object' || asked === null) {
      throw V.wrong(path, 'the request must be a URL or an object', asked);
    }
    if (callback !== undefined) V.callable(path, 'callback', callback);
    const headers = pairsOf(asked.header ?? asked.headers, ':');
    const body = bodyText(asked.body, headers);
    const work = P.then(post(path, { method: P.upper(asked.method ?? 'GET'), url: urlText(asked.url),
      headers, body }), (answer) => core.part('postman-exchange').responseOf(headOf(answer)));
    if (!callback) return work;
    P.then(work, (response) => { callback(null, response); }, (error) => {
      // A refusal is no failure of the network that a script could deal with.
      if (error.isRefused) throw error;
      callback(error, undefined);
    });
    return undefined;
  };

  // Bruno's is that of axios: answers that are no success reject.
  const brunoRequest = (request, callback) => {
    const path = 'bru.sendRequest';
    const asked = typeof request === 'string' ? { url: request } : request;
    if (typeof asked !== 'object' || asked === null) {
      throw V.wrong(path, 'the request must be a URL or an object', asked);
    }
    const headers = pairsOf(asked.headers, ':');
    const body = bodyText(P.isArray(asked.data) ? P.json(asked.data) : asked.data, headers);
    const work = P.then(post(path, { method: P.upper(asked.method ?? 'GET'), url: urlText(asked.url),
      headers, body }), (answer) => {
      const { body: data, headers: fields, status } = core.part('response').ran(answer);
      const response = P.freeze({ status, statusText: answer.reason, headers: fields, data });
      if (status >= 200 && status < 300) return response;
      const error = new P.Error(`Request failed with status code ${status}`);
      error.response = response;
      throw error;
    });
    if (typeof callback !== 'function') return work;
    return P.then(work, (response) => callback(null, response), (error) => {
      if (error.isRefused) throw error;
      return callback(error, error.response);
    });
  };
  return P.freeze({ sendRequest, brunoRequest });
}
