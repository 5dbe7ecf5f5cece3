-- How a response arrives, what its window is called, and what can be done with its body.
local config = require('postkit.config')
local response = require('postkit.response')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- The part that is shown, by the name of its document.
local function part()
  local window = response.window()
  return window and select(2, require('postkit.tabs').of(
    vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))))
end

local function wait_part(name)
  wait(function() return part() == name end, function()
    return ('the part %s, it is %s'):format(name, tostring(part()))
  end)
end

-- How many windows show responses.
local function count()
  return #vim.tbl_filter(function(window)
    local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
    return vim.w[window].postkit_response == true and vim.startswith(name, 'postkit:')
  end, vim.api.nvim_tabpage_list_wins(0))
end

-- What stands below the response window.
local function below()
  local window = assert(response.window())
  return vim.api.nvim_eval_statusline(vim.wo[window].statusline, { winid = window }).str
end

-- What was looked at last of a request is shown of it again, and a low window begins with the body.
local function begins()
  config.set({ view = 'auto' })
  steps.open('several.rest')
  vim.cmd('vertical botright split')
  vim.cmd('close')
  config.set({ split = 'right' })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  steps.send_here()
  wait_part('all')
  yes(vim.startswith(vim.trim(below()), '[first] 200 OK'), 'the name of the view: ' .. below())
  vim.cmd('PostKit view headers')
  wait_part('headers')
  vim.api.nvim_win_set_cursor(0, { 8, 0 })
  steps.send_here()
  wait_part('all')
  yes(below():find('[third] 200 OK', 1, true), 'the name of the next: ' .. below())
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  steps.send_here()
  wait_part('headers')
  vim.cmd('silent only!')
  config.set({ split = 'below' })
  vim.cmd('below split')
  vim.api.nvim_win_set_height(0, 26)
  vim.cmd('wincmd t')
  vim.api.nvim_win_set_cursor(0, { 8, 0 })
  vim.o.lines = 24
  steps.send_here()
  wait_part('pretty')
  vim.o.lines = 40
  vim.cmd('silent only!')
  config.set({ view = 'all', split = 'below' })
end

-- On a small screen a list leaves the requests and the response their rows.
local function shares()
  local lines = vim.o.lines
  vim.o.lines = 24
  steps.open('several.rest')
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  -- As many lines as the list may have rows on a large screen.
  for _ = 1, 9 do
    steps.send_here()
  end
  steps.wait_response('HTTP/1.1 200')
  vim.cmd('PostKit history')
  wait(response.list_window, 'the list')
  local rows = vim.tbl_map(vim.api.nvim_win_get_height,
    { vim.fn.win_getid(1), assert(response.window()), assert(response.list_window()) })
  yes(rows[2] >= 6, 'the response keeps its rows: ' .. vim.inspect(rows))
  yes(rows[1] >= 4 and rows[3] <= 8, 'the others have theirs: ' .. vim.inspect(rows))
  vim.api.nvim_win_close(assert(response.list_window()), true)
  vim.cmd('wincmd t')
  vim.cmd('PostKit variables')
  wait(function() return vim.bo.filetype == 'postkitvariables' end, 'the variables')
  yes(vim.api.nvim_win_get_height(0) <= 8, 'the rows of the variables')
  vim.cmd('close')
  vim.o.lines = lines
  vim.cmd('wincmd t')
  vim.cmd('silent only!')
end

-- Where nothing is sent no response of another request is left beside it.
local function gives_way()
  steps.open('several.rest')
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  steps.send_here()
  steps.wait_response('HTTP/1.1 200')
  vim.api.nvim_buf_set_lines(0, 0, 2, false, { '### first', 'GET {{nosuch}}/' })
  vim.cmd('PostKit send')
  steps.wait_response('^Not sent: `nosuch` is not defined')
  yes(below():find('Not sent', 1, true), 'the name of the view: ' .. below())
  support.notes()
  vim.cmd('silent edit!')
end

-- One window shows responses, also where a list shows the same document.
local function stays_one()
  steps.open('several.rest')
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  local bench = vim.api.nvim_get_current_win()
  steps.send_here()
  wait_part('all')
  vim.cmd('PostKit view history')
  wait_part('history')
  vim.cmd('PostKit timeline')
  wait(function() return response.list_window() == vim.api.nvim_get_current_win() end, 'the list')
  support.type('q')
  wait(function() return not response.list_window() end, 'the end of the list')
  vim.api.nvim_set_current_win(bench)
  steps.send_here()
  wait_part('all')
  same(count(), 1, 'the number of response windows')
end

-- A server that answers each request with a body of a type.
local function answering(type, body)
  local server = assert(vim.uv.new_tcp())
  assert(server:bind('127.0.0.1', 0))
  assert(server:listen(8, function()
    local socket, asked = assert(vim.uv.new_tcp()), ''
    server:accept(socket)
    socket:read_start(function(_, data)
      asked = asked .. (data or '')
      if not data then
        socket:close()
      elseif asked:find('\r\n\r\n', 1, true) then
        asked = ''
        socket:write(('HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n')
          :format(type, #body) .. body)
      end
    end)
  end))
  return 'http://127.0.0.1:' .. server:getsockname().port, function() server:close() end
end

-- Keys lead through the pages of a long body.
local function turns_pages()
  local elements = {}
  for number = 1, 30000 do
    elements[number] = ('{"id": %d, "name": "the element of this number"}'):format(number)
  end
  local address, close = answering('application/json', '[' .. table.concat(elements, ',') .. ']')
  steps.open('several.rest')
  vim.api.nvim_buf_set_lines(0, 0, 2, false, { '### long', 'GET ' .. address })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  steps.send_here()
  steps.wait_response('# Page 1 of %d+%. Keys: %]%] next page, %[%[ previous, gO outline%.\n')
  vim.api.nvim_set_current_win(assert(response.window()))
  support.type(']]')
  steps.wait_response('^# Page 2 of %d+, from %$%[%d+%]')
  support.type('2]]')
  steps.wait_response('^# Page 4 of')
  vim.cmd('PostKit page previous')
  steps.wait_response('^# Page 3 of')
  support.type('9[[')
  steps.wait_response('^# Page 1 of')
  support.notes()
  support.type('[[')
  support.told('This is the first page of %d+')
  close()
  vim.cmd('wincmd t | silent only! | silent edit!')
end

-- A picture opens in the program that the system has for it.
local function opens_elsewhere()
  steps.open('several.rest')
  vim.api.nvim_buf_set_lines(0, 0, 2, false, { '### picture', 'GET {{$exampleServer}}/image' })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  steps.send_here()
  wait_part('all')
  local own, opened = vim.ui.open, nil
  vim.ui.open = function(path)
    opened = path
    return {}
  end
  steps.wait_response('\n# image/png, %d+ bytes%. `gx` opens it, `:PostKit write FILE` saves it%.$')
  vim.api.nvim_set_current_win(assert(response.window()))
  yes(require('postkit.tabs').bar():find('gx: open', 1, true), 'the word above it')
  support.type('gx')
  wait(function() return opened end, 'the picture')
  yes(vim.endswith(opened, '.png'), 'the file: ' .. opened)
  yes(vim.startswith(vim.fn.readblob(opened), '\137PNG'), 'the bytes of the picture')
  vim.ui.open = function() return nil, 'no handler found' end
  support.notes()
  support.type('gx')
  support.told('No program opens this body: no handler found%. Save it with')
  vim.ui.open = own
  vim.cmd('wincmd t | silent only! | silent edit!')
end

-- The cells of a picture: how many rows there are, how many columns, and the colour.
local function cells()
  local window = response.window()
  if not window then
    return 0, 0
  end
  local bufnr = vim.api.nvim_win_get_buf(window)
  local marks = vim.api.nvim_buf_get_extmarks(bufnr,
    vim.api.nvim_create_namespace('postkit.picture'), 0, -1, { details = true })
  local lines = #marks == 1 and marks[1][4].virt_lines or {}
  local colour = #lines > 0 and vim.api.nvim_get_hl(0, { name = lines[1][1][2] }).fg
  return #lines, #lines > 0 and vim.api.nvim_strwidth(lines[1][1][1]) or 0, colour
end

-- Where the terminal can, it gets the bytes of a picture, and draws them on cells of ours.
local function draws()
  local own, told = vim.api.nvim_ui_send, ''
  ---@diagnostic disable-next-line: duplicate-set-field
  vim.api.nvim_ui_send = function(text) told = told .. text end
  config.set({ pictures = true })
  steps.open('several.rest')
  vim.api.nvim_buf_set_lines(0, 0, 2, false, { '### picture', 'GET {{$exampleServer}}/image' })
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  local reply = steps.send_here()
  wait(function() return (cells()) > 0 end, 'the cells of the picture')
  local rows, columns, colour = cells()
  local head = told:match('^\27_G([^;]*);')
  same(head, ('a=T,U=1,f=100,t=d,q=2,i=%d,c=%d,r=%d,m=0'):format(colour, columns, rows), 'the head')
  local bytes = vim.base64.decode(told:gsub('\27_G[^;]*;([^\27]*)\27\\', '%1'))
  yes(vim.startswith(bytes, '\137PNG'), 'the bytes are those of a picture')
  same(#bytes, reply.size, 'how many they are')
  told = ''
  vim.cmd('silent only!')
  wait(function() return told == ('\27_Ga=d,d=I,q=2,i=%d\27\\'):format(colour) end, 'its end')
  config.set({ pictures = false })
  steps.send_here()
  steps.wait_response('# image/png')
  same((cells()), 0, 'the rows where pictures are switched off')
  vim.api.nvim_ui_send = own
  config.set({ pictures = 'auto' })
  vim.cmd('silent only! | silent edit!')
end

local function arrives()
  begins()
  gives_way()
  shares()
  stays_one()
  turns_pages()
  opens_elsewhere()
  draws()
end

return { arrives = arrives }
