// The objects of httpYac: `$httpyac`, `$context`, `httpFile`, `httpRegion` and the tokens.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  // Members that we have not are `undefined`, and one line a run says so.
  const warned = new P.Set();
  const partly = (name, members) => new P.Proxy(P.freeze(members), {
    get(target, key) {
      if (typeof key !== 'string' || key in target) return target[key];
      const path = `${name}.${key}`;
      if (key !== 'then' && key !== 'toJSON' && !warned.has(path)) {
        warned.add(path);
        core.log('warn', [`${path} is not there in PostKit.`]);
      }
      return undefined;
    },
  });

  const setVariables = (variables) => {
    if (typeof variables !== 'object' || variables === null) {
      throw V.wrong('$httpyac.setVariables', 'the variables must be an object', variables);
    }
    for (const name of P.keys(variables)) core.export(name, variables[name]);
  };
  const allVariables = () => {
    const result = {};
    for (const store of ['environment', 'file', 'globals', 'exports', 'request']) {
      for (const name of core.keys(store)) {
        P.define(result, name, {
          value: core.get(store, name), enumerable: true, writable: true, configurable: true,
        });
      }
    }
    return result;
  };
  const execute = async (name, variables) => {
    const called = V.named('$httpyac.execute', name?.symbol?.name ?? name);
    const answer = await core.post('execute', called, variables ?? {});
    const result = P.assign(allVariables(), answer?.variables ?? {});
    if (answer?.status !== undefined) {
      const response = core.part('response').ran(answer);
      P.assign(result, { [called]: response.body, [`${called}Response`]: response });
    }
    return result;
  };

  const region = (item) => P.freeze({
    name: item.name ?? undefined, metaData: metaData(item.tags),
    symbol: P.freeze({ name: item.title, startLine: item.line - 1 }),
  });
  const metaData = (tags = {}) => {
    const result = {};
    for (const name of P.keys(tags)) {
      const values = tags[name];
      const value = P.isArray(values) ? (values.length > 1 ? values : values[0]) : values;
      P.define(result, name, { value: value === '' || value === undefined ? true : value,
        enumerable: true });
    }
    return P.freeze(result);
  };
  // Asked for when somebody looks: those of the file, or those of the files that it imports too.
  const regions = (hasImported) => P.freeze(P.map(core.call('regions', hasImported), region));

  const $httpyac = P.freeze({
    setVariables, execute,
    import: async (path) => { await core.post('import', V.named('$httpyac.import', path, 'path')); },
    findHttpRegionInContext(name) {
      const wanted = V.text('$httpyac.findHttpRegionInContext', 'name', name);
      return P.find(regions(true), (item) => item.name === wanted);
    },
  });
  const $context = V.perJob(() => {
    const members = { activeEnvironment: P.freeze(P.slice(core.hello.environment ?? [])) };
    V.getter(members, 'variables', allVariables);
    V.getter(members, 'request', () => core.part('request').current());
    return partly('$context', members);
  });
  const httpFile = V.perJob(() => {
    const members = { fileName: core.hello.file };
    V.getter(members, 'httpRegions', () => regions(false));
    return partly('httpFile', members);
  });
  const httpRegion = V.perJob((job) => {
    const members = {
      metaData: metaData(job.request?.tags),
      symbol: P.freeze({ name: job.request?.name ?? undefined, startLine: (job.script?.line ?? 1) - 1 }),
    };
    V.getter(members, 'testResults', () => P.slice(core.state.tests));
    return partly('httpRegion', members);
  });
  const oauth2Session = () => core.job.token ?? undefined;

  return P.freeze({
    $httpyac, $context, httpFile, httpRegion, oauth2Session,
    $getOAuth2Response: () => oauth2Session(), allVariables,
  });
}
