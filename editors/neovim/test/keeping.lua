-- What is kept: the history, collections, cookies, files of other tools.
local response = require('postkit.response')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

local function remembers()
  steps.open('requests.http')
  local run = { vim.env.POSTKIT_BIN, 'run', vim.env.POSTKIT_WORK .. '/several.rest', '--line', '8' }
  same(vim.system(run, { timeout = support.patience }):wait().code, 0,
    'the exit code of the command line')
  vim.cmd('PostKit history')
  steps.wait_list('n=3')
  yes(steps.line_now():find('200 .*GET .*n=3'), 'the command line is on top: ' .. steps.line_now())
  yes(vim.fn.search('q=hello', 'nw') > 0, 'an own send is there')
  steps.press('<CR>')
  steps.wait_response('n=3.*HTTP/1.1 200')
  same(vim.bo.filetype, 'httplist', 'where the cursor is')
  -- Marks show, whoever makes them.
  steps.choose('Pin')
  steps.press('m')
  steps.wait_list('n=3  pinned')
  vim.ui.input = function(options, done)
    same(options.prompt, 'Label: ', 'the question')
    done('odd one')
  end
  steps.choose('Label')
  steps.press('m')
  steps.wait_list('n=3  pinned  %[odd one%]')
  local id = steps.line_now():match('%S+$')
  local unpin = { vim.env.POSTKIT_BIN, 'history', 'unpin', id }
  same(vim.system(unpin, { timeout = support.patience }):wait().code, 0, 'the exit code of unpin')
  steps.wait_list('n=3  %[odd one%]')
  local before = #steps.replies
  steps.press('s')
  wait(function() return #steps.replies > before end, 'a reply to what is sent again')
  same(steps.replies[#steps.replies].status, 200, 'the status')
  steps.wait_list('n=3  [%x-]+\n.*n=3  %[odd one%]')
  yes(steps.line_now():find('odd one'), 'the cursor follows its line: ' .. steps.line_now())
  vim.cmd('normal! gg')
  vim.fn.search('n=3')
  steps.press('c')
  wait(function()
    return vim.api.nvim_buf_get_name(0):find('^postkit:/diff/')
  end, 'a comparison')
  vim.cmd('silent only!')
  vim.cmd([[PostKit history label=odd\ one status=2xx]])
  steps.wait_list('n=3  %[odd one%]')
  steps.press('q')
  same(response.list_window(), nil, 'the window of the list')
  vim.cmd('PostKit history colour=red')
  steps.wait_list('No matching requests')
  steps.open('requests.http')
  steps.go('GET {{$exampleServer}}/get?q=')
  vim.cmd('PostKit timeline')
  steps.wait_list('Earlier responses of .*q=hello')
  steps.press('q')
  vim.cmd('enew')
  for _, words in ipairs({ 'timeline', 'diff', 'curl', 'variables', 'preview', 'view tests' }) do
    support.notes()
    vim.cmd('PostKit ' .. words)
    support.told('This buffer has no requests%. Go to')
  end
end

-- The name of the buffer of a stored request, in which the cursor is then.
local function stored()
  local name = vim.api.nvim_buf_get_name(0)
  return name:find('/view/requests/') and vim.bo.buftype == '' and name
end

local function collects()
  steps.open('requests.http')
  steps.go('GET {{$exampleServer}}/status/404')
  steps.choose('New collection')
  vim.cmd('PostKit save')
  wait(function()
    return #steps.ask('postkit/collections', { depth = 1 }).nodes > 0
  end, 'the collection')
  vim.cmd('PostKit collections')
  steps.wait_list('# work/\n#   missing  GET .*/status/404')
  local before = #steps.replies
  steps.press('s')
  wait(function() return #steps.replies > before end, function()
    return ('a reply; told was %s, the cursor is on %s'):format(support.notes(), steps.line_now())
  end)
  same(steps.replies[#steps.replies].status, 404, 'the status of what the list sends')
  steps.wait_response('HTTP/1.1 404')
  steps.press('<CR>')
  wait(stored, 'the stored request')
  yes(response.list_window(), 'the list is still there')
  wait(steps.server, 'the server')
  same(#steps.processes(), 1, 'the number of servers')
  vim.cmd('%s/status.404/get?q=changed/')
  vim.cmd('silent write')
  vim.cmd('PostKit send')
  steps.wait_response('q=changed.*HTTP/1.1 200')
  vim.cmd('wincmd p')
  -- The words of a search can be given at once, and what was sent last comes first.
  vim.cmd('PostKit collections method:get sort:recent')
  steps.wait_list('sent last first%.\n[^\n]*\n#\n# work/missing  GET [^\n]*q=changed')
  support.notes()
  vim.cmd('PostKit collections sort:size')
  support.told('`sort` must be order, name, updated, created or recent')
  vim.cmd('PostKit collections')
  steps.wait_list('q=changed')
  steps.choose('Delete it')
  steps.press('x')
  steps.wait_list('work/', 'q=changed')
  steps.press('q')
end

local function transfers()
  steps.open('requests.http')
  local told = support.told
  vim.fn.mkdir(vim.env.POSTKIT_WORK .. '/100%/in', 'p')
  local file = vim.env.POSTKIT_WORK .. '/100%/in/one.http'
  vim.fn.writefile({ '### one', 'GET {{$exampleServer}}/get?one' }, file)
  local folder = vim.env.POSTKIT_WORK .. '/100%'
  vim.cmd.PostKit({ 'import', folder })
  told('Imported 1 requests from .*/100%%')
  vim.cmd.PostKit({ 'import', folder })
  told('Overwrite it')
  vim.cmd.PostKit({ 'import', folder, bang = true })
  told('Imported %d requests')
  local har = vim.env.POSTKIT_WORK .. '/out.har'
  vim.cmd.PostKit({ 'export', 'har', har, 'hello' })
  told('Exported %d+ exchanges')
  yes(vim.json.decode(table.concat(vim.fn.readfile(har), '\n')).log.entries[1], 'an entry')
  vim.cmd.PostKit({ 'export', 'har', har })
  told('already exists')
  vim.cmd.PostKit({ 'export', 'har', har, bang = true })
  told('Exported %d+ exchanges')
  vim.cmd('PostKit export')
  told('Name the form')
  vim.cmd('PostKit export pdf ' .. har)
  told('Name the form')
  vim.cmd.PostKit({ 'import', '/nonexistent' })
  local refusal = told('/nonexistent')
  yes(not refusal:find('params'), 'no word of the protocol: ' .. refusal)
  vim.cmd('PostKit collections')
  steps.wait_list('100%%/\n#   in/\n#     one  GET')
  steps.press('q')
end

local function lists()
  steps.open('requests.http')
  vim.cmd('PostKit session')
  steps.wait_list('environment')
  steps.press('q')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, {
    '', '### cookie', 'GET {{$exampleServer}}/cookies/set?flavour=plain',
  })
  steps.go('GET {{$exampleServer}}/cookies/set')
  steps.send_here()
  vim.cmd('PostKit cookies')
  steps.wait_list('flavour=••••••')
  same(vim.wo.wrap, false, 'whether lines of a list go on below')
  local head = table.concat(vim.api.nvim_buf_get_lines(0, 0, 3, false), '\n')
  yes(head:find('x: delete one.*f: filter · g%?: more keys') and not head:find('send'),
    'the keys of this list: ' .. head)
  vim.fn.setreg('"', '')
  steps.press('y')
  yes(vim.fn.getreg('"'):find('flavour=••••••'), 'the line: ' .. vim.fn.getreg('"'))
  steps.choose('Delete the cookie')
  steps.press('x')
  steps.wait_list('No cookies yet', 'flavour')
  same(vim.wo.wrap, true, 'whether a sentence in the place of a list goes on below')
  steps.press('q')
  vim.cmd('silent edit!')
end

return {
  remembers = remembers,
  collects = collects,
  transfers = transfers,
  lists = lists,
}
