-- Header and query lines that are switched off and on.
local project, support = require('project'), require('support')
local open, set, all, wait = project.open, project.set, project.all, support.wait

local function toggles()
  open()
  set('GET http://a\n  ?a=1\n  &b=2\nAccept: text/plain\nX-A: ä\n\nbody')
  local function becomes(first, last, lines)
    wait(function()
      return vim.deep_equal(vim.api.nvim_buf_get_lines(0, first - 1, last, false), lines)
    end, function() return 'the lines in ' .. all() end)
  end
  vim.api.nvim_win_set_cursor(0, { 4, 2 })
  vim.cmd('PostKit toggle')
  becomes(4, 4, { '# Accept: text/plain' })
  vim.cmd('execute "normal \\<Plug>(postkit-toggle)"')
  becomes(4, 4, { 'Accept: text/plain' })
  vim.cmd('4,5PostKit toggle')
  becomes(4, 5, { '# Accept: text/plain', '# X-A: ä' })
  vim.cmd('3PostKit toggle')
  becomes(3, 3, { '  # &b=2' })
  support.notes()
  vim.cmd('7PostKit toggle')
  wait(function() return support.notes():find('No header or query parameter') end, 'why nothing is')
end

return { toggles = toggles }
