-- Choosing what to send, and what a response is made of. Keys are typed as by a person.
local response = require('postkit.response')
local results = require('postkit.results')
local send = require('postkit.send')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- The line above a window as it is drawn.
local function bar(window)
  local options = { winid = window, use_winbar = true }
  return vim.api.nvim_eval_statusline(vim.wo[window].winbar, options).str
end

-- The tab that is marked as open.
local function open_tab(window)
  local options = { winid = window, use_winbar = true, highlights = true }
  local drawn = vim.api.nvim_eval_statusline(vim.wo[window].winbar, options)
  for index, part in ipairs(drawn.highlights) do
    if part.group == 'PostKitTabOpen' then
      local next = drawn.highlights[index + 1]
      return vim.trim(drawn.str:sub(part.start + 1, next and next.start or -1))
    end
  end
end

local function selects()
  steps.open('several.rest')
  -- What was sent before stays behind its line; a new result is one of this buffer's.
  local before = #steps.replies
  vim.api.nvim_win_set_cursor(0, { 4, 0 })
  support.type('Vj')
  wait(function() return vim.fn.mode() == 'V' end, 'Visual mode')
  support.type(':PostKit send<CR>')
  wait(function() return #steps.replies == before + 1 end, 'one reply')
  same(steps.replies[#steps.replies].status, 404, 'the status of the second request')
  vim.cmd('2,5PostKit send')
  wait(function() return #steps.replies == before + 3 end, 'two more replies')
  same(send.running(), 0, 'the number of sends under way')
  local two = vim.list_slice(steps.replies, before + 2)
  same({ two[1].status, two[2].status }, { 200, 404 }, 'the order')
  wait(function()
    return (steps.behind(1).text or ''):find('^200') and (steps.behind(4).text or ''):find('^404')
  end, 'results behind both lines')
  vim.keymap.set('x', 'gz', '<Plug>(postkit-send)')
  vim.api.nvim_win_set_cursor(0, { 7, 0 })
  support.type('Vgz')
  wait(function() return #steps.replies == before + 4 end, 'a reply to the map')
  same(steps.replies[#steps.replies].status, 200, 'the status of the third request')
  support.notes()
end

local function repeats()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/get?q=')
  steps.send_here()
  vim.cmd('normal! gg')
  local before = #steps.replies
  vim.cmd('PostKit again')
  same(steps.behind(row).state, 'sending', 'the state of the line that was sent last')
  wait(function() return #steps.replies == before + 1 end, 'a reply')
  steps.wait_response('HTTP/1.1 200.*q=hello')
  -- Its buffer is gone, as after a restart: the history has it.
  vim.cmd('silent only!')
  vim.cmd('silent bwipeout!')
  steps.open('several.rest')
  vim.cmd('PostKit again')
  wait(function() return #steps.replies == before + 2 end, 'a reply to what is in the history')
  steps.wait_response('HTTP/1.1 200.*q=hello')
end

-- A request with checks, one of which fails, that is redirected twice and has a body.
local function tested()
  steps.open('requests.http')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, {
    '### tested', 'POST {{$exampleServer}}/anything?of=parts', 'X-Own: yes',
    'Content-Type: application/json', '',
    '{"number": 12345678901234567890}', '', '?? status == 200', '?? body $.method == PUT',
    '', '### redirected', 'GET {{$exampleServer}}/redirect/2',
  })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  return steps.send_here()
end

local function marks_of(bufnr, name)
  local namespace = vim.api.nvim_create_namespace(name)
  return vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })
end

-- The bars of the time: where each begins and how wide it is.
local function bars(bufnr)
  return vim.tbl_map(function(mark)
    local text = mark[4].virt_text
    return { row = mark[2], from = #text[1][1], width = vim.fn.strchars(text[2][1]) }
  end, marks_of(bufnr, 'postkit.parts'))
end

-- Presses a tab with the mouse.
local function click(window, label)
  local place = vim.api.nvim_win_get_position(window)
  local column = place[2] + assert(bar(window):find(label)) - 1
  vim.api.nvim_input_mouse('left', 'press', '', 0, place[1], column)
  vim.api.nvim_input_mouse('left', 'release', '', 0, place[1], column)
end

local function shows_times(window)
  steps.go('GET {{$exampleServer}}/redirect/2')
  steps.send_here()
  steps.wait_response('HTTP/1.1 200.*"url"')
  vim.cmd('PostKit view timings')
  steps.wait_response('redirect 1.*first byte.*since the start')
  local found = bars(vim.api.nvim_win_get_buf(window))
  yes(#found >= 4, 'each step has a bar: ' .. vim.inspect(found))
  same(found[1].from, 0, 'where the first bar begins')
  for index = 2, #found do
    local before = found[index - 1]
    yes(found[index].from >= before.from, 'no step begins before the one above it')
    -- Each end is rounded to a cell.
    local ended = before.from + before.width + 1
    yes(found[index].from <= ended, 'no time is lost between two steps: '
      .. steps.response_text() .. vim.inspect(found))
  end
end

local function steps_through()
  local reply = tested()
  same(reply.tests, { passed = 1, failed = 1 }, 'the tests')
  same(({ steps.drawn(1) })[2], 'PostKitFailed', 'the colour of a request whose test failed')
  yes(steps.drawn(1):find('✗ 1 of 2 tests failed'), 'the tests inline: ' .. steps.drawn(1))
  steps.wait_response('HTTP/1.1 200.*of=parts')
  local window, bench = assert(response.window()), vim.api.nvim_get_current_win()
  same(open_tab(window), 'Response', 'the tab')
  yes(bar(window):find('Body.*Raw.*Headers.*Sent.*Time.*Tests.*History'), 'tabs: ' .. bar(window))
  local seen = {}
  local watch = vim.api.nvim_create_autocmd('BufWinEnter', {
    callback = function(event) seen[#seen + 1] = event.match end,
  })
  vim.cmd('PostKit view SENT')
  steps.wait_response('^# Request as sent.*POST http://127.*X%-Own: yes.*\n'
    .. '{"number": 12345678901234567890}$')
  vim.api.nvim_del_autocmd(watch)
  yes(not table.concat(seen):find('/response/'), 'nothing else was shown: ' .. vim.inspect(seen))
  same(vim.api.nvim_get_current_win(), bench, 'the window of the cursor')
  vim.api.nvim_set_current_win(window)
  same(open_tab(window), 'Sent', 'the tab')
  steps.choose('no such environment')
  vim.cmd('PostKit env')
  wait(function()
    return table.concat(steps.shown):find('dev')
  end, function()
    return 'environments, offered here too: ' .. support.notes()
  end)
  support.notes()
  vim.cmd('PostKit view colours')
  support.told('^PostKit: `colours` is not a part of a response')
  support.type('<Tab>')
  steps.wait_response('first byte')
  same(open_tab(window), 'Time', 'the tab')
  support.type('<Tab>')
  steps.wait_response('^1 of 2 tests failed\n✓ status == 200\n✗ body %$%.method == PUT\n  %S')
  local colours = vim.tbl_map(function(mark)
    return mark[4].hl_group
  end, marks_of(vim.api.nvim_win_get_buf(window), 'postkit.parts'))
  same(colours, { 'PostKitDone', 'PostKitFailed' }, 'the colours of the tests')
  support.type('<Tab>')
  steps.wait_response('Earlier responses of .*of=parts')
  same(open_tab(window), 'History', 'the tab')
  same(response.list_window(), nil, 'a window for lists')
  support.type('<Tab>')
  steps.wait_response('HTTP/1.1 200.*of=parts')
  support.type('<S-Tab>')
  steps.wait_response('Earlier responses of .*of=parts')
  vim.api.nvim_set_current_win(bench)
  vim.cmd.redraw()
  click(window, 'Headers')
  steps.wait_response('^# POST http.*\nHTTP/1.1 200 OK\n.*\nContent%-Length: %d+$')
  same(open_tab(window), 'Headers', 'the tab')
  same(response.window(), window, 'the window')
  vim.api.nvim_set_current_win(window)
  support.help()
  support.type('g?')
  wait(function() return vim.bo.filetype == 'help' end, 'the help')
  vim.cmd('close')
  vim.api.nvim_set_current_win(bench)
  shows_times(window)
end

-- Opens the line to type a path in, types it and waits for what it selects.
local function filter(keys, pattern)
  vim.cmd('PostKit filter')
  wait(function() return vim.fn.mode() == 'i' end, 'Insert mode')
  for _, key in ipairs(vim.fn.split(keys, '\\zs')) do
    support.type(key == '<' and '<lt>' or key)
  end
  steps.wait_response(pattern)
end

local function filters()
  tested()
  steps.wait_response('HTTP/1.1 200.*of=parts')
  local before, bench = steps.response_text(), vim.api.nvim_get_current_win()
  filter('$.json.number', '^12345678901234567890$')
  -- What is no path yet changes nothing and is told; the rest of the response stays.
  support.type('[')
  local told
  wait(function()
    told = marks_of(vim.api.nvim_get_current_buf(), 'postkit.prompt')[1]
    return told
  end, 'a word about half a path')
  same(told[4].virt_text[1][2], 'PostKitFailed', 'its colour')
  yes(vim.startswith(told[4].virt_text[1][1], '  Invalid JSONPath `$'), 'its words: ' .. told[4].virt_text[1][1])
  same(steps.response_text(), '12345678901234567890', 'what is shown')
  support.type('<Esc>')
  wait(function() return vim.fn.mode() == 'n' end, 'Normal mode')
  same(steps.response_text(), before, 'what was there')
  same(vim.api.nvim_get_current_win(), bench, 'the window of the cursor')
  filter('$.args', '^{%s+"of": "parts"%s+}$')
  support.type('<CR>')
  wait(function()
    return vim.api.nvim_get_current_win() == response.window()
  end, 'the cursor in the response')
  steps.wait_response('^{%s+"of": "parts"%s+}$')
  yes(vim.api.nvim_buf_get_name(0):find('select=%$.args$'), 'the document of what is selected')
  -- What was taken is at hand, and what was broken off is not.
  vim.cmd('PostKit filter')
  wait(function() return vim.fn.mode() == 'i' end, 'Insert mode')
  support.type('<C-U>$.json.number')
  steps.wait_response('^12345678901234567890$')
  support.type('<Up>')
  steps.wait_response('^{%s+"of": "parts"%s+}$')
  support.type('<Down>$.json.number')
  steps.wait_response('^12345678901234567890$')
  support.type('<Esc>')
  wait(function() return vim.fn.mode() == 'n' end, 'Normal mode')
  vim.cmd('silent only!')
  steps.open('requests.http')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'GET {{$exampleServer}}/xml' })
  steps.send_here()
  steps.wait_response('HTTP/1.1 200.*<%?xml')
  filter('//title', '^<title>')
  yes(not steps.response_text():find('<?xml', 1, true), 'only what is selected is shown')
  support.type('<Esc>')
  wait(function() return vim.fn.mode() == 'n' end, 'Normal mode')
  vim.cmd('silent only!')
  results.forget(0)
end

return { selects = selects, repeats = repeats, steps_through = steps_through, filters = filters }
