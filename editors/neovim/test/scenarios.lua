-- The scenarios of ../../README.md in this Neovim, against the real server.
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
package.path = here .. '/?.lua;' .. package.path
local support = require('support')

vim.o.completeopt = 'menuone'
-- The menu opens where a scenario asks for it.
require('postkit.config').set({ autotrigger = false })
vim.o.columns, vim.o.lines = 120, 40
-- Nobody is there to press Enter.
vim.o.more, vim.o.cmdheight = false, 3
vim.opt.shortmess:append('aF')

local reading, sending = require('reading'), require('sending')
local several, keeping, living = require('several'), require('keeping'), require('living')
local parts, responses = require('parts'), require('responses')
local around, speed, typing = require('around'), require('speed'), require('typing')

for _, scenario in ipairs({
  { 'E1', 'open', reading.opens },
  { 'E2', 'edit', reading.edits },
  { 'E3', 'diagnose', reading.diagnoses },
  { 'E5', 'hover', reading.hovers },
  { 'E6', 'send', sending.sends },
  { 'E7', 'response view', sending.shows },
  { 'E8', 'bad answer', sending.fails },
  { 'E9', 'cannot be sent', sending.refuses },
  { 'E10', 'cancel', sending.cancels },
  { 'E11', 'environment', several.switches },
  { 'E12', 'send all', several.sends_all },
  { 'E34', 'same words', several.says_the_same },
  { 'E35', 'scripts', sending.runs_scripts },
  { 'E13', 'curl', sending.copies },
  { 'E14', 'history', keeping.remembers },
  { 'E14', 'statistics and saved searches', keeping.counts },
  { 'E14', 'all that a filter finds', keeping.sweeps },
  { 'E15', 'actions', sending.acts },
  { 'E16', 'trouble', living.survives },
  { 'E18', 'columns', reading.columns },
  { 'E19', 'collections', keeping.collects },
  { 'E19', 'defaults', keeping.gives },
  { 'E21', 'in and out', keeping.transfers },
  { 'E20', 'cookies and session values', keeping.lists },
  { 'E17', 'end', living.ends },
}) do
  support.run(unpack(scenario))
end

support.live({
  { 'E4', 'complete', function()
    reading.completes()
    typing.completes()
  end },
  { 'E22', 'send selection', function()
    typing.sends_by_key()
    parts.selects()
  end },
  { 'E23', 'send again', parts.repeats },
  { 'E24', 'parts of the response', function()
    parts.steps_through()
    responses.arrives()
  end },
  { 'E25', 'live filter', parts.filters },
  { 'E26', 'environment in sight', around.guards },
  { 'E27', 'variables', around.browses },
  { 'E28', 'search in lists', around.searches },
  { 'E29', 'old or missing program', around.refuses_old },
  { 'E30', 'competing plugins', around.notices },
  { 'E31', 'large stream', speed.streams },
  { 'E32', 'speed', speed.loads_and_types },
  { 'E33', 'help', around.helps },
}, function()
  vim.cmd('qall!')
end)
