-- What a person does in the scenarios, and what is seen then.
local client = require('postkit.client')
local response = require('postkit.response')
local results = require('postkit.results')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- `replies` are those of the event, `shown` is what vim.ui.select offered last.
local M = { replies = {}, shown = {} } ---@type {replies: table[], shown: string[]}

vim.api.nvim_create_autocmd('User', {
  pattern = 'PostKitResponse',
  callback = function(event)
    M.replies[#M.replies + 1] = event.data
  end,
})

--- Answers vim.ui.select with the item whose line has a pattern.
function M.choose(pattern)
  vim.ui.select = function(items, options, done)
    M.shown = vim.tbl_map(options.format_item or tostring, items)
    for index, line in ipairs(M.shown) do
      if line:find(pattern) then
        return done(items[index], index)
      end
    end
    done(nil)
  end
end

--- The server of the current buffer.
function M.server()
  return client.of(vim.api.nvim_get_current_buf())
end

--- Opens a file of the workspace in the only window and waits for the server.
function M.open(name)
  vim.cmd('silent only!')
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/' .. name)
  wait(M.server, 'the server')
end

--- Puts the cursor on the line that holds `text`; answers its row, from 0.
function M.go(text)
  local line = vim.fn.search([[\V\^]] .. vim.fn.escape(text, '\\'), 'cw')
  yes(line > 0, 'there is a line ' .. text)
  return line - 1
end

--- Asks the server and waits for the answer, as only a test may.
function M.ask(method, parameters)
  wait(M.server, 'the server')
  local answer
  M.server():request(method, parameters, function(error, result)
    answer = { error = error, result = result }
  end, vim.api.nvim_get_current_buf())
  wait(function() return answer end, 'an answer to ' .. method)
  yes(answer.error == nil, method .. ' succeeds: ' .. vim.inspect(answer.error))
  return answer.result
end

--- The current buffer as the server names it.
function M.document()
  return { uri = vim.uri_from_bufnr(0) }
end

--- The server's text of the current buffer must be Neovim's.
function M.in_step(when)
  local ending = ({ dos = '\r\n', mac = '\r' })[vim.bo.fileformat] or '\n'
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local final = (vim.bo.endofline or vim.bo.fixendofline) and ending or ''
  local text = M.ask('postkit/debug/text', { textDocument = M.document() }).text
  same(text, table.concat(lines, ending) .. final, 'the text ' .. when)
end

--- What is known of a row, empty where nothing is.
function M.behind(row)
  return results.at(vim.api.nvim_get_current_buf(), row) or {}
end

--- Waits until what is behind a row has a state.
function M.wait_for(row, state)
  wait(function()
    return M.behind(row).state == state
  end, function()
    return ('%s on row %d, it is %s'):format(state, row, vim.inspect(M.behind(row)))
  end)
end

--- The virtual text behind a row, and its colour.
function M.drawn(row)
  local namespace = vim.api.nvim_create_namespace('postkit')
  local first, last = { row, 0 }, { row, -1 }
  local marks = vim.api.nvim_buf_get_extmarks(0, namespace, first, last, { details = true })
  same(#marks, 1, 'the number of marks')
  return unpack(marks[1][4].virt_text[1])
end

--- Sends the request under the cursor; answers the reply.
function M.send_here()
  local before = #M.replies
  vim.cmd('PostKit send')
  wait(function() return #M.replies > before end, 'a reply')
  return M.replies[#M.replies]
end

--- The text of the response window, empty without one.
function M.response_text()
  local window = response.window()
  if not window then
    return ''
  end
  local bufnr = vim.api.nvim_win_get_buf(window)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
end

--- Waits until the response has a pattern.
function M.wait_response(pattern)
  wait(function()
    return M.response_text():find(pattern)
  end, function()
    return ('%s in the response, it is %s'):format(pattern, M.response_text())
  end)
end

--- The diagnostics of the current buffer.
function M.diagnostics()
  return vim.diagnostic.get(0)
end

--- The line of the cursor.
function M.line_now()
  return vim.api.nvim_get_current_line()
end

--- Waits for a list with the cursor in it, that has one pattern and not another.
function M.wait_list(pattern, without)
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

--- The process ids of the servers of this Neovim.
function M.processes()
  return vim.api.nvim_get_proc_children(vim.fn.getpid())
end

--- Types keys in Normal mode.
function M.press(key)
  vim.cmd('normal ' .. vim.keycode(key))
end

--- Stops the server; a start that is still on its way, as after :edit!, is awaited first.
function M.stop()
  wait(M.server, 'the server')
  vim.cmd('PostKit stop')
  wait(function()
    return #vim.lsp.get_clients({ name = 'postkit' }) == 0
  end, 'the end of the server')
end

--- One edit of many kinds; `number` decides which, so that a run can be repeated.
function M.scramble(number)
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

--- Types keys in Insert mode, waits for the menu, accepts the first item that fits and leaves.
function M.menu(keys, pattern)
  local words = {}
  local deadline = vim.uv.now() + support.patience
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

return M
