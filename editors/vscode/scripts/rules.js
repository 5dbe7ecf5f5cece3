'use strict';
// What VS Code and its marketplaces want of an extension's manifest and files. Pure.

const CATEGORIES = new Set(['AI', 'Azure', 'Chat', 'Data Science', 'Debuggers', 'Education',
  'Extension Packs', 'Formatters', 'Keymaps', 'Language Packs', 'Linters', 'Machine Learning',
  'Notebooks', 'Other', 'Programming Languages', 'SCM Providers', 'Snippets', 'Testing', 'Themes',
  'Visualization']);
const NAME = /^[a-z0-9][a-z0-9-]*$/i;
const VERSION = /^\d+\.\d+\.\d+$/;
const ENGINE = /^\^\d+\.\d+\.\d+$/;
const MOST_KEYWORDS = 30;
const ICON_PIXELS = 128;

/** The files that a manifest names, from the root of the extension. */
function filesOf(manifest) {
  const { contributes } = manifest;
  const images = (contributes.walkthroughs ?? []).flatMap(({ steps }) => steps.flatMap(
    ({ media }) => Object.values(media.image ?? {})));
  return [manifest.main, manifest.icon, ...images,
    ...contributes.grammars.map(({ path }) => path),
    ...contributes.snippets.map(({ path }) => path),
    ...contributes.jsonValidation.map(({ url }) => url),
    ...contributes.languages.flatMap(({ configuration, icon }) =>
      [configuration, icon.light, icon.dark])].map(file => file.replace(/^\.\//, ''));
}

function identityProblems({ name, publisher, version, engines, displayName, description }) {
  const rules = [[NAME.test(name), 'name'], [NAME.test(publisher), 'publisher'],
    [VERSION.test(version), 'version'], [ENGINE.test(engines?.vscode), 'engines.vscode'],
    [Boolean(displayName), 'displayName'], [Boolean(description), 'description']];
  return rules.filter(([isFine]) => !isFine).map(([, key]) => `${key} is missing or ill-formed`);
}

/** The size of a PNG; none for anything else. @param {Buffer} bytes */
function pngWidth(bytes) {
  return bytes?.toString('latin1', 1, 4) === 'PNG' ? bytes.readUInt32BE(16) : 0;
}

/**
 * What is wrong with an extension.
 * @param {object} manifest its package.json
 * @param {Map<string, Buffer>} files what is packed, by the path from the root
 * @returns {string[]}
 */
function problems(manifest, files) {
  const found = identityProblems(manifest);
  for (const category of manifest.categories.filter(each => !CATEGORIES.has(each))) {
    found.push(`there is no category ${category}`);
  }
  if (manifest.keywords.length > MOST_KEYWORDS) {
    found.push(`there are more than ${MOST_KEYWORDS} keywords`);
  }
  for (const file of filesOf(manifest).filter(each => !files.has(each))) {
    found.push(`${file} is named and not packed`);
  }
  if (pngWidth(files.get(manifest.icon)) < ICON_PIXELS) {
    found.push(`icon is no PNG of at least ${ICON_PIXELS} pixels`);
  }
  const readme = files.get('README.md')?.toString('utf8') ?? '';
  if (!readme) found.push('README.md is missing');
  // A marketplace shows neither pictures of the repository's own files nor SVG.
  for (const [, address] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
    if (!/^https:\/\/.*(?<!\.svg)$/.test(address)) found.push(`README.md shows ${address}`);
  }
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const name of Object.keys(dependencies)) found.push(`${name} is depended on`);
  return found;
}

module.exports = { problems };
