-- How long the plugin keeps Neovim busy. Figures are processor time, in which other programs that
-- run at the same time don't count; POSTKIT_FIGURES names a file that they are added to.
local project = require('project')
local response = require('postkit.response')
local send = require('postkit.send')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- What the README promises, by what is measured in the same Neovim: how much longer than an answer
-- of one page a long one may hold it up; how much of the time of its own plugins ours may take to
-- load; how much longer typing may hold it up than the numbers of `measure.lua`.
local most_of_page, most_of_loading, most_of_numbers = 3, 0.5, 3
-- How much longer a key may take: measured is 1.3, and short times vary. What is well below that
-- is measured once, else the least of some counts.
local most_per_key, no_doubt_per_key, rounds = 2, 1.4, 4

local function spent()
  local usage = vim.uv.getrusage()
  return (usage.utime.sec + usage.stime.sec) * 1e3 + (usage.utime.usec + usage.stime.usec) / 1e3
end

local function note(name, figures)
  if vim.env.POSTKIT_FIGURES then
    local line = name .. ' ' .. vim.json.encode(figures)
    vim.fn.writefile({ line }, vim.env.POSTKIT_FIGURES, 'a')
  end
end

-- Watches for how long Neovim works without looking at what comes in, until it is called again.
local function watch()
  local longest, last = 0, nil
  local timer = assert(vim.uv.new_timer())
  timer:start(1, 1, function()
    local now = spent()
    longest, last = last and math.max(longest, now - last) or longest, now
  end)
  return function()
    timer:close()
    return longest
  end
end

-- Sends, types all the while, and answers the longest time at once until the response is shown
-- that has a pattern, and how much was typed.
local function stream(text, pattern)
  steps.open('several.rest')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '### large', text, '', '# typed: ' })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  local before, typed = #steps.replies, 0
  local stop = watch()
  vim.cmd('PostKit send')
  vim.api.nvim_win_set_cursor(0, { 4, 0 })
  support.type('A')
  wait(function()
    if #steps.replies == before and typed < 400 then
      typed = typed + 1
      vim.api.nvim_input('x')
    end
    return #steps.replies > before
  end, function() return 'the reply; the line says ' .. steps.behind(1).text end, 60000)
  -- That of the send before is shown until then.
  steps.wait_response(pattern)
  wait(function() return vim.api.nvim_get_current_line() == '# typed: ' .. ('x'):rep(typed) end,
    'what was typed meanwhile')
  support.type('<Esc>')
  wait(function() return vim.fn.mode() == 'n' end, 'Normal mode')
  return stop(), typed
end

-- A server that begins an answer of three million bytes, and ends it when it is told to: a fast
-- machine has a large one whole before anybody looks.
local function holding()
  local server, held = assert(vim.uv.new_tcp()), nil
  assert(server:bind('127.0.0.1', 0))
  assert(server:listen(8, function()
    local socket = assert(vim.uv.new_tcp())
    server:accept(socket)
    socket:read_start(function(_, data)
      if not data then
        socket:close()
      elseif not held then
        held = socket
        socket:write('HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n'
          .. 'Content-Length: 3000000\r\n\r\n' .. ('x'):rep(1000000))
      end
    end)
  end))
  return 'http://127.0.0.1:' .. server:getsockname().port, function()
    held:write(('x'):rep(2000000))
    server:close()
  end
end

-- How much has come stands behind the line while more is to come.
local function tells_how_much()
  local address, release = holding()
  steps.open('several.rest')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '### held', 'GET ' .. address })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  local before = #steps.replies
  vim.cmd('PostKit send')
  wait(function()
    return (steps.behind(1).text or ''):find('^receiving… 200  [%d.]+ k?M?B  [%d.]+ s$')
  end, function() return 'how much has come; the line says ' .. vim.inspect(steps.behind(1)) end)
  release()
  wait(function() return #steps.replies > before end, 'the reply')
  same(steps.replies[#steps.replies].size, 3000000, 'the bytes of the answer')
end

local function streams()
  tells_how_much()
  local page, large, text, typed = math.huge, math.huge, math.huge, 0
  -- The least of some counts: what Neovim always does, it does each time.
  for _ = 1, rounds do
    local one, all, lines
    one = stream('GET {{$exampleServer}}/stream/10000',
      '^# [^\n]*/stream/10000\n.*\nHTTP/1.1 200.*"line":100,')
    all = stream('GET {{$exampleServer}}/bytes/100000000',
      '^# [^\n]*/bytes/100000000\n.*\nHTTP/1.1 200')
    same(steps.replies[#steps.replies].size, 100000000, 'the bytes of the answer')
    same(send.running(), 0, 'the number of sends under way')
    lines, typed = stream('GET {{$exampleServer}}/stream/100000',
      '^# [^\n]*/stream/100000\n.*\nHTTP/1.1 200.*"line":100,')
    page, large, text = math.min(page, one), math.min(large, all), math.min(text, lines)
    if math.max(large, text) < page * most_of_page then
      break
    end
  end
  yes(vim.api.nvim_win_get_buf(assert(response.window())) ~= vim.api.nvim_get_current_buf(),
    'the response is beside the request')
  note('stream', { page = page, bytes = large, text = text, typed = typed })
  local beside = (', an answer of one page %.1f'):format(page)
  yes(large < page * most_of_page, ('100 MB held Neovim up for %.1f ms'):format(large) .. beside)
  yes(text < page * most_of_page, ('a stream held Neovim up for %.1f ms'):format(text) .. beside)
  vim.cmd('silent edit!')
end

-- Runs a Neovim in a terminal of its own until it ends.
local function run(arguments, environment)
  local ended
  local command = vim.list_extend({ vim.v.progpath, '-n', '-i', 'NONE' }, arguments)
  vim.fn.jobstart(command, {
    pty = true, width = 120, height = 40, env = environment,
    on_exit = function(_, code) ended = code end,
  })
  wait(function() return ended end, 'the end of ' .. table.concat(command, ' '), 60000)
  same(ended, 0, 'the code of ' .. table.concat(command, ' '))
end

local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))

-- Milliseconds that loading the plugin takes at the start, and the part it is of what Neovim's own
-- plugins take then; the best of a few.
local function load_time()
  local best, part = math.huge, math.huge
  local init = project.write('start.lua', 'vim.opt.runtimepath:prepend('
    .. vim.inspect(vim.fs.dirname(here)) .. ')')
  for number = 1, 5 do
    local log = ('%s/start%d.log'):format(vim.env.POSTKIT_WORK, number)
    run({ '-u', init, '--startuptime', log, '+qall' })
    local all, others = 0, 0
    for _, line in ipairs(vim.fn.readfile(log)) do
      others = others + (tonumber(line:match(
        '^%S+%s+(%S+)%s+%S+: sourcing .*/runtime/plugin/[^/]+$')) or 0)
      -- Of the columns the second is what a file took with all that it loads.
      local took = line:match('^%S+%s+(%S+)%s+%S+: sourcing .*/plugin/postkit%.lua$')
        or line:match('^%S+%s+%S+%s+(%S+): sourcing .*/ftdetect/postkit%.lua$')
      all = all + (tonumber(took) or 0)
    end
    yes(all > 0, 'the plugin is loaded: ' .. log)
    yes(others > 0, 'the plugins of Neovim are loaded: ' .. log)
    best, part = math.min(best, all), math.min(part, all / others)
  end
  return best, part
end

local function type_time(init, plugin)
  local file = vim.env.POSTKIT_WORK .. '/figures.json'
  vim.fn.delete(file)
  local large = vim.env.POSTKIT_WORK .. '/large.http'
  run({ '-u', init, large, '-S', here .. '/measure.lua' }, {
    POSTKIT_MEASURE = file, POSTKIT_PLUGIN = plugin,
  })
  return vim.json.decode(table.concat(vim.fn.readfile(file)))
end

local function loads_and_types()
  local loading, part = load_time()
  local lines = { '@b = 1' }
  for number = 1, 10000 do
    vim.list_extend(lines, {
      '### r' .. number, 'GET http://localhost/' .. number .. '?a={{b}}',
      'Accept: application/json', '',
    })
  end
  vim.fn.writefile(lines, vim.env.POSTKIT_WORK .. '/large.http')
  local with, without
  for _ = 1, rounds do
    local bare = type_time('NORC', '0')
    local own = type_time(here .. '/init.lua', '1')
    without = without and without.cpu < bare.cpu and without or bare
    if with then
      own.longest = math.min(own.longest, with.longest)
      own.cpu, own.numbers = math.min(own.cpu, with.cpu), math.min(own.numbers, with.numbers)
    end
    with = own
    if with.cpu < without.cpu * no_doubt_per_key
      and with.longest < with.numbers * most_of_numbers then
      break
    end
  end
  note('load', { milliseconds = loading, part = part })
  note('type', { with = with, without = without })
  yes(part < most_of_loading, ('loading takes %.2f ms, %.3f of what the plugins of Neovim take')
    :format(loading, part))
  local key = ('a key takes %.2f ms, without the plugin %.2f'):format(with.cpu, without.cpu)
  yes(with.cpu < without.cpu * most_per_key, key)
  yes(with.longest < with.numbers * most_of_numbers,
    ('typing holds Neovim up for %.1f ms, numbers %.1f'):format(with.longest, with.numbers))
end

return { streams = streams, loads_and_types = loads_and_types }
