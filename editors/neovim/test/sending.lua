-- Sending, and what comes back.
local buffers = require('postkit.buffers')
local response = require('postkit.response')
local results = require('postkit.results')
local send = require('postkit.send')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- A request that asks; who asks says how the question ends.
local function asks()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, {
    '', '### asks', '# @prompt user Who are you?', 'GET {{$exampleServer}}/get?user={{user}}',
  })
  local row = steps.go('GET {{$exampleServer}}/get?user=')
  local asked
  vim.ui.input = function(options, done)
    asked = options.prompt
    done('bob')
  end
  same(steps.send_here().status, 200, 'the status')
  same(asked, 'Who are you? ', 'the question')
  wait(function() return steps.behind(row).ours == false end, 'the words of the server')
  -- What was not sent is said until something is, although the server has the response before it.
  vim.ui.input = function(_, done) done(nil) end
  vim.cmd('PostKit send')
  wait(function() return send.running() == 0 end, 'the end of the send')
  yes(vim.startswith(steps.drawn(row), 'not sent'), 'behind the line: ' .. steps.drawn(row))
  results.refresh(steps.server(), vim.api.nvim_get_current_buf())
  steps.ask('textDocument/inlayHint', {
    textDocument = steps.document(),
    range = { start = { line = 0, character = 0 }, ['end'] = { line = row + 1, character = 0 } },
  })
  yes(vim.startswith(steps.drawn(row), 'not sent'), 'still behind it: ' .. steps.drawn(row))
  vim.cmd('silent edit!')
end

local function sends()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/get?q=')
  vim.api.nvim_win_set_cursor(0, { row, 0 })
  local before = #steps.replies
  vim.cmd('PostKit send')
  same(steps.behind(row).state, 'sending', 'the state at once')
  wait(function() return #steps.replies > before end, 'a reply')
  same(steps.replies[#steps.replies].state, 'done', 'the state')
  same(steps.replies[#steps.replies].status, 200, 'the status')
  local text, colour = steps.drawn(row)
  yes(text:find('^200.* m?s.* k?B'), 'status, time and size are shown: ' .. text)
  same(colour, 'PostKitDone', 'the colour')
  wait(function() return steps.behind(row).ours == false end, 'the words of the server')
  yes(steps.drawn(row):find('^200'), 'the words of the server: ' .. steps.drawn(row))
  asks()
end

-- The parts of a response take its window, in their own language.
local function shows_parts(window)
  local before = #steps.replies
  local bench = vim.api.nvim_get_current_win()
  vim.cmd('PostKit preview')
  steps.wait_response('^# Preview: nothing has been sent%.\nGET http')
  same(#steps.replies, before, 'the number of replies')
  vim.cmd('PostKit response')
  steps.wait_response('\nHTTP/1.1 200')
  wait(function() return vim.api.nvim_get_current_win() == window end, 'the cursor in the response')
  vim.cmd('PostKit view pretty')
  steps.wait_response('^{')
  same(response.window(), window, 'the window of a part')
  same(vim.bo.filetype, 'json', 'the language of a body')
  vim.fn.search('"q"')
  vim.fn.setreg('"', '')
  vim.cmd('PostKit path')
  wait(function() return vim.fn.getreg('"') ~= '' end, 'the path')
  yes(vim.fn.getreg('"'):find('^%$%..*q$'), 'the path: ' .. vim.fn.getreg('"'))
  vim.cmd('PostKit select ' .. vim.fn.getreg('"'))
  steps.wait_response('^"hello"$')
  local file = vim.env.POSTKIT_WORK .. '/saved.json'
  vim.cmd('PostKit write ' .. file)
  wait(function() return vim.fn.filereadable(file) == 1 end, 'the file')
  yes(table.concat(vim.fn.readfile(file)):find('"hello"'), 'what was saved')
  vim.cmd('PostKit write ' .. file)
  support.told('already exists. Use `:PostKit! write` to overwrite it')
  vim.api.nvim_set_current_win(bench)
  local other = vim.env.POSTKIT_WORK .. '/saved too.json'
  vim.cmd('PostKit write ' .. other)
  wait(function() return vim.fn.filereadable(other) == 1 end, 'the file, from the request')
  vim.cmd('PostKit view timings')
  steps.wait_response('first byte')
  vim.api.nvim_set_current_win(bench)
end

-- What a session had on the screen of ours is there again, as soon as the server is.
local function restores()
  steps.open('requests.http')
  steps.go('GET {{$exampleServer}}/get?q=')
  vim.cmd('PostKit response')
  steps.wait_response('HTTP/1.1 200.*hello')
  vim.cmd('PostKit view sent')
  steps.wait_response('^# Request as sent')
  vim.cmd('PostKit history')
  steps.wait_list('q=hello')
  local file = vim.env.POSTKIT_WORK .. '/session.vim'
  vim.cmd('silent mksession! ' .. file)
  steps.open('requests.http')
  steps.stop()
  vim.cmd('silent %bwipeout!')
  vim.cmd('silent source ' .. file)
  steps.wait_response('^# Request as sent')
  wait(response.list_window, 'the window of the list')
  vim.api.nvim_set_current_win(assert(response.list_window()))
  steps.wait_list('q=hello')
  local windows = #vim.api.nvim_list_wins()
  steps.press('<CR>')
  steps.wait_response('HTTP/1.1 200')
  same(#vim.api.nvim_list_wins(), windows, 'the number of windows')
  vim.cmd('wincmd t')
  vim.cmd('silent only!')
end

-- What is shown for less than a moment leaves nothing that Neovim would complain about.
local function hurries(window)
  local before = vim.api.nvim_win_get_buf(window)
  local id = steps.replies[#steps.replies].id
  local bufnr = buffers.named('postkit:/response/' .. id .. '/raw.json')
  support.notes()
  vim.api.nvim_win_set_buf(window, bufnr)
  buffers.vanish(bufnr)
  buffers.attach(steps.server().id, bufnr)
  response.refresh(steps.server().id, vim.api.nvim_buf_get_name(bufnr))
  vim.api.nvim_win_set_buf(window, before)
  wait(function() return not vim.api.nvim_buf_is_valid(bufnr) end, 'the end of what nobody sees')
  steps.in_step('after an answer for what is gone')
  same(support.notes(), '', 'what is told')
  same(vim.api.nvim_win_get_buf(window), before, 'what is shown')
end

local function shows()
  steps.open('requests.http')
  steps.go('GET {{$exampleServer}}/get?q=')
  local place = { vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }
  steps.send_here()
  steps.wait_response('HTTP/1.1 200.*hello')
  same({ vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }, place, 'the cursor')
  local text = steps.response_text():gsub('^#[^\n]*\n', ''):gsub('^#[^\n]*\n', '')
  yes(text:find('^HTTP/1.1 200'), 'the status line is first: ' .. text)
  text = steps.response_text():lower()
  yes(text:find('\ncontent%-type:.*\n\n'), 'the headers stand above the body')
  local window = assert(response.window())
  same(vim.bo[vim.api.nvim_win_get_buf(window)].filetype, 'httpresponse', 'the filetype')
  steps.go('GET {{$exampleServer}}/get?who=')
  steps.send_here()
  steps.wait_response('zo')
  same(response.window(), window, 'the window')
  same(#vim.api.nvim_list_wins(), 2, 'the number of windows')
  steps.go('GET {{$exampleServer}}/get?q=')
  steps.send_here()
  -- What is shown last comes last; the address of the second has the same word.
  steps.wait_response('^# GET http[^\n]*/get%?q=hello')
  hurries(window)
  shows_parts(window)
  vim.cmd('PostKit response')
  wait(function() return vim.api.nvim_get_current_win() == window end, 'the cursor in the response')
  yes(not vim.bo.modifiable, 'the response is read-only')
  yes(vim.wo.linebreak, 'long lines are broken between words')
  local uri = vim.api.nvim_buf_get_name(0)
  response.refresh(steps.server().id, uri)
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  -- What is closed while its text is on its way has no use for it.
  steps.ask('workspace/textDocumentContent', { uri = uri })
  same(response.window(), nil, 'a window used for something else')
  vim.cmd('silent close')
  restores()
end

-- The last answer of another Neovim, which sets it from there.
local ANSWER = 'postkit_scenario_answer'

-- What another Neovim makes of an expression of Lua, which it comes to once it waits for no key;
-- `nil` where it does.
local function evaluated(other, expression)
  vim.g[ANSWER] = nil
  local code = 'vim.rpcnotify(1, "nvim_set_var", %q, (%s) or false)'
  vim.rpcnotify(other, 'nvim_exec_lua', code:format(ANSWER, expression), {})
  wait(function()
    return vim.g[ANSWER] ~= nil or vim.rpcrequest(other, 'nvim_get_mode').blocking
  end, function() return 'the answer to ' .. expression end)
  return vim.g[ANSWER]
end

-- What Neovim itself shows of what is told takes one line, so that nobody has to press Enter: seen
-- in another one with a small screen, since no prompt comes while a scenario runs.
local function tells_briefly()
  local init = vim.fs.joinpath(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)), 'init.lua')
  local other = vim.fn.jobstart(
    { vim.v.progpath, '--embed', '-u', init, '-n', '-i', 'NONE' }, { rpc = true })
  vim.rpcrequest(other, 'nvim_ui_attach', 80, 24, vim.empty_dict())
  local function tells(name, argument, whole)
    evaluated(other, 'vim.cmd("silent messages clear")')
    evaluated(other, ('require("postkit.config").%s(%q)'):format(name, argument))
    -- It waits for a key when it has told all, which may be after its first answer.
    for _ = 1, 2 do
      yes(evaluated(other, 'true'), 'no key is waited for after: ' .. argument)
    end
    same(vim.trim(evaluated(other, 'vim.fn.execute("messages")')), whole, ':messages')
  end
  local long = ('It listens on no port. '):rep(6) .. 'Start it.'
  for _, name in ipairs({ 'say', 'complain' }) do
    tells(name, 'Short.', 'PostKit: Short.')
    tells(name, long, 'PostKit: ' .. long)
    tells(name, 'One.\nTwo.', 'PostKit: One.\nTwo.')
  end
  vim.fn.writefile({ 'GET http://127.0.0.1:1/refused' }, vim.env.POSTKIT_WORK .. '/brief.http')
  evaluated(other, 'vim.cmd.edit(vim.env.POSTKIT_WORK .. "/brief.http")')
  evaluated(other, 'vim.cmd("silent messages clear | PostKit send")')
  local told
  local function comes(pattern)
    wait(function()
      told = evaluated(other, 'vim.fn.execute("messages")')
      return not told or told:find(pattern)
    end, function() return pattern .. ' in :messages: ' .. told end)
    for _ = 1, 2 do
      yes(evaluated(other, 'true'), 'no key is waited for after: ' .. pattern)
    end
  end
  comes('listens on that port')
  evaluated(other, 'vim.uv.kill(vim.api.nvim_get_proc_children(vim.fn.getpid())[1], "sigkill")')
  comes('restarts with your next request')
  told = evaluated(other, 'vim.fn.execute("messages")')
  yes(not told:find('Client postkit quit', 1, true), 'its end is told once: ' .. told)
  vim.fn.jobstop(other)
end

local function fails()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/status/404')
  steps.send_here()
  local text, colour = steps.drawn(row)
  yes(text:find('^404'), 'the status: ' .. text)
  same(colour, 'PostKitFailed', 'the colour')
  row = steps.go('GET http://127.0.0.1:1/refused')
  support.notes()
  local reply = steps.send_here()
  same(reply.state, 'failed', 'the state')
  same(reply.error.code, 'connection', 'the error')
  yes(steps.drawn(row):find('^failed: .'), 'the cause inline: ' .. steps.drawn(row))
  yes(support.notes():find('PostKit: .'), 'the cause as a message')
  tells_briefly()
end

local function refuses()
  steps.open('broken.http')
  local before = #steps.ask('postkit/history', { limit = 200 }).items
  local row = steps.go('GET')
  -- What the server says of the name stands behind it, and is no result.
  local function hinted()
    results.refresh(steps.server(), vim.api.nvim_get_current_buf())
    local whole = { start = { line = 0, character = 0 }, ['end'] = { line = 9, character = 0 } }
    local hints = steps.ask('textDocument/inlayHint', {
      textDocument = steps.document(), range = whole,
    })
    same(vim.tbl_map(function(hint) return hint.label[1].value end, hints), { ' not defined' },
      'the hints')
  end
  hinted()
  same(steps.behind(row), {}, 'the result before it was sent')
  vim.cmd('PostKit send')
  steps.wait_for(row, 'failed')
  hinted()
  yes(steps.drawn(row):find('^not sent: .*nothing'), 'the cause: ' .. steps.drawn(row))
  local notes = support.notes()
  yes(notes:find('line 2: .*nothing'), 'place and cause: ' .. notes)
  same(#steps.ask('postkit/history', { limit = 200 }).items, before, 'the number of exchanges')
  same(send.running(), 0, 'the number of sends under way')
end

local function cancels()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/delay/10')
  vim.cmd('PostKit send')
  steps.wait_for(row, 'sending')
  wait(function()
    return (steps.behind(row).text or ''):find('[1-9] s')
  end, 'the seconds that went by')
  vim.cmd('PostKit view tests')
  support.told('has not arrived yet')
  local took = {}
  -- Beside an answer that the same server gives at once: how fast the machine is is in both.
  local asked = vim.uv.hrtime()
  steps.in_step('before it is cancelled')
  local most = 1 + 20 * (vim.uv.hrtime() - asked) / 1e9
  -- The least of some counts: a machine may stand still for a moment.
  while #took == 0 or took[#took] >= most and #took < 5 do
    if #took > 0 then
      vim.cmd('PostKit send')
      steps.wait_for(row, 'sending')
    end
    local started = vim.uv.hrtime()
    vim.cmd('PostKit cancel')
    steps.wait_for(row, 'cancelled')
    took[#took + 1] = (vim.uv.hrtime() - started) / 1e9
    same(steps.replies[#steps.replies].state, 'cancelled', 'the state')
    same(send.running(), 0, 'the number of sends under way')
  end
  yes(took[#took] < most, ('within a second: %s of %.3f'):format(vim.inspect(took), most))
  vim.cmd('PostKit cancel')
  support.told('No requests are being sent%.')
end

local function copies()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/get?q=')
  vim.fn.setreg('"', '')
  vim.cmd('PostKit curl')
  wait(function() return vim.fn.getreg('"') ~= '' end, 'the register')
  yes(vim.fn.getreg('"'):find('^curl .*q=hello'), 'the line: ' .. vim.fn.getreg('"'))
  local targets = vim.fn.getcompletion('PostKit copyas p', 'cmdline')
  same(targets, { 'php', 'powershell', 'python' }, 'the targets')
  vim.cmd('PostKit copyas python')
  wait(function() return vim.fn.getreg('"'):find('^import requests') end, 'the program')
  yes(vim.fn.getreg('"'):find('q=hello', 1, true), 'the program: ' .. vim.fn.getreg('"'))
  support.told('Copied as python, %d+ lines')
  for _, case in ipairs({ { '', 'wget', '^wget ' }, { ' reveal', 'python', '^import requests' } }) do
    steps.choose(case[2])
    vim.cmd('PostKit copyas' .. case[1])
    wait(function() return vim.fn.getreg('"'):find(case[3]) end, 'what was chosen' .. case[1])
  end
  -- What does not fit on one line would have Neovim wait for a key.
  local longer = ('&long=é'):rep(60)
  vim.api.nvim_buf_set_text(0, row, -1, row, -1, { longer })
  vim.fn.setreg('"', '')
  support.notes()
  vim.cmd('PostKit curl')
  wait(function() return vim.fn.getreg('"') ~= '' end, 'the register')
  local told = support.notes()
  yes(told:find('^PostKit: Copied: curl.*…$') and vim.api.nvim_strwidth(told) <= vim.v.echospace,
    'one line is told: ' .. told)
  vim.cmd('silent edit!')
end

local function acts()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/get?q=')
  local before = #steps.replies
  steps.choose('Send')
  vim.cmd('PostKit action')
  wait(function() return #steps.replies > before end, 'a reply')
  same(steps.replies[#steps.replies].status, 200, 'the status')
  yes(steps.drawn(row):find('^200'), 'the result: ' .. steps.drawn(row))
end

-- A script asks whether the folder is trusted; what it prints and tests is found without a key.
local function runs_scripts()
  vim.fn.writefile({ '### script', 'GET {{$exampleServer}}/get?script', '', '> {%',
    "console.log('seen ' + response.status)",
    "client.test('good', () => client.assert(response.status === 200))",
    "client.test('bad', () => client.assert(response.status === 404, 'no 404'))", '%}' },
    vim.env.POSTKIT_WORK .. '/scripts.http')
  steps.open('scripts.http')
  local row = steps.go('GET')
  steps.choose('Trust this folder')
  same(steps.send_here().tests, { passed = 1, failed = 1 }, 'the tests')
  wait(function() return steps.drawn(row):find('1 of 2 tests failed') end,
    'the tests behind the line')
  -- Behind each line of the script what it came to, without inlay hints being on.
  local function noted(line)
    local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('postkit.scripts'),
      { line - 1, 0 }, { line - 1, -1 }, { details = true })
    local text = marks[1] and marks[1][4].virt_text[1] or { '', '' }
    return text[1] .. ' ' .. text[2]
  end
  for line, text in pairs({ [5] = '→ seen 200 PostKitSending', [6] = '✓ PostKitDone',
    [7] = '✗ no 404 PostKitFailed' }) do
    wait(function() return noted(line) == text end, function()
      return ('%s behind line %d: %s'):format(text, line, noted(line))
    end)
  end
  vim.api.nvim_buf_set_lines(0, 4, 4, true, { '// edited' })
  wait(function() return noted(8) == '✗ no 404  (before the edit) PostKitSending' end,
    function() return 'an old result: ' .. noted(8) end)
  vim.cmd('undo')
  steps.wait_response('# ✗ bad: .*no 404 %(scripts.http:7%)')
  steps.wait_response('# Output %(1 line%)\n# seen 200')
  vim.cmd('PostKit output')
  local path = vim.fn.fnamemodify(vim.env.POSTKIT_WORK .. '/scripts.http', ':~:.')
  same(vim.api.nvim_buf_get_lines(0, 0, -1, true), { path .. ':5: seen 200' }, 'the output')
  same({ vim.bo.buftype, vim.bo.modifiable }, { 'nofile', false }, 'a list to read')
  vim.cmd('close')
end

return {
  runs_scripts = runs_scripts,
  sends = sends,
  shows = shows,
  fails = fails,
  refuses = refuses,
  cancels = cancels,
  copies = copies,
  acts = acts,
}
