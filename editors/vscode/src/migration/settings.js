'use strict';
// What REST Client's settings are in PostKit: environments, headers, files of a project, settings
// of the editor, and in words what has no counterpart. Pure.

/** Names whose values are mostly secrets; the user has the last word. */
const SECRET_NAME = /token|secret|passw|key|credential|authorization|cookie/i;
const SHARED = '$shared';
const HEADERS = '$default_headers';

/** Where a person finds what a setting did, where PostKit has no such setting. */
const INSTEAD = {
  excludeHostsForProxy: 'list these hosts in the environment variable NO_PROXY',
  showResponseInDifferentTab: 'pin the tab of a response to keep it; the history has all of them',
  previewOption: 'the setting postkit.responsePanel and the actions of a response choose the view',
  previewColumn: 'responses open beside the request',
  previewResponseInUntitledDocument: 'responses are documents that can be searched and saved',
  fontSize: 'responses have the font of the editor',
  fontFamily: 'responses have the font of the editor',
  fontWeight: 'responses have the font of the editor',
  formParamEncodingStrategy: 'a form is sent as it is written; write what is to be encoded so',
  decodeEscapedUnicodeCharacters: 'JSON is shown with its escapes as received',
  enableTelemetry: 'PostKit sends nothing to anybody',
  useTrunkedTransferEncodingForSendingFileContent: 'files are sent with their length',
};

/** Simple ones: the key here, whose file it is in, and the value there. */
const SIMPLE = {
  followredirect: value => value === false && ['project', 'followRedirects', false],
  rememberCookiesForSubsequentRequests: value => value === false && ['project', 'cookies', false],
  timeoutinmilliseconds: value => value > 0 && ['editor', 'timeout', Math.trunc(value)],
  enableSendRequestCodeLens: value => value === false && ['editor', 'codeLens.enabled', false],
};

/**
 * REST Client's `{{$shared name}}` in a value: PostKit knows it as `{{name}}`, unless the
 * environment has a value of its own for the name.
 */
function withoutShared(value, own, shared) {
  if (typeof value !== 'string') return value;
  return value.replace(/\{\{\s*\$shared\s+([^\s}]+)\s*\}\}/g, (whole, name) => {
    if (!(name in own)) return `{{${name}}}`;
    return name in shared ? String(shared[name]) : whole;
  });
}

function environments(setting) {
  const shared = setting[SHARED] ?? {};
  return Object.fromEntries(Object.entries(setting).map(([name, own]) => [name,
    Object.fromEntries(Object.entries(own ?? {}).map(([key, value]) =>
      [key, withoutShared(value, name === SHARED ? {} : own, shared)]))]));
}

/** Certificates by host, without their passphrases: a project's file is no place for those. */
function certificates(setting, notes) {
  return Object.fromEntries(Object.entries(setting).map(([host, { passphrase, ...files }]) => {
    if (passphrase !== undefined) {
      notes.push(`The passphrase for ${host} was left out. Put it into `
        + 'http-client.private.env.json under a name of your choice, and write '
        + '"passphrase": "{{name}}" beside the certificate in postkit.json.');
    }
    return [host, files];
  }));
}

/**
 * What is to be done for settings of REST Client.
 * @param {Record<string, any>} settings those that somebody set, without `rest-client.`
 * @returns {{environments: object, project: object, editor: object, notes: string[],
 *   secrets: {environment: string, name: string}[]}} `secrets` are names, for a question
 */
function planSettings(settings) {
  const plan = { environments: {}, project: {}, editor: {}, notes: [], secrets: [] };
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'environmentVariables') Object.assign(plan.environments, environments(value));
    else if (key === 'defaultHeaders') plan.environments[HEADERS] = { ...value };
    else if (key === 'certificates') {
      plan.project['tls.certificates'] = certificates(value, plan.notes);
    } else {
      const target = SIMPLE[key]?.(value);
      if (target) plan[target[0]][target[1]] = target[2];
      else if (!SIMPLE[key]) {
        plan.notes.push(`rest-client.${key}: ${INSTEAD[key] ?? 'PostKit has no such setting'}.`);
      }
    }
  }
  for (const [environment, values] of Object.entries(plan.environments)) {
    for (const name of Object.keys(values)) {
      if (SECRET_NAME.test(name)) plan.secrets.push({ environment, name });
    }
  }
  return plan;
}

/**
 * Environments as two files.
 * @param {object} all by name
 * @param {{environment: string, name: string}[]} secrets what goes into the private one
 */
function split(all, secrets) {
  const isSecret = (environment, name) => secrets.some(
    each => each.environment === environment && each.name === name);
  const pick = wanted => Object.fromEntries(Object.entries(all).map(([environment, values]) =>
    [environment, Object.fromEntries(Object.entries(values).filter(([name]) =>
      isSecret(environment, name) === wanted))]));
  const open = pick(false);
  const hidden = Object.fromEntries(Object.entries(pick(true)).filter(
    ([, values]) => Object.keys(values).length > 0));
  return { open, hidden };
}

module.exports = { planSettings, split };
