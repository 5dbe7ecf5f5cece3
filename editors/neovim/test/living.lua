-- How the server starts, ends and comes back.
local send = require('postkit.send')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

local function survives()
  steps.open('requests.http')
  local row = steps.go('GET {{$exampleServer}}/delay/10')
  vim.cmd('PostKit send')
  steps.wait_for(row, 'sending')
  local told
  -- What the status says in its float, and whether what it is asked for has the words.
  local function status(pattern)
    vim.cmd('PostKit status')
    wait(function() return vim.bo.filetype == 'postkitfloat' end, 'the status')
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    yes(text:find('Healthy.*Data folder:.*The server is `.* lsp`'), 'the status is whole: ' .. text)
    -- It can be copied, and a key takes it away.
    vim.cmd('normal! ggyG')
    same(vim.fn.getreg('"'), text .. '\n', 'what is copied')
    support.yes(vim.api.nvim_win_get_height(0) >= vim.api.nvim_buf_line_count(0), 'it is seen whole')
    steps.press(pattern:find('running') and 'q' or '<Esc>')
    wait(function() return vim.bo.filetype == 'http' end, 'the end of the float')
    return text:find(pattern)
  end
  local function tells(pattern)
    told = ''
    wait(function()
      told = told .. support.notes()
      return told:find(pattern)
    end, function() return pattern .. ' in ' .. told end)
  end
  -- The server may begin to send later than it is said here.
  wait(function() return status('1 request running') end, 'the send')
  status('Healthy')
  same(support.notes(), '', 'what is told besides')
  vim.cmd('PostKit restart')
  tells('connections are closed.*1 send was ended')
  steps.wait_for(row, 'cancelled')
  vim.cmd('PostKit send')
  steps.wait_for(row, 'sending')
  same(#steps.processes(), 1, 'the number of servers')
  vim.uv.kill(steps.processes()[1], 'sigkill')
  wait(function() return not steps.server() end, 'the end')
  steps.wait_for(row, 'failed')
  same(send.running(), 0, 'the number of sends under way')
  yes(steps.behind(row).text:find('^unknown: .*may have been received$'), steps.behind(row).text)
  tells('restarts with your next request')
  support.wait(function() return #vim.lsp.get_clients({ name = 'postkit' }) == 0 end, 'the end')
  told = told .. support.notes()
  yes(not told:find('Client postkit quit'), 'it is said once: ' .. told)
  vim.cmd('PostKit start')
  wait(steps.server, 'the server again')
  steps.in_step('after a restart')
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  wait(steps.server, 'the server of a file that was open before')
  steps.in_step('in a file that was open before')
  steps.open('requests.http')
  steps.stop()
  local command = vim.lsp.config.postkit.cmd
  vim.lsp.config('postkit', { cmd = { '/nonexistent/postkit', 'lsp' } })
  support.notes()
  vim.cmd('PostKit status')
  vim.cmd('PostKit restart')
  same(#vim.split(support.notes(), '`:PostKit start` in a request file starts it'), 3, 'the advice')
  vim.cmd('PostKit send')
  yes(support.notes():find('is not on your PATH'), 'the sentence')
  yes(steps.behind(row).state ~= 'sending', 'no sending is left')
  vim.cmd('checkhealth postkit')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  yes(health:find('ERROR') and health:find('is not on your PATH'), 'the health: ' .. health)
  vim.cmd('bwipeout!')
  vim.lsp.config('postkit', { cmd = command })
  steps.open('requests.http')
end

local function ends()
  steps.open('requests.http')
  same(#steps.processes(), 1, 'the number of servers')
  steps.stop()
  wait(function() return #steps.processes() == 0 end, 'the end of the process')
  vim.cmd('checkhealth postkit')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  yes(health:find('OK') and not health:find('ERROR'), 'the health: ' .. health)
  vim.cmd('bwipeout!')
  vim.cmd('PostKit start')
  wait(steps.server, 'the server, which ends with Neovim')
end

return {
  survives = survives,
  ends = ends,
}
