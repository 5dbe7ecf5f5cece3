-- The scenarios of ../../README.md in this Neovim, against the real server.
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
local support = dofile(here .. '/support.lua')
local wait, same, yes = support.wait, support.same, support.yes

local client = require('postkit.client')
local response = require('postkit.response')
local results = require('postkit.results')
local send = require('postkit.send')

vim.o.completeopt = 'menuone'
vim.o.columns, vim.o.lines = 120, 40

local replies = {}
vim.api.nvim_create_autocmd('User', {
  pattern = 'PostKitResponse',
  callback = function(event)
    replies[#replies + 1] = event.data
  end,
})

-- Answers vim.ui.select with the item that `pick` finds in the lines shown.
local shown = {} ---@type string[]
local function choose(pattern)
  vim.ui.select = function(items, options, done)
    shown = vim.tbl_map(options.format_item or tostring, items)
    for index, line in ipairs(shown) do
      if line:find(pattern) then
        return done(items[index], index)
      end
    end
    done(nil)
  end
end

local function server()
  return client.of(vim.api.nvim_get_current_buf())
end

-- Opens a file of the workspace in the only window and waits for the server.
local function open(name)
  vim.cmd('silent only!')
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/' .. name)
  wait(server, 'the server')
end

-- Puts the cursor on the line that holds `text`; answers its row, from 0.
local function go(text)
  local line = vim.fn.search([[\V\^]] .. vim.fn.escape(text, '\\'), 'cw')
  yes(line > 0, 'there is a line ' .. text)
  return line - 1
end

-- Asks the server and waits for the answer, as only a test may.
local function ask(method, parameters)
  wait(server, 'the server')
  local answer
  server():request(method, parameters, function(error, result)
    answer = { error = error, result = result }
  end, vim.api.nvim_get_current_buf())
  wait(function() return answer end, 'an answer to ' .. method)
  yes(answer.error == nil, method .. ' succeeds: ' .. vim.inspect(answer.error))
  return answer.result
end

local function document()
  return { uri = vim.uri_from_bufnr(0) }
end

-- The server's text of the current buffer must be Neovim's.
local function in_step(when)
  local ending = ({ dos = '\r\n', mac = '\r' })[vim.bo.fileformat] or '\n'
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local final = (vim.bo.endofline or vim.bo.fixendofline) and ending or ''
  local text = ask('postkit/debug/text', { textDocument = document() }).text
  same(text, table.concat(lines, ending) .. final, 'the text ' .. when)
end

local function behind(row)
  return results.at(vim.api.nvim_get_current_buf(), row) or {}
end

local function wait_for(row, state)
  wait(function()
    return behind(row).state == state
  end, function()
    return ('%s on row %d, it is %s'):format(state, row, vim.inspect(behind(row)))
  end)
end

-- The virtual text behind a row, and its colour.
local function drawn(row)
  local namespace = vim.api.nvim_create_namespace('postkit')
  local first, last = { row, 0 }, { row, -1 }
  local marks = vim.api.nvim_buf_get_extmarks(0, namespace, first, last, { details = true })
  same(#marks, 1, 'the number of marks')
  return unpack(marks[1][4].virt_text[1])
end

local function send_here()
  local before = #replies
  vim.cmd('PostKit send')
  wait(function() return #replies > before end, 'a reply')
  return replies[#replies]
end

local function response_text()
  local window = response.window()
  if not window then
    return ''
  end
  local bufnr = vim.api.nvim_win_get_buf(window)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
end

local function wait_response(pattern)
  wait(function()
    return response_text():find(pattern)
  end, function()
    return ('%s in the response, it is %s'):format(pattern, response_text())
  end)
end

local function opens()
  open('several.rest')
  same(vim.bo.filetype, 'http', 'the filetype of .rest')
  open('requests.http')
  same(vim.bo.filetype, 'http', 'the filetype of .http')
  same(vim.bo.commentstring, '# %s', 'the comment string')
  in_step('after opening')
  same(replies, {}, 'what was sent by opening')
end

-- One edit of many kinds; `number` decides which, so that a run can be repeated.
local function scramble(number)
  local last = vim.api.nvim_buf_line_count(0)
  local line = number * 7 % last + 1
  local kind = number % 10
  if kind == 0 then
    vim.api.nvim_buf_set_lines(0, line - 1, line, false, { 'X-Scrambled: ' .. number .. ' é🙂' })
  elseif kind == 1 then
    local block = { '', '### ' .. number, 'GET http://localhost/' }
    vim.api.nvim_buf_set_lines(0, line, line, false, block)
  elseif kind == 2 and last > 6 then
    vim.api.nvim_buf_set_lines(0, line - 1, math.min(line + 2, last), false, {})
  elseif kind == 3 then
    vim.api.nvim_win_set_cursor(0, { line, 0 })
    vim.api.nvim_feedkeys(vim.keycode('A tail 漢字<CR>more<Esc>'), 'tx', false)
  elseif kind == 4 then
    vim.cmd('silent! normal! u')
  elseif kind == 5 then
    vim.cmd('silent! normal! ' .. vim.keycode('<C-R>'))
  elseif kind == 6 then
    vim.cmd('normal! yyp')
  elseif kind == 7 then
    vim.cmd(('silent! %djoin'):format(line))
  elseif kind == 8 then
    vim.cmd('normal! ggO# on top')
  else
    vim.cmd('silent %substitute/e/é/e')
    vim.cmd(('silent %dmove 0'):format(line))
  end
end

local function edits()
  open('requests.http')
  for number = 1, 120 do
    scramble(number)
    if number % 4 == 0 then
      in_step('after edit ' .. number)
    end
  end
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '@a = 1', '', 'GET http://localhost/é' })
  in_step('after replacing all')
  vim.cmd('silent write! copy.http')
  in_step('after saving')
  vim.cmd('silent edit! requests.http')
  in_step('after reloading')
  os.remove('copy.http')
end

local function diagnostics()
  return vim.diagnostic.get(0)
end

local function diagnoses()
  open('broken.http')
  wait(function() return #diagnostics() == 1 end, 'a diagnostic')
  local found = diagnostics()[1]
  yes(found.message:find('nothing'), 'the sentence names the variable: ' .. found.message)
  local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
  local text = line:sub(found.col + 1, found.end_col)
  yes(text:find('nothing'), 'the variable is marked: ' .. text)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '@nothing = something' })
  wait(function() return #diagnostics() == 0 end, 'the diagnostic to go')
  vim.cmd('silent edit!')
end

-- Types keys in Insert mode, waits for the menu, accepts the first item that fits and leaves.
local function menu(keys, pattern)
  local words = {}
  local deadline = vim.uv.now() + 8000
  local timer = assert(vim.uv.new_timer())
  timer:start(5, 5, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    words = vim.tbl_map(function(item)
      return item.abbr ~= '' and item.abbr or item.word
    end, vim.fn.complete_info({ 'items' }).items)
    if #words == 0 and vim.uv.now() < deadline then
      return
    end
    timer:close()
    local answer = '<C-E>'
    for index, word in ipairs(words) do
      if word:find(pattern) then
        answer = ('<C-N>'):rep(index - 1) .. '<C-Y>'
        break
      end
    end
    vim.api.nvim_feedkeys(vim.keycode(answer .. '<Esc>'), 't', false)
  end))
  vim.api.nvim_feedkeys(vim.keycode(keys), 'tx!', false)
  yes(#words > 0, 'a menu came up for ' .. keys)
  return words
end

local function line_now()
  return vim.api.nvim_get_current_line()
end

local function completes()
  open('requests.http')
  go('Accept:')
  local names = menu('oauthor<C-X><C-O>', '^Authorization')
  yes(vim.list_contains(names, 'Authorization'), 'the header is offered: ' .. vim.inspect(names))
  yes(line_now():find('^Authorization'), 'the header is taken: ' .. line_now())
  menu('SX-Who: {{gr<C-X><C-O>', '^greeting')
  yes(line_now():find('^X%-Who: {{greeting'), 'the variable is taken: ' .. line_now())
  vim.lsp.completion.enable(false, server().id, 0)
  vim.lsp.completion.enable(true, server().id, 0, { autotrigger = true })
  menu('SX-Who: {{', '^greeting')
  yes(line_now():find('^X%-Who: {{greeting'), 'the menu opens by itself: ' .. line_now())
  vim.lsp.completion.enable(false, server().id, 0)
  vim.lsp.completion.enable(true, server().id, 0)
  vim.cmd('silent edit!')
end

local function hovers()
  open('requests.http')
  local row = go('GET {{$exampleServer}}/get?q=')
  vim.api.nvim_win_set_cursor(0, { row + 1, line_now():find('greeting') + 2 })
  vim.cmd('PostKit hover')
  local text = ''
  wait(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local bufnr = vim.api.nvim_win_get_buf(window)
        text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
      end
    end
    return text:find('hello')
  end, 'the value in a float')
  yes(text:find('requests%.http') or text:find('line'), 'the origin: ' .. text)
  vim.cmd('normal! gg')
end

local function sends()
  open('requests.http')
  local row = go('GET {{$exampleServer}}/get?q=')
  vim.api.nvim_win_set_cursor(0, { row, 0 })
  local before = #replies
  vim.cmd('PostKit send')
  same(behind(row).state, 'sending', 'the state at once')
  wait(function() return #replies > before end, 'a reply')
  same(replies[#replies].state, 'done', 'the state')
  same(replies[#replies].status, 200, 'the status')
  local text, colour = drawn(row)
  yes(text:find('^200.* m?s.* k?B'), 'status, time and size are shown: ' .. text)
  same(colour, 'PostKitDone', 'the colour')
  wait(function() return behind(row).ours == false end, 'the words of the server')
  yes(drawn(row):find('^200'), 'the words of the server: ' .. drawn(row))
end

-- The parts of a response take its window, in their own language.
local function shows_parts(window)
  local before = #replies
  local bench = vim.api.nvim_get_current_win()
  vim.cmd('PostKit preview')
  wait_response('^# What would be sent; nothing was%.\nGET http')
  same(#replies, before, 'the number of replies')
  vim.cmd('PostKit response')
  wait_response('\nHTTP/1.1 200')
  wait(function() return vim.api.nvim_get_current_win() == window end, 'the cursor in the response')
  vim.cmd('PostKit view pretty')
  wait_response('^{')
  same(response.window(), window, 'the window of a part')
  same(vim.bo.filetype, 'json', 'the language of a body')
  vim.fn.search('"q"')
  vim.fn.setreg('"', '')
  vim.cmd('PostKit path')
  wait(function() return vim.fn.getreg('"') ~= '' end, 'the path')
  yes(vim.fn.getreg('"'):find('^%$%..*q$'), 'the path: ' .. vim.fn.getreg('"'))
  vim.cmd('PostKit select ' .. vim.fn.getreg('"'))
  wait_response('^"hello"$')
  local file = vim.env.POSTKIT_WORK .. '/saved.json'
  vim.cmd('PostKit write ' .. file)
  wait(function() return vim.fn.filereadable(file) == 1 end, 'the file')
  yes(table.concat(vim.fn.readfile(file)):find('"hello"'), 'what was saved')
  vim.cmd('PostKit view timings')
  wait_response('first byte')
  vim.api.nvim_set_current_win(bench)
end

local function shows()
  open('requests.http')
  go('GET {{$exampleServer}}/get?q=')
  local place = { vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }
  send_here()
  wait_response('hello')
  same({ vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }, place, 'the cursor')
  local text = response_text():gsub('^#[^\n]*\n', ''):gsub('^#[^\n]*\n', '')
  yes(text:find('^HTTP/1.1 200'), 'the status line is first: ' .. text)
  yes(response_text():lower():find('\ncontent%-type:.*\n\n'), 'the headers stand above the body')
  local window = assert(response.window())
  same(vim.bo[vim.api.nvim_win_get_buf(window)].filetype, 'httpresponse', 'the filetype')
  go('GET {{$exampleServer}}/get?who=')
  send_here()
  wait_response('zo')
  same(response.window(), window, 'the window')
  same(#vim.api.nvim_list_wins(), 2, 'the number of windows')
  go('GET {{$exampleServer}}/get?q=')
  send_here()
  wait_response('hello')
  shows_parts(window)
  vim.cmd('PostKit response')
  wait(function() return vim.api.nvim_get_current_win() == window end, 'the cursor in the response')
  yes(not vim.bo.modifiable, 'the response is read-only')
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  same(response.window(), nil, 'a window used for something else')
  vim.cmd('silent close')
end

local function fails()
  open('requests.http')
  local row = go('GET {{$exampleServer}}/status/404')
  send_here()
  local text, colour = drawn(row)
  yes(text:find('^404'), 'the status: ' .. text)
  same(colour, 'PostKitFailed', 'the colour')
  row = go('GET http://127.0.0.1:1/refused')
  support.notes()
  local reply = send_here()
  same(reply.state, 'failed', 'the state')
  same(reply.error.code, 'connection', 'the error')
  yes(drawn(row):find('^failed: .'), 'the cause inline: ' .. drawn(row))
  yes(support.notes():find('PostKit: .'), 'the cause as a message')
end

local function refuses()
  open('broken.http')
  local before = #ask('postkit/history', { limit = 200 }).items
  local row = go('GET')
  vim.cmd('PostKit send')
  wait_for(row, 'failed')
  yes(drawn(row):find('^not sent: .*nothing'), 'the cause: ' .. drawn(row))
  local notes = support.notes()
  yes(notes:find('line 2: .*nothing'), 'place and cause: ' .. notes)
  same(#ask('postkit/history', { limit = 200 }).items, before, 'the number of exchanges')
  same(send.running(), 0, 'the number of sends under way')
end

local function cancels()
  open('requests.http')
  local row = go('GET {{$exampleServer}}/delay/10')
  vim.cmd('PostKit send')
  wait_for(row, 'sending')
  wait(function()
    return (behind(row).text or ''):find('[1-9] s')
  end, 'the seconds that went by')
  local started = vim.uv.hrtime()
  vim.cmd('PostKit cancel')
  wait_for(row, 'cancelled')
  yes(vim.uv.hrtime() - started < 1e9, 'within a second')
  same(replies[#replies].state, 'cancelled', 'the state')
  same(send.running(), 0, 'the number of sends under way')
end

local function switches()
  open('requests.http')
  choose('prod')
  vim.cmd('PostKit env')
  local told = ''
  local function wait_told(words)
    wait(function()
      told = told .. support.notes()
      return told:find(words)
    end, words)
  end
  wait_told('environment prod')
  yes(table.concat(shown, '|'):find('dev'), 'both are offered: ' .. table.concat(shown, '|'))
  go('GET {{$exampleServer}}/get?stage=')
  send_here()
  wait_response('production')
  vim.cmd('PostKit env dev')
  wait_told('environment dev')
  wait(function() return #diagnostics() == 0 end, 'no diagnostic')
  go('GET {{$exampleServer}}/get?stage=')
  send_here()
  wait_response('development')
  yes(require('postkit').statusline():find('%[dev%]'), 'the status line')
end

local function sends_all()
  open('several.rest')
  vim.cmd('PostKit sendall')
  wait(function()
    return send.running() == 0 and behind(1).state
  end, 'the replies')
  for row, status in pairs({ [1] = '200', [4] = '404', [7] = '200' }) do
    wait(function()
      return (behind(row).text or ''):find('^' .. status)
    end, function()
      return ('%s on row %d, it is %s'):format(status, row, vim.inspect(behind(row)))
    end)
  end
end

-- Waits for a list with the cursor in it, that has one pattern and not another.
local function wait_list(pattern, without)
  local function text()
    if vim.bo.filetype ~= 'httplist' then
      return vim.bo.filetype .. ' in front'
    end
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  end
  wait(function()
    return vim.bo.filetype == 'httplist' and text():find(pattern)
      and not (without and text():find(without))
  end, function()
    return ('%s in the list, it is %s'):format(pattern, text())
  end)
end

-- The process ids of the servers of this Neovim.
local function processes()
  return vim.api.nvim_get_proc_children(vim.fn.getpid())
end

local function press(key)
  vim.cmd('normal ' .. vim.keycode(key))
end

local function copies()
  open('requests.http')
  go('GET {{$exampleServer}}/get?q=')
  vim.fn.setreg('"', '')
  vim.cmd('PostKit curl')
  wait(function() return vim.fn.getreg('"') ~= '' end, 'the register')
  yes(vim.fn.getreg('"'):find('^curl .*q=hello'), 'the line: ' .. vim.fn.getreg('"'))
end

local function remembers()
  open('requests.http')
  local run = { vim.env.POSTKIT_BIN, 'run', vim.env.POSTKIT_WORK .. '/several.rest', '--line', '8' }
  same(vim.system(run, { timeout = 10000 }):wait().code, 0, 'the exit code of the command line')
  vim.cmd('PostKit history')
  wait_list('n=3')
  yes(line_now():find('200 .*GET .*n=3'), 'the command line is on top: ' .. line_now())
  yes(vim.fn.search('q=hello', 'nw') > 0, 'an own send is there')
  press('<CR>')
  wait_response('n=3.*HTTP/1.1 200')
  same(vim.bo.filetype, 'httplist', 'where the cursor is')
  -- Marks show, whoever makes them.
  choose('Pin')
  press('m')
  wait_list('n=3  pinned')
  vim.ui.input = function(options, done)
    same(options.prompt, 'Label: ', 'the question')
    done('odd one')
  end
  choose('Label')
  press('m')
  wait_list('n=3  pinned  %[odd one%]')
  local id = line_now():match('%S+$')
  local unpin = { vim.env.POSTKIT_BIN, 'history', 'unpin', id }
  same(vim.system(unpin, { timeout = 10000 }):wait().code, 0, 'the exit code of unpin')
  wait_list('n=3  %[odd one%]')
  local before = #replies
  press('s')
  wait(function() return #replies > before end, 'a reply to what is sent again')
  same(replies[#replies].status, 200, 'the status')
  wait_list('n=3  [%x-]+\n.*n=3  %[odd one%]')
  yes(line_now():find('odd one'), 'the cursor follows its line: ' .. line_now())
  vim.cmd('normal! gg')
  vim.fn.search('n=3')
  press('c')
  wait(function()
    return vim.api.nvim_buf_get_name(0):find('^postkit:/diff/')
  end, 'a comparison')
  vim.cmd('silent only!')
  vim.cmd([[PostKit history label=odd\ one status=2xx]])
  wait_list('n=3  %[odd one%]')
  press('q')
  same(response.list_window(), nil, 'the window of the list')
  vim.cmd('PostKit history colour=red')
  wait_list('no such request')
  open('requests.http')
  go('GET {{$exampleServer}}/get?q=')
  vim.cmd('PostKit timeline')
  wait_list('What one request returned.*q=hello')
  press('q')
end

-- The name of the buffer of a stored request, in which the cursor is then.
local function stored()
  local name = vim.api.nvim_buf_get_name(0)
  return name:find('/view/requests/') and vim.bo.buftype == '' and name
end

local function collects()
  open('requests.http')
  go('GET {{$exampleServer}}/status/404')
  choose('New collection')
  vim.cmd('PostKit save')
  wait(function()
    return #ask('postkit/collections', { depth = 1 }).nodes > 0
  end, 'the collection')
  vim.cmd('PostKit collections')
  wait_list('# work/\n#   missing  GET .*/status/404')
  local before = #replies
  press('s')
  wait(function() return #replies > before end, 'a reply')
  same(replies[#replies].status, 404, 'the status of what the list sends')
  wait_response('HTTP/1.1 404')
  press('<CR>')
  wait(stored, 'the stored request')
  yes(response.list_window(), 'the list is still there')
  wait(server, 'the server')
  same(#processes(), 1, 'the number of servers')
  vim.cmd('%s/status.404/get?q=changed/')
  vim.cmd('silent write')
  vim.cmd('PostKit send')
  wait_response('q=changed.*HTTP/1.1 200')
  vim.cmd('wincmd p')
  vim.cmd('PostKit collections')
  wait_list('q=changed')
  choose('Delete it')
  press('x')
  wait_list('work/', 'q=changed')
  press('q')
end

local function transfers()
  open('requests.http')
  local told = function(pattern)
    local all = ''
    wait(function()
      all = all .. support.notes()
      return all:find(pattern)
    end, function() return pattern .. ' in ' .. all end)
  end
  vim.fn.mkdir(vim.env.POSTKIT_WORK .. '/100%/in', 'p')
  local file = vim.env.POSTKIT_WORK .. '/100%/in/one.http'
  vim.fn.writefile({ '### one', 'GET {{$exampleServer}}/get?one' }, file)
  local folder = vim.env.POSTKIT_WORK .. '/100%'
  vim.cmd.PostKit({ 'import', folder })
  told('imported 1 requests from .*/100%%')
  vim.cmd.PostKit({ 'import', folder })
  told('Overwrite it')
  vim.cmd.PostKit({ 'import', folder, bang = true })
  told('imported %d requests')
  local har = vim.env.POSTKIT_WORK .. '/out.har'
  vim.cmd.PostKit({ 'export', 'har', har, 'hello' })
  told('exported %d+ exchanges')
  yes(vim.json.decode(table.concat(vim.fn.readfile(har), '\n')).log.entries[1], 'an entry')
  vim.cmd.PostKit({ 'export', 'har', har })
  told('exists already')
  vim.cmd.PostKit({ 'export', 'har', har, bang = true })
  told('exported %d+ exchanges')
  vim.cmd('PostKit export')
  told('say in which form')
  vim.cmd('PostKit collections')
  wait_list('100%%/\n#   in/\n#     one  GET')
  press('q')
end

local function lists()
  open('requests.http')
  vim.cmd('PostKit session')
  wait_list('environment')
  press('q')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, {
    '', '### cookie', 'GET {{$exampleServer}}/cookies/set?flavour=plain',
  })
  go('GET {{$exampleServer}}/cookies/set')
  send_here()
  vim.cmd('PostKit cookies')
  wait_list('flavour=••••••')
  choose('Delete the cookie')
  press('x')
  wait_list('no cookies', 'flavour')
  press('q')
  vim.cmd('silent edit!')
end

local function acts()
  open('requests.http')
  local row = go('GET {{$exampleServer}}/get?q=')
  local before = #replies
  choose('Send')
  vim.cmd('PostKit action')
  wait(function() return #replies > before end, 'a reply')
  same(replies[#replies].status, 200, 'the status')
  yes(drawn(row):find('^200'), 'the result: ' .. drawn(row))
end

-- Stops the server; a start that is still on its way, as after :edit!, is awaited first.
local function stop()
  wait(server, 'the server')
  vim.cmd('PostKit stop')
  wait(function()
    return #vim.lsp.get_clients({ name = 'postkit' }) == 0
  end, 'the end of the server')
end

local function survives()
  open('requests.http')
  local row = go('GET {{$exampleServer}}/delay/10')
  vim.cmd('PostKit send')
  wait_for(row, 'sending')
  same(#processes(), 1, 'the number of servers')
  vim.uv.kill(processes()[1], 'sigkill')
  wait(function() return not server() end, 'the end')
  wait_for(row, 'failed')
  same(send.running(), 0, 'the number of sends under way')
  yes(support.notes():find('PostKit start'), 'the advice')
  vim.cmd('PostKit start')
  wait(server, 'the server again')
  in_step('after a restart')
  stop()
  local command = vim.lsp.config.postkit.cmd
  vim.lsp.config('postkit', { cmd = { '/nonexistent/postkit', 'lsp' } })
  support.notes()
  vim.cmd('PostKit send')
  yes(support.notes():find('cannot find the program'), 'the sentence')
  yes(behind(row).state ~= 'sending', 'no sending is left')
  vim.cmd('checkhealth postkit')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  yes(health:find('ERROR') and health:find('cannot find the program'), 'the health: ' .. health)
  vim.cmd('bwipeout!')
  vim.lsp.config('postkit', { cmd = command })
  open('requests.http')
end

local function columns()
  for _, encoding in ipairs({ 'utf-16', 'utf-8' }) do
    stop()
    vim.lsp.config('postkit', { capabilities = { general = { positionEncodings = { encoding } } } })
    open('requests.http')
    same(server().offset_encoding, encoding, 'the encoding')
    go('Accept:')
    menu('oX-Who: 🙂é {{gr<C-X><C-O>', '^greeting')
    yes(line_now():find('^X%-Who: 🙂é {{greeting'), encoding .. ': ' .. line_now())
    vim.api.nvim_set_current_line('X-Mark: 🙂é {{nothing}} z')
    local row = vim.api.nvim_win_get_cursor(0)[1] - 1
    local marked
    wait(function()
      marked = vim.tbl_map(function(found)
        return (line_now():sub(found.col + 1, found.end_col):gsub('[{}]', ''))
      end, vim.diagnostic.get(0, { lnum = row }))
      return vim.list_contains(marked, 'nothing')
    end, function()
      return encoding .. ' marks ' .. vim.inspect(marked)
    end)
    scramble(3)
    in_step('in ' .. encoding)
    vim.cmd('silent edit!')
  end
end

local function ends()
  open('requests.http')
  same(#processes(), 1, 'the number of servers')
  stop()
  wait(function() return #processes() == 0 end, 'the end of the process')
  vim.cmd('checkhealth postkit')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  yes(health:find('OK') and not health:find('ERROR'), 'the health: ' .. health)
  vim.cmd('bwipeout!')
  vim.cmd('PostKit start')
  wait(server, 'the server, which ends with Neovim')
end

for _, scenario in ipairs({
  { 'E1', 'open', opens },
  { 'E2', 'edit', edits },
  { 'E3', 'diagnose', diagnoses },
  { 'E4', 'complete', completes },
  { 'E5', 'hover', hovers },
  { 'E6', 'send', sends },
  { 'E7', 'response view', shows },
  { 'E8', 'bad answer', fails },
  { 'E9', 'cannot be sent', refuses },
  { 'E10', 'cancel', cancels },
  { 'E11', 'environment', switches },
  { 'E12', 'send all', sends_all },
  { 'E13', 'curl', copies },
  { 'E14', 'history', remembers },
  { 'E15', 'actions', acts },
  { 'E16', 'trouble', survives },
  { 'E18', 'columns', columns },
  { 'E19', 'collections', collects },
  { 'E21', 'in and out', transfers },
  { 'E20', 'cookies and session values', lists },
  { 'E17', 'end', ends },
}) do
  support.run(unpack(scenario))
end
vim.cmd('qall!')
