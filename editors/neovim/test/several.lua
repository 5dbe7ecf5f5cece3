-- Sending several requests, and in the environment that was chosen last.
local project = require('project')
local results = require('postkit.results')
local send = require('postkit.send')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- A server that answers each request but that for `/held`, which waits until it is released.
local function holding()
  local server, held = assert(vim.uv.new_tcp()), nil
  local answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
  assert(server:bind('127.0.0.1', 0))
  assert(server:listen(8, function()
    local socket = assert(vim.uv.new_tcp())
    server:accept(socket)
    local all = ''
    socket:read_start(function(_, data)
      all = all .. (data or '')
      if not data then
        socket:close()
      elseif all:find('^GET /held') then
        held = socket
      elseif all:find('\r\n\r\n', 1, true) then
        socket:write(answer)
      end
    end)
  end))
  return 'http://127.0.0.1:' .. server:getsockname().port, function()
    wait(function() return held end, 'the request that is held')
    held:write(answer)
    held = nil
  end, function() server:close() end
end

-- What is drawn behind each request of the buffer.
local function drawn(rows)
  return vim.tbl_map(function(row) return (steps.behind(row).text or '') end, rows)
end

local function wait_drawn(rows, patterns)
  wait(function()
    for index, text in ipairs(drawn(rows)) do
      if not text:find(patterns[index]) then
        return false
      end
    end
    return true
  end, function()
    return vim.inspect(patterns) .. ', it is ' .. vim.inspect(drawn(rows))
  end)
end

-- Each result is there as soon as it comes; what has not begun waits, and goes with a cancel.
local function fills_in()
  local address, release, close = holding()
  project.write('each.http', table.concat({
    '### one', 'GET ' .. address .. '/one', '', '### two', 'GET ' .. address .. '/held', '',
    '### three', 'GET ' .. address .. '/three', '',
  }, '\n'))
  steps.open('each.http')
  local rows = { 1, 4, 7 }
  support.notes()
  vim.cmd('PostKit sendall')
  same(drawn(rows), { 'waiting', 'waiting', 'waiting' }, 'what is drawn at once')
  wait_drawn(rows, { '^200 OK', '^sending… [%d.]+ s$', '^waiting$' })
  same(send.turn(), '2 of 3', 'how far it is')
  yes(vim.endswith(require('postkit').statusline(), ' 2 of 3'), 'the words for a status line')
  yes(vim.b.postkit_bar:find('2 of 3', 1, true), 'above the window: ' .. vim.b.postkit_bar)
  -- What the server tells meanwhile of the lines takes nothing away.
  results.refresh(steps.server(), vim.api.nvim_get_current_buf())
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# above' })
  rows = { 2, 5, 8 }
  release()
  wait_drawn(rows, { '^200 OK', '^200 OK', '^200 OK' })
  support.told('3 ok$')
  vim.cmd('silent undo')
  rows = { 1, 4, 7 }
  vim.cmd('PostKit sendall')
  wait_drawn(rows, { '^200 OK', '^sending… [%d.]+ s$', '^waiting$' })
  steps.go('GET ' .. address .. '/three')
  vim.cmd('PostKit cancel')
  wait_drawn(rows, { '^200 OK', '^cancelled', '^not sent' })
  support.told('1 ok, 1 cancelled, 1 not sent')
  same(send.running(), 0, 'the number of sends under way')
  yes(not vim.b.postkit_bar:find(' of ', 1, true), 'above the window: ' .. vim.b.postkit_bar)
  close()
end

-- What became of each request has the words that the server has for it, which the other editors show
-- as well.
local function says_the_same()
  steps.open('results.http')
  local text = table.concat(vim.fn.readfile(vim.env.POSTKIT_WORK .. '/results.json'))
  local rows = vim.json.decode(text)
  local before = #steps.replies
  vim.cmd('PostKit sendall')
  wait(function() return steps.behind(rows[#rows - 1].line).state == 'sending' end, 'the last')
  vim.cmd('PostKit cancel')
  wait(function() return #steps.replies == before + #rows - 1 end, 'the replies')
  for index, row in ipairs(rows) do
    local said = (steps.replies[before + index] or { summary = 'not sent' }).summary
    wait(function() return vim.startswith(steps.behind(row.line).text or '', said) end,
      function() return ('`%s`, it is %s'):format(said, vim.inspect(steps.behind(row.line))) end)
    yes(vim.regex([[\v]] .. row.words):match_str(steps.behind(row.line).text), 'its words: ' .. said)
    same(steps.behind(row.line).state, row.mood, 'how it is drawn')
  end
end

local function sends_all()
  steps.open('several.rest')
  support.notes()
  vim.cmd('PostKit sendall')
  support.told('2 ok, 1 answered 4xx$')
  wait(function()
    return send.running() == 0 and steps.behind(1).state
  end, 'the replies')
  wait_drawn({ 1, 4, 7 }, { '^200', '^404', '^200' })
  fills_in()
end

-- What is behind a bar is the next command, as it was typed; in a path and a search it is none.
local function bars()
  local postkit = require('postkit')
  local real, seen = postkit.command, {}
  postkit.command = function(words) seen[#seen + 1] = table.concat(words, '·') end
  vim.g.behind = ''
  for _, typed in ipairs({
    "env dev | let g:behind .= 'a  b'", "env dev|let g:behind .= 'c'", "| let g:behind .= 'd'",
    'select $.a | $.b', 'history a|b', [[write a\|b]], 'send |', 'env dev | nosuchcommand',
  }) do
    vim.cmd('PostKit ' .. typed)
  end
  postkit.command = real
  same(seen, { 'env·dev', 'env·dev', '', 'select·$.a·|·$.b', 'history·a|b', 'write·a|b', 'send',
    'env·dev' }, 'the commands')
  same(vim.g.behind, 'a  bcd', 'what is behind the bars')
  support.told('PostKit: E492: Not an editor command: nosuchcommand')
  support.notes()
end

-- What is sent behind a choice or an edit is sent with it, however little time there is between.
local function alternates()
  steps.open('requests.http')
  local row, wrong = steps.go('GET {{$exampleServer}}/get?stage='), {}
  for number = 1, 20 do
    local name, stage = 'dev', 'development'
    if number % 2 == 0 then
      name, stage = 'prod', 'production'
    end
    vim.api.nvim_buf_set_lines(0, row, row + 1, false,
      { ('GET {{$exampleServer}}/get?stage={{stage}}&n=%d'):format(number) })
    local before = #steps.replies
    -- As a map has it, too, where a bar is written without blanks.
    vim.cmd('PostKit env ' .. name .. (number % 4 < 2 and '|' or ' | ') .. 'PostKit send')
    wait(function() return #steps.replies > before end, 'a reply')
    local url = steps.replies[#steps.replies].url
    if not vim.endswith(url, ('stage=%s&n=%d'):format(stage, number)) then
      wrong[#wrong + 1] = name .. ': ' .. url
    end
  end
  same(wrong, {}, 'what was sent otherwise than chosen and typed')
  vim.cmd('silent edit!')
  bars()
  vim.cmd('PostKit env dev')
  support.told('Environment `dev`')
  support.notes()
end

-- To use none is offered once and first; an environment that is called like that is another.
local function offers()
  local path = vim.env.POSTKIT_WORK .. '/http-client.env.json'
  local before = vim.fn.readfile(path)
  vim.fn.writefile({ '{"dev": {"stage": "d"}, "No environment": {"stage": "n"}}' }, path)
  steps.shown = {}
  steps.choose('nothing of this name')
  vim.cmd('PostKit env')
  wait(function() return #steps.shown > 0 end, 'the menu')
  same(vim.tbl_map(function(line) return line:sub(3) end, steps.shown),
    { 'No environment', 'dev', '`No environment`' }, 'what is offered')
  vim.fn.writefile(before, path)
end

local function switches()
  steps.open('requests.http')
  offers()
  steps.choose('prod')
  vim.cmd('PostKit env')
  support.told('Environment `prod` is selected')
  local offered = table.concat(steps.shown, '|')
  yes(offered:find('dev'), 'both are offered: ' .. offered)
  steps.go('GET {{$exampleServer}}/get?stage=')
  steps.send_here()
  steps.wait_response('production')
  vim.cmd('PostKit env dev')
  support.told('Environment `dev` is selected')
  vim.cmd('PostKit env nowhere')
  support.told('^PostKit: Environment `nowhere` not found')
  wait(function() return #steps.diagnostics() == 0 end, 'no diagnostic')
  steps.go('GET {{$exampleServer}}/get?stage=')
  steps.send_here()
  steps.wait_response('development')
  yes(require('postkit').statusline():find('%[dev%]'), 'the status line')
  alternates()
end

return { says_the_same = says_the_same, sends_all = sends_all, switches = switches }
