// The cookies of the run: those that go with a request, and jars of Postman and Bruno.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const urlOf = (path, url) => {
    const text = V.substituted(V.named(path, typeof url === 'object' && url !== null ? `${url}` : url, 'URL'));
    return P.test(/^[A-Za-z][\w+.-]*:\/\//, text) ? text : `http://${text}`;
  };
  const list = (path, url) => core.call('cookies', 'list', urlOf(path, url));
  const find = (path, url, name) => {
    const known = list(path, url);
    const wanted = V.named(path, name);
    return P.find(known, (cookie) => cookie.name === wanted);
  };
  // Seconds since 1970 of what a script gives as the end of a cookie.
  const ending = (value) => {
    if (value === undefined || value === null || value === 'Infinity') return undefined;
    const date = new P.Date(value);
    return P.isNaN(+date) ? undefined : P.Math.floor(+date / 1000);
  };
  const set = (path, url, cookie) => {
    const target = urlOf(path, url);
    if (typeof cookie !== 'object' || cookie === null) {
      throw V.wrong(path, 'the cookie must be an object', cookie);
    }
    const { maxAge } = cookie;
    const expires = typeof maxAge === 'number' ? P.Math.floor(+new P.Date() / 1000) + maxAge
      : ending(cookie.expires);
    const whole = { name: V.named(path, cookie.name ?? cookie.key), value: P.String(cookie.value ?? '') };
    for (const key of ['domain', 'path']) {
      if (typeof cookie[key] === 'string') whole[key] = cookie[key];
    }
    for (const key of ['secure', 'httpOnly']) if (cookie[key] === true) whole[key] = true;
    if (expires !== undefined) whole.expires = expires;
    core.call('cookies', 'set', target, whole);
    return whole;
  };
  const described = (name, value) =>
    typeof name === 'object' && name !== null ? name : { name, value };

  // What goes with the request of the job: the jar's, and those of its response.
  const ofRequest = (job) => {
    const result = {};
    const url = job.request?.url;
    if (typeof url === 'string' && url !== '') {
      for (const { name, value } of list('pm.cookies', url)) result[name] = value;
    }
    const answered = job.response ? core.part('response').response().cookies() : [];
    for (const { name, value } of answered) result[name] = value;
    return result;
  };

  // A method that calls back with what it comes to, and gives a promise of it.
  const both = (work) => (...values) => {
    const last = values[values.length - 1];
    const done = typeof last === 'function' ? last : undefined;
    const given = done ? P.slice(values, 0, values.length - 1) : values;
    let result;
    try {
      result = work(...given);
    } catch (error) {
      if (!done) return P.rejected(error);
      done(error);
      return P.resolved(undefined);
    }
    done?.(null, result);
    return P.resolved(result);
  };
  const nothing = (work) => (...values) => { work(...values); };

  const postman = P.freeze({
    get: both((url, name) => find('pm.cookies.jar().get', url, name)?.value),
    getAll: both((url) => list('pm.cookies.jar().getAll', url)),
    set: both((url, name, value) => set('pm.cookies.jar().set', url, described(name, value))),
    unset: both(nothing((url, name) =>
      core.call('cookies', 'remove', urlOf('pm.cookies.jar().unset', url), V.named('pm.cookies.jar().unset', name)))),
    clear: both(nothing((url) => core.call('cookies', 'clear', urlOf('pm.cookies.jar().clear', url)))),
  });

  // Bruno calls the name of a cookie its key.
  const keyed = (cookie) => {
    if (cookie === undefined) return undefined;
    const { name, ...rest } = cookie;
    return { key: name, ...rest };
  };
  const own = () => core.job.request?.url ?? '';
  const bruno = P.freeze({
    getCookie: both((url, name) => keyed(find('bru.cookies.jar().getCookie', url, name))),
    getCookies: both((url) => P.map(list('bru.cookies.jar().getCookies', url), keyed)),
    hasCookie: both((url, name) => find('bru.cookies.jar().hasCookie', url, name) !== undefined),
    setCookie: both(nothing((url, name, value) =>
      set('bru.cookies.jar().setCookie', url, described(name, value)))),
    setCookies: both(nothing((url, cookies) => {
      urlOf('bru.cookies.jar().setCookies', url);
      if (!P.isArray(cookies)) {
        throw V.wrong('bru.cookies.jar().setCookies', 'the cookies must be an array', cookies);
      }
      for (const cookie of cookies) set('bru.cookies.jar().setCookies', url, cookie);
    })),
    deleteCookie: both(nothing((url, name) => core.call(
      'cookies', 'remove', urlOf('bru.cookies.jar().deleteCookie', url), V.named('bru.cookies.jar().deleteCookie', name)))),
    deleteCookies: both(nothing((url) =>
      core.call('cookies', 'clear', urlOf('bru.cookies.jar().deleteCookies', url)))),
    clear: both(nothing(() => core.call('cookies', 'clear', urlOf('bru.cookies.jar().clear', own())))),
  });
  return P.freeze({ ofRequest, postman: () => postman, bruno: () => bruno });
}
