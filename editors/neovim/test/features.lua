-- What Neovim's own client makes of the server: rows N of ../../README.md.
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
package.path = here .. '/?.lua;' .. package.path
local colours, described, project = require('colours'), require('described'), require('project')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes
local write, open, set, go = project.write, project.open, project.set, project.go
local line, all, name, float = project.line, project.all, project.name, project.float

local client = require('postkit.client')

vim.o.columns, vim.o.lines = 120, 40

-- Runs something that fills the quickfix list; answers its entries as `file:line text`.
local function listed(run, kind)
  local get = kind == 'location' and function() return vim.fn.getloclist(0) end or vim.fn.getqflist
  vim.fn.setqflist({}, 'f')
  vim.fn.setloclist(0, {}, 'f')
  local window = vim.api.nvim_get_current_win()
  run()
  wait(function() return #get() > 0 end, 'a list')
  local entries = vim.tbl_map(function(item)
    local file = vim.fs.basename(vim.api.nvim_buf_get_name(item.bufnr))
    return ('%s:%d %s'):format(file, item.lnum, vim.trim(item.text))
  end, get())
  vim.cmd('silent! cclose | silent! lclose')
  vim.api.nvim_set_current_win(window)
  return entries
end

local function leads()
  open()
  go('{{ho')
  -- Neovim itself gives the server a second, and says that there is no tag where it is slower.
  wait(function()
    return pcall(vim.cmd, 'normal! ' .. vim.keycode('<C-]>')) and name() == 'http-client.env.json'
  end, function() return 'the file, not ' .. name() end)
  same(vim.trim(line()), '"host": "http://127.0.0.1:1",', 'the line')
  open()
  go('{{ho')
  same(listed(vim.lsp.buf.implementation), {
    'http-client.env.json:3 "host": "http://127.0.0.1:1",',
    'http-client.env.json:7 "host": "https://prod.test"',
  }, 'the values')
end

local function refers()
  open()
  go('{{lo')
  local found = listed(function() vim.lsp.buf.references({ includeDeclaration = false }) end)
  same(found, {
    'main.http:5 # @ref login',
    'main.http:6 POST {{host}}/a/{{area}}?t={{login.response.body.$.t}}',
  }, 'the uses')
  go('{{ar')
  vim.lsp.buf.document_highlight()
  local namespace = vim.api.nvim_create_namespace('nvim.lsp.references')
  local function marks()
    return vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })
  end
  wait(function() return #marks() == 3 end, 'three marks')
  same(vim.tbl_map(function(mark) return mark[4].hl_group end, marks()), {
    'LspReferenceWrite', 'LspReferenceRead', 'LspReferenceRead',
  }, 'the groups')
end

local function names()
  open()
  local outline = table.concat(listed(vim.lsp.buf.document_symbol, 'location'), '\n')
  yes(outline:find('[Method] ask', 1, true), 'the requests are listed: ' .. outline)
  yes(outline:find('[Variable] @area', 1, true), 'the variables are listed: ' .. outline)
  local found = listed(function() vim.lsp.buf.workspace_symbol('logi') end)
  same(#found, 1, 'the number found')
  yes(found[1]:find('^common%.http:.*login'), 'the request: ' .. found[1])
end

local function calls()
  open()
  go('POST')
  local found = listed(vim.lsp.buf.outgoing_calls)
  yes(found[1]:find('login'), 'whom it calls: ' .. vim.inspect(found))
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/project/common.http')
  wait(function() return client.of(0) end, 'the server')
  go('GET')
  found = listed(vim.lsp.buf.incoming_calls)
  yes(found[1]:find('^main%.http.*ask'), 'who calls it: ' .. vim.inspect(found))
end

local function renames()
  open()
  go('{{ho')
  vim.cmd('PostKit rename origin')
  wait(function() return all():find('{{origin}}/a') end, 'the new name')
  local text = table.concat(vim.api.nvim_buf_get_lines(
    vim.fn.bufnr('http-client.env.json'), 0, -1, false), '\n')
  same(#vim.split(text, '"origin"'), 3, 'the number of keys renamed, and one')
  support.notes()
  go('{{ar')
  vim.lsp.buf.rename('a b')
  local told = ''
  wait(function()
    told = told .. support.notes()
    return told:find("can't be the name of a variable", 1, true)
  end, function() return 'the reason, not ' .. told end)
end

local function helps()
  open()
  set('GET {{host}}/{{$randomInt 1 2}}')
  go('$randomInt 1')
  vim.lsp.buf.signature_help()
  wait(function() return float():find('$randomInt [min max]', 1, true) end, function()
    return 'the parameters, not ' .. float()
  end)
end

local function lays_out()
  open()
  set('### A\nGET   http://a\nB:1\n\n### C\nGET   http://c\nD:2')
  -- Neovim itself waits a second for it.
  local patience = support.patience
  vim.lsp.buf.format({ range = { start = { 6, 0 }, ['end'] = { 7, 3 } }, timeout_ms = patience })
  same(all(), '### A\nGET   http://a\nB:1\n\n### C\nGET http://c\nD: 2', 'the second request')
  vim.lsp.buf.format({ timeout_ms = patience })
  same(all(), '### A\nGET http://a\nB: 1\n\n### C\nGET http://c\nD: 2', 'the whole')
  local tick = vim.b.changedtick
  vim.lsp.buf.format({ timeout_ms = patience })
  same(vim.b.changedtick, tick, 'the buffer after formatting what is formatted')
end

local function folds()
  open()
  vim.opt_local.foldexpr = 'v:lua.vim.lsp.foldexpr()'
  vim.opt_local.foldtext = 'v:lua.vim.lsp.foldtext()'
  vim.opt_local.foldmethod = 'expr'
  vim.opt_local.foldlevel = 0
  wait(function() return vim.fn.foldclosedend(4) == 9 end, function()
    return 'the request to be folded; it ends at ' .. vim.fn.foldclosedend(4)
  end)
  same(vim.fn.foldtextresult(4):find('POST') ~= nil, true, 'the words of the fold')
end

local function use(settings)
  client.of(0).settings = settings
  client.of(0):notify('workspace/didChangeConfiguration', { settings = settings })
end

local function hints()
  open()
  set('@where = http://127.0.0.1:1\n\nGET {{$exampleServer}}/get?q={{where}}\n')
  local before = client.of(0).settings
  use({ postkit = { inlay = { variables = 'url' } } })
  vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
  wait(function()
    return vim.iter(vim.lsp.inlay_hint.get({ bufnr = 0 })):any(function(each)
      return vim.inspect(each.inlay_hint.label):find('127%.0%.0%.1') ~= nil
    end)
  end, 'the value of a variable')
  vim.lsp.inlay_hint.enable(false, { bufnr = 0 })
  use(before)
  local bufnr, is_old = vim.api.nvim_get_current_buf(), vim.fn.has('nvim-0.12') == 0
  if not is_old then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
  end
  local function lens(pattern)
    -- Neovim 0.12 asks by itself, as soon as the server says that they have changed.
    if is_old then
      vim.lsp.codelens.refresh({ bufnr = bufnr })
    else
      -- It resolves lenses when it draws them, which it does without a screen only when told.
      vim.cmd('redraw!')
    end
    return vim.iter(vim.lsp.codelens.get(is_old and bufnr or { bufnr = bufnr })):find(function(each)
      local command = (each.lens or each).command
      return command and command.title:find(pattern) ~= nil
    end)
  end
  wait(function() return lens('^Send') end, 'the lens')
  go('GET')
  vim.ui.select = function(items, _, done)
    done(vim.iter(items):find(function(each)
      return (each.command or each.lens.command).title:find('^Send') ~= nil
    end))
  end
  vim.lsp.codelens.run()
  wait(function()
    return vim.tbl_get(require('postkit.results').at(bufnr, 2) or {}, 'state') == 'done'
  end, 'the result')
  vim.cmd('silent only!')
  wait(function() return lens('200') end, 'the lens with the result')
end

local function diagnoses()
  open()
  set('GET {{$exampleServer}}/get?q=1\n\n?? status == 404')
  go('GET')
  vim.cmd('PostKit send')
  local bufnr = vim.api.nvim_get_current_buf()
  wait(function()
    local found = vim.diagnostic.get(bufnr)[1]
    return found and found.code == 'assertion-failed' and found.lnum == 2
  end, 'the failed check')
  vim.api.nvim_buf_set_lines(bufnr, 2, 3, false, { '?? status == 200' })
  wait(function() return #vim.diagnostic.get(bufnr) == 0 end, 'the mark to go')
  -- What an environment says takes the place of what another said, and stands nowhere twice.
  set('GET {{host}}/{{region}}/{{nosuch}}')
  local function marked(...)
    local expected = { ... }
    wait(function()
      local found = vim.tbl_map(function(each)
        return vim.api.nvim_buf_get_text(bufnr, each.lnum, each.col, each.lnum, each.end_col, {})[1]
      end, vim.diagnostic.get(bufnr))
      table.sort(found)
      return vim.deep_equal(found, expected)
    end, function()
      return vim.inspect(expected) .. ', not ' .. vim.inspect(vim.diagnostic.get(bufnr))
    end)
  end
  marked('{{nosuch}}')
  vim.cmd('PostKit env prod')
  marked('{{nosuch}}', '{{region}}')
  vim.cmd('PostKit env dev')
  marked('{{nosuch}}')
end

local function acts()
  open()
  set('GET http://127.0.0.1:1/{{nope}}')
  os.remove(vim.env.POSTKIT_WORK .. '/project/http-client.private.env.json')
  go('{{no')
  vim.lsp.buf.code_action({ apply = true, filter = function(action)
    return action.title == 'Define `nope` in the private environment `dev`'
  end })
  local made
  wait(function()
    made = vim.fn.bufnr('http-client.private.env.json')
    return made > 0 and table.concat(vim.api.nvim_buf_get_lines(made, 0, -1, false)):find('"nope"')
  end, 'the file')
end

local function links()
  open()
  go('./bo')
  vim.cmd('PostKit link')
  wait(function() return name() == 'body.json' end, 'the file')
  open()
  local opened
  vim.ui.open = function(address) opened = address end
  go('{{host}}/b')
  support.notes()
  vim.cmd('PostKit link')
  wait(function() return opened end, function()
    return 'the browser; told was ' .. support.notes()
  end)
  same(opened, 'http://127.0.0.1:1/b', 'the address')
  support.notes()
  go('Content-T')
  vim.cmd('PostKit link')
  wait(function() return support.notes():find('No link under the cursor') end, 'a sentence')
end

local function pastes()
  open()
  set('GET http://a')
  vim.fn.setreg('"', 'curl -H "Accept: text/plain" http://127.0.0.1:1/pasted')
  vim.cmd('PostKit paste')
  wait(function()
    return all():find('GET http://127%.0%.0%.1:1/pasted\nAccept: text/plain')
  end, function() return 'the request, not ' .. all() end)
  vim.fn.setreg('a', 'hello')
  support.notes()
  vim.cmd('PostKit paste a')
  wait(function() return support.notes():find('neither a curl command') end, 'the reason')
end

local function moves()
  open('common.http')
  vim.cmd('PostKit move ' .. vim.env.POSTKIT_WORK .. '/project/shared/login.http')
  wait(function() return name() == 'login.http' end, 'the new name')
  same(vim.uv.fs_stat(vim.env.POSTKIT_WORK .. '/project/common.http'), nil, 'the old file')
  local text = vim.api.nvim_buf_get_lines(vim.fn.bufnr('project/main.http'), 0, 1, false)[1]
  same(text, 'import shared/login.http', 'the import')
  support.notes()
  vim.cmd('PostKit move ' .. vim.env.POSTKIT_WORK .. '/project/main.http')
  wait(function() return support.notes():find('already exists') end, 'a refusal')
  vim.fn.delete(vim.env.POSTKIT_WORK .. '/project/shared', 'rf')
end

local function joins()
  open()
  local other = vim.fs.dirname(write('other/more.http', '### elsewhere\nGET http://b\n'))
  vim.lsp.buf.add_workspace_folder(other)
  local function found()
    local answer = vim.lsp.buf_request_sync(0, 'workspace/symbol', { query = 'elsewhere' }, 5000)
    local _, first = next(answer or {})
    return first and #(first.result or {}) > 0
  end
  wait(found, 'the request of the folder')
  vim.lsp.buf.remove_workspace_folder(other)
  wait(function() return not found() end, 'the request to be gone')
end

local function set_up()
  open()
  set('@where = http://127.0.0.1:1\n\nGET http://a/?q={{where}}')
  local function value_shown()
    local asked = { textDocument = { uri = vim.uri_from_bufnr(0) }, range = {
      start = { line = 0, character = 0 }, ['end'] = { line = 3, character = 0 },
    } }
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/inlayHint', asked, 5000)
    local _, first = next(answers or {})
    return vim.iter(first and first.result or {}):any(function(hint)
      return hint.label[1].value:find('127.0.0.1', 1, true) ~= nil
    end)
  end
  local before = client.of(0).settings
  use({ postkit = { inlay = { variables = 'url' } } })
  wait(value_shown, 'the value')
  use(before)
  wait(function() return not value_shown() end, 'the value to go')
end

local function progresses()
  open()
  set('GET {{$exampleServer}}/delay/10')
  local kinds = {}
  local watching = vim.api.nvim_create_autocmd('LspProgress', {
    callback = function(event)
      kinds[#kinds + 1] = event.data.params.value.kind
    end,
  })
  local server, bufnr = client.of(0), vim.api.nvim_get_current_buf()
  local position = { line = 0, character = 0 }
  local _, request = server:request('workspace/executeCommand', {
    command = 'postkit.send',
    arguments = { { uri = vim.uri_from_bufnr(0), position = position } },
  }, nil, bufnr)
  wait(function() return kinds[1] == 'begin' end, 'the progress')
  server:cancel_request(request)
  wait(function() return kinds[#kinds] == 'end' end, 'the end of the progress')
  vim.api.nvim_del_autocmd(watching)
  wait(function()
    local answers = vim.lsp.buf_request_sync(bufnr, 'postkit/history', { limit = 1 }, 5000)
    local _, first = next(answers or {})
    return vim.tbl_get(first or {}, 'result', 'items', 1, 'state') == 'cancelled'
  end, 'the send to be kept as cancelled')
end

local function traces()
  open()
  local log = vim.lsp.log.get_filename()
  local function logged(words)
    return vim.fn.filereadable(log) == 1
      and table.concat(vim.fn.readfile(log), '\n'):find(words, 1, true) ~= nil
  end
  vim.lsp.log.set_level('info')
  local server = client.of(0)
  server:notify('$/setTrace', { value = 'messages' })
  vim.lsp.buf_request_sync(0, 'textDocument/foldingRange', {
    textDocument = { uri = vim.uri_from_bufnr(0) },
  }, 5000)
  wait(function() return logged('textDocument/foldingRange') end, 'the message in ' .. log)
  server:notify('$/setTrace', { value = 'off' })
  vim.lsp.log.set_level('warn')
end

for _, scenario in ipairs({
  { 'N1', 'definition, implementation', leads },
  { 'N21', 'descriptions of APIs', described.knows },
  { 'N2', 'references, highlights', refers },
  { 'N3', 'symbols', names },
  { 'N4', 'call hierarchy', calls },
  { 'N5', 'rename', renames },
  { 'N6', 'signature help', helps },
  { 'N7', 'layout', lays_out },
  { 'N8', 'folding', folds },
  { 'N9', 'semantic tokens', colours.paint },
  { 'N10', 'inlay hints, lenses', hints },
  { 'N11', 'diagnostics', diagnoses },
  { 'N12', 'actions', acts },
  { 'N13', 'links', links },
  { 'N14', 'curl', pastes },
  { 'N15', 'files', moves },
  { 'N20', 'lines that are off', require('switching').toggles },
  { 'N22', 'descriptions', described.compares },
  { 'N23', 'GraphQL', described.queries },
  { 'N16', 'folders', joins },
  { 'N17', 'settings', set_up },
  { 'N18', 'progress', progresses },
  { 'N19', 'trace', traces },
}) do
  support.run(unpack(scenario))
end
vim.cmd('qall!')
