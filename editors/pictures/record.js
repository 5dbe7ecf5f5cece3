'use strict';
// Runs editors in a terminal of Vim and takes down what they show.
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const { readDump } = require('./screen');

const EDITORS = path.join(__dirname, '..');
const RUN_MILLISECONDS = 90_000;

/** A value as Vim script writes it. */
function vimValue(value) {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(vimValue).join(', ')}]`;
  return `{${Object.entries(value).map(
    ([key, each]) => `${vimValue(key)}: ${vimValue(each)}`).join(', ')}}`;
}

/**
 * The screen of a program after some typing.
 * @param {{folder: string, environment: object, command: string[], steps: object[],
 *   rows: number, columns: number}} job `steps` as `record.vim` has them
 * @returns {Promise<object[][]>} its cells
 */
async function record({ folder, environment, ...job }) {
  const file = path.join(folder, 'screen.dump');
  const script = path.join(folder, 'record.vim');
  fs.writeFileSync(script, `let g:record = ${vimValue({ ...job, file })}\n`
    + `source ${path.join(__dirname, 'record.vim')}\n`);
  const child = spawn('vim', ['-Nu', 'NONE', '-n', '-i', 'NONE', '-T', 'dumb', '--not-a-term',
    '-S', script], { cwd: folder, env: environment, stdio: ['pipe', 'ignore', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MILLISECONDS);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  clearTimeout(timer);
  if (code !== 0) {
    const shown = `${file}.failed`;
    const text = fs.existsSync(shown) ? fs.readFileSync(shown, 'utf8').trim() : '';
    throw new Error(`Vim ended with ${signal ?? `code ${code}`}, and ${job.command.join(' ')} did not `
      + `show what was waited for; it showed:\n${text}`);
  }
  const cells = readDump(fs.readFileSync(file, 'utf8'));
  fs.rmSync(file);
  return cells;
}

/** Vim with our plugin on a file. */
const vim = file => ['vim', '-Nu', 'NONE', '-n', '-i', 'NONE',
  '--cmd', `set rtp+=${path.join(EDITORS, 'vim')} termguicolors background=dark shortmess+=I`,
  '--cmd', "let g:postkit = {'split': 'vertical botright', 'options': {'trusted': v:true}}",
  '--cmd', 'runtime! plugin/postkit.vim ftdetect/postkit.vim',
  '--cmd', 'filetype plugin on', '--cmd', 'syntax on', '--cmd', 'colorscheme habamax', file];

/** Neovim with our plugin on a file; the Vim that it runs in must not lend it its own scripts. */
const neovim = file => ['env', '-u', 'VIM', '-u', 'VIMRUNTIME', 'nvim', '-n', '-i', 'NONE',
  '--clean',
  '--cmd', `set rtp^=${path.join(EDITORS, 'neovim')} termguicolors background=dark`,
  '--cmd', "let g:postkit = {'split': 'right', 'options': {'trusted': v:true}}",
  '-c', "lua vim.lsp.enable('postkit')", file];

module.exports = { neovim, record, vim };
