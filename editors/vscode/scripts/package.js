#!/usr/bin/env node
'use strict';
// Makes the .vsix, without npm: an OPC package with VS Code's manifest and the extension's files.
//   node scripts/package.js [--output FILE] [--target linux-x64 --binary FILE]
const fs = require('fs');
const path = require('path');
const { parseArgs } = require('util');
const { problems } = require('./rules');
const { zip } = require('./zip');

const ROOT = path.join(__dirname, '..');
/** What is shipped; tests and scripts are not. */
const PARTS = ['README.md', 'images', 'language-configuration.json', 'media', 'package.json',
  'response-json-configuration.json', 'schemas', 'snippets', 'src', 'syntaxes'];
const TARGETS = ['linux-x64', 'linux-arm64', 'alpine-x64', 'alpine-arm64', 'darwin-x64',
  'darwin-arm64', 'win32-x64', 'win32-arm64'];
const CONTENT_TYPES = {
  css: 'text/css',
  js: 'application/javascript',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
  svg: 'image/svg+xml',
  vsixmanifest: 'text/xml',
};

/**
 * @param {{target?: string, binary?: string}} options both or none: the platform and its program
 * @returns {{name: string, data: Buffer, parts: number}} the file's name, bytes and how many parts
 */
function makePackage({ target, binary } = {}) {
  if (Boolean(target) !== Boolean(binary)) throw new Error('--target and --binary go together');
  if (target && !TARGETS.includes(target)) {
    throw new Error(`unknown target ${target}; one of: ${TARGETS.join(', ')}`);
  }
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const files = PARTS.flatMap(part => listFiles(part)).sort()
    .map(file => ({ name: `extension/${file}`, data: fs.readFileSync(path.join(ROOT, file)) }));
  const wrong = problems(manifest, new Map(
    files.map(({ name, data }) => [name.replace('extension/', ''), data])));
  if (wrong.length) throw new Error(`the manifest is not right: ${wrong.join('; ')}`);
  if (binary) {
    const name = target.startsWith('win32') ? 'postkit.exe' : 'postkit';
    files.push({ name: `extension/bin/${name}`, data: fs.readFileSync(binary), mode: 0o755 });
  }
  const entries = [
    { name: 'extension.vsixmanifest', data: Buffer.from(vsixManifest(manifest, target)) },
    ...files,
  ];
  entries.unshift({
    name: '[Content_Types].xml', data: Buffer.from(contentTypes(entries.map(({ name }) => name))),
  });
  return {
    parts: entries.length,
    name: `${[manifest.name, target, manifest.version].filter(Boolean).join('-')}.vsix`,
    data: zip(entries),
  };
}

function listFiles(relative) {
  if (!fs.statSync(path.join(ROOT, relative)).isDirectory()) return [relative];
  return fs.readdirSync(path.join(ROOT, relative))
    .flatMap(name => listFiles(`${relative}/${name}`));
}

/** [Content_Types].xml (ECMA-376 part 2, 10.1.2): by extension, by name where there is none. */
function contentTypes(names) {
  const extension = name => path.posix.extname(name).slice(1);
  const extensions = [...new Set(names.map(extension).filter(Boolean))].sort();
  const defaults = extensions.map(name => {
    const type = CONTENT_TYPES[name] ?? 'application/octet-stream';
    return `  <Default Extension="${name}" ContentType="${type}"/>`;
  });
  const overrides = names.filter(name => !extension(name)).map(name =>
    `  <Override PartName="/${name}" ContentType="application/octet-stream"/>`);
  return ['<?xml version="1.0" encoding="utf-8"?>',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">',
    ...defaults, ...overrides, '</Types>', ''].join('\n');
}

function vsixManifest(manifest, target) {
  const platform = target ? ` TargetPlatform="${target}"` : '';
  const { name, version, publisher } = manifest;
  const schema = 'http://schemas.microsoft.com/developer';
  const engine = 'Microsoft.VisualStudio.Code';
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="${schema}/vsx-schema/2011"
  xmlns:d="${schema}/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escape(name)}" Version="${escape(version)}"
      Publisher="${escape(publisher)}"${platform}/>
    <DisplayName>${escape(manifest.displayName)}</DisplayName>
    <Description xml:space="preserve">${escape(manifest.description)}</Description>
    <Tags>${escape(manifest.keywords.join(','))}</Tags>
    <Categories>${escape(manifest.categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="${engine}.Engine" Value="${escape(manifest.engines.vscode)}"/>
      <Property Id="${engine}.ExtensionDependencies" Value=""/>
      <Property Id="${engine}.ExtensionPack" Value=""/>
      <Property Id="${engine}.ExtensionKind" Value="workspace"/>
      <Property Id="${engine}.LocalizedLanguages" Value=""/>
      <Property Id="${engine}.ExecutesCode" Value="true"/>
      <Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
    </Properties>
    <Icon>extension/${escape(manifest.icon)}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="${engine}"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="${engine}.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md"
      Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default"
      Path="extension/${escape(manifest.icon)}" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function escape(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, character => entities[character]);
}

function main() {
  const { values } = parseArgs({
    options: { output: { type: 'string' }, target: { type: 'string' }, binary: { type: 'string' } },
  });
  const made = makePackage(values);
  const output = values.output ?? made.name;
  fs.writeFileSync(output, made.data);
  process.stdout.write(`${output}: ${made.data.length} bytes, ${made.parts} parts\n`);
}

if (require.main === module) {
  try {
    main();
  } catch (error) {
    process.stderr.write(`package.js: ${error.message}\n`);
    process.exitCode = 2;
  }
}

module.exports = { makePackage, TARGETS };
