-- What is seen before anything is sent: text, diagnostics, completion, hovers.
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

local function opens()
  steps.open('several.rest')
  same(vim.bo.filetype, 'http', 'the filetype of .rest')
  steps.open('requests.http')
  same(vim.bo.filetype, 'http', 'the filetype of .http')
  same(vim.bo.commentstring, '# %s', 'the comment string')
  steps.in_step('after opening')
  same(steps.replies, {}, 'what was sent by opening')
end

local function edits()
  steps.open('requests.http')
  for number = 1, 120 do
    steps.scramble(number)
    if number % 4 == 0 then
      steps.in_step('after edit ' .. number)
    end
  end
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '@a = 1', '', 'GET http://localhost/é' })
  steps.in_step('after replacing all')
  vim.cmd('silent write! copy.http')
  steps.in_step('after saving')
  vim.cmd('silent edit! requests.http')
  steps.in_step('after reloading')
  os.remove('copy.http')
end

local function diagnoses()
  steps.open('broken.http')
  wait(function() return #steps.diagnostics() == 1 end, 'a diagnostic')
  local found = steps.diagnostics()[1]
  yes(found.message:find('nothing'), 'the sentence names the variable: ' .. found.message)
  local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
  local text = line:sub(found.col + 1, found.end_col)
  yes(text:find('nothing'), 'the variable is marked: ' .. text)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '@nothing = something' })
  wait(function() return #steps.diagnostics() == 0 end, 'the diagnostic to go')
  vim.cmd('silent edit!')
end

local function completes()
  steps.open('requests.http')
  steps.go('Accept:')
  local names = steps.menu('oauthor<C-X><C-O>', '^Authorization')
  yes(vim.list_contains(names, 'Authorization'), 'the header is offered: ' .. vim.inspect(names))
  yes(steps.line_now():find('^Authorization'), 'the header is taken: ' .. steps.line_now())
  steps.menu('SX-Who: {{gr<C-X><C-O>', '^greeting')
  yes(steps.line_now():find('^X%-Who: {{greeting'), 'the variable is taken: ' .. steps.line_now())
  vim.lsp.completion.enable(false, steps.server().id, 0)
  vim.lsp.completion.enable(true, steps.server().id, 0, { autotrigger = true })
  steps.menu('SX-Who: {{', '^greeting')
  local line = steps.line_now()
  yes(line:find('^X%-Who: {{greeting'), 'the menu opens by itself: ' .. line)
  vim.lsp.completion.enable(false, steps.server().id, 0)
  vim.lsp.completion.enable(true, steps.server().id, 0)
  vim.cmd('silent edit!')
end

--- Asks about the place of the cursor; answers what the float says once that has `pattern`.
local function hover(pattern)
  vim.cmd('PostKit hover')
  local text = ''
  wait(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local bufnr = vim.api.nvim_win_get_buf(window)
        text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
      end
    end
    return text:find(pattern)
  end, function()
    return pattern .. ' in a float, there is ' .. text
  end)
  return text
end

--- A sign-in: an unknown one is marked, the known ones are offered, and what one is can be asked.
local function names_tokens()
  local folder = vim.env.POSTKIT_WORK .. '/auth'
  vim.fn.mkdir(folder, 'p')
  vim.fn.writefile({ '{"$shared": {"Security": {"Auth": {"shop": {"Type": "OAuth2",',
    '  "Grant Type": "Authorization Code", "Auth URL": "https://id.test/authorize",',
    '  "Token URL": "https://id.test/token", "Client ID": "cli", "Client Secret": "hush"}}}}}' },
    folder .. '/http-client.env.json')
  vim.fn.writefile({ 'GET http://localhost/',
    'Authorization: Bearer {{$auth.token("shpo")}}' }, folder .. '/tokens.http')
  steps.open('auth/tokens.http')
  wait(function() return #steps.diagnostics() == 1 end, 'a diagnostic')
  same(steps.diagnostics()[1].code, 'auth-unknown-id', 'the code of an unknown client')
  steps.go('Authorization')
  steps.menu('SAuthorization: Bearer {{$auth.token("s<C-X><C-O>', '^shop')
  same(steps.line_now(), 'Authorization: Bearer {{$auth.token("shop")}}', 'what is completed')
  wait(function() return #steps.diagnostics() == 0 end, 'the diagnostic to go')
  vim.api.nvim_win_set_cursor(0, { 2, steps.line_now():find('shop') + 1 })
  local text = hover('the next send signs in with a browser')
  yes(text:find('id%.test') and text:find('cli'), 'host and client: ' .. text)
  yes(not text:find('hush'), 'no secret: ' .. text)
  vim.cmd('silent edit!')
  vim.fn.delete(folder, 'rf')
end

local function hovers()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/get?q=')
  vim.api.nvim_win_set_cursor(0, { row + 1, steps.line_now():find('greeting') + 2 })
  local text = hover('hello')
  yes(text:find('requests%.http') or text:find('line'), 'the origin: ' .. text)
  vim.cmd('normal! gg')
  names_tokens()
end

local function columns()
  for _, encoding in ipairs({ 'utf-16', 'utf-8' }) do
    steps.stop()
    vim.lsp.config('postkit', { capabilities = { general = { positionEncodings = { encoding } } } })
    steps.open('requests.http')
    same(steps.server().offset_encoding, encoding, 'the encoding')
    steps.go('Accept:')
    steps.menu('oX-Who: 🙂é {{gr<C-X><C-O>', '^greeting')
    yes(steps.line_now():find('^X%-Who: 🙂é {{greeting'), encoding .. ': ' .. steps.line_now())
    vim.api.nvim_set_current_line('X-Mark: 🙂é {{nothing}} z')
    local row = vim.api.nvim_win_get_cursor(0)[1] - 1
    local marked
    wait(function()
      marked = vim.tbl_map(function(found)
        return (steps.line_now():sub(found.col + 1, found.end_col):gsub('[{}]', ''))
      end, vim.diagnostic.get(0, { lnum = row }))
      return vim.list_contains(marked, 'nothing')
    end, function()
      return encoding .. ' marks ' .. vim.inspect(marked)
    end)
    steps.scramble(3)
    steps.in_step('in ' .. encoding)
    vim.cmd('silent edit!')
  end
end

return {
  opens = opens,
  edits = edits,
  diagnoses = diagnoses,
  completes = completes,
  hovers = hovers,
  columns = columns,
}
