vim9script
# The scenarios of ../../README.md in this Vim, against the real server.

set nomore cpo&vim ttimeoutlen=1 encoding=utf-8 columns=120 lines=40 completeopt=menuone
execute 'set runtimepath^=' .. expand('<sfile>:p:h:h')
filetype plugin on
syntax on
g:postkit = {command: [$POSTKIT_BIN, 'lsp'], options: {testing: true}}
runtime plugin/postkit.vim
runtime! ftdetect/*.vim

import './support.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/diagnostics.vim'
import autoload '../autoload/postkit/document.vim'
import autoload '../autoload/postkit/response.vim'
import autoload '../autoload/postkit/results.vim'
import autoload '../autoload/postkit/send.vim'

var replies: list<dict<any>> = []
augroup scenarios
  autocmd User PostKitResponse add(replies, copy(g:postkit_response))
augroup END

# Opens a file of the workspace in the only window and waits for the server.
def Open(name: string)
  silent only!
  execute 'silent edit! ' .. $POSTKIT_WORK .. '/' .. name
  support.Wait(() => client.State() == 'running', 'the server')
enddef

# Puts the cursor on the line that holds `text`; answers its number.
def Go(text: string): number
  var lnum = search('\V\^' .. escape(text, '\'), 'cw')
  support.True(lnum > 0, 'there is a line ' .. text)
  return lnum
enddef

# Asks the server and waits for the answer, as only a test may.
def Ask(method: string, params: any): any
  var answer: list<any> = []
  client.Request(method, params, (result, error) => extend(answer, [result, error]))
  support.Wait(() => !empty(answer), 'an answer to ' .. method)
  support.True(answer[1] == null, method .. ' succeeds: ' .. string(answer[1]))
  return answer[0]
enddef

# The server's text of the current buffer must be Vim's.
def InStep(when: string)
  var text = Ask('postkit/debug/text', {textDocument: {uri: document.Uri(bufnr())}}).text
  var ending = {dos: "\r\n", mac: "\r"}->get(&fileformat, "\n")
  var final = &endofline || &fixendofline ? ending : ''
  support.Same(text, join(getline(1, '$'), ending) .. final, 'the text ' .. when)
enddef

# What stands behind a line.
def Behind(lnum: number): dict<any>
  return results.At(bufnr(), lnum)
enddef

def WaitFor(lnum: number, state: string)
  support.Wait(() => get(Behind(lnum), 'state', '') == state,
    printf('`%s` on line %d, it is %s', state, lnum, string(Behind(lnum))))
enddef

def Opens()
  Open('several.rest')
  support.Same(&filetype, 'http', 'the filetype of .rest')
  Open('requests.http')
  support.Same(&filetype, 'http', 'the filetype of .http')
  support.True(document.Attached(bufnr()), 'the buffer is served')
  InStep('after opening')
  support.Same(replies, [], 'what was sent by opening')
  support.True(synIDattr(synID(6, 1, 1), 'name') == 'httpMethod', 'the method is coloured')
  Colours()
enddef

# The whole syntax in one buffer; where a line begins, and what stands there.
def Colours()
  new
  setline(1, ['import ./common.http', '### c', 'curl -X PATCH ''http://x.test''', '### s',
    '{{@request', 'const x = 1', '}}', 'DELETE http://x.test', '', '?? header a contains b',
    '<> old.json', '### g', 'GRAPHQL http://x.test', '', 'query Q($id: ID!) { a }', '### Next',
    'PUT http://x.test'])
  setlocal syntax=http
  for [lnum, column, name] in [[1, 1, 'httpDirective'], [3, 1, 'httpCurlName'],
      [3, 6, 'httpCurlOption'], [3, 16, 'httpCurlText'], [5, 1, 'httpInclude'],
      [8, 1, 'httpMethod'], [10, 1, 'httpAssertion'], [10, 5, 'httpPredicate'],
      [11, 1, 'httpInclude'], [15, 1, 'httpMethod'], [15, 9, 'httpGraphQLName'],
      [17, 1, 'httpMethod']]
    support.Same(synIDattr(synID(lnum, column, 1), 'name'), name,
      printf('the colour of line %d, column %d', lnum, column))
  endfor
  bwipeout!
enddef

# One edit of many kinds; `number` decides which, so that a run can be repeated.
def Scramble(number: number)
  var last = line('$')
  var lnum = number * 7 % last + 1
  var kind = number % 11
  if kind == 0
    setline(lnum, 'X-Scrambled: ' .. number .. ' é🙂')
  elseif kind == 1
    append(lnum, ['', '### ' .. number, 'GET http://localhost/' .. number])
  elseif kind == 2 && last > 6
    deletebufline('%', lnum, min([lnum + 2, last]))
  elseif kind == 3
    cursor(lnum, 1)
    execute "normal! A tail 漢字\<CR>more\<Esc>"
  elseif kind == 4
    execute 'silent! normal! u'
  elseif kind == 5
    execute 'silent! normal! ' .. "\<C-R>"
  elseif kind == 6
    cursor(lnum, 1)
    normal! yyp
  elseif kind == 7
    execute 'silent! :' .. lnum .. 'join'
  elseif kind == 8
    cursor(1, 1)
    normal! O# on top
  elseif kind == 9
    normal! Go# at the end
  else
    silent :%substitute/e/é/e
    execute 'silent :' .. lnum .. 'move 0'
  endif
enddef

def Edits()
  Open('requests.http')
  for number in range(1, 120)
    Scramble(number)
    if number % 4 == 0
      InStep('after edit ' .. number)
    endif
  endfor
  silent :%delete _
  support.Same(Ask('postkit/debug/text', {textDocument: {uri: document.Uri(bufnr())}}).text, '',
    'the text after deleting all')
  setline(1, ['@a = 1', '', 'GET http://localhost/'])
  InStep('after filling the empty buffer')
  setlocal fileformat=dos
  InStep('with other line ends')
  setlocal nofixendofline noendofline
  call setline(3, 'GET http://localhost/é')
  InStep('without a last line end')
  silent write! copy.http
  InStep('after saving')
  edit! requests.http
  InStep('after reloading')
  delete('copy.http')
enddef

def Diagnoses()
  Open('broken.http')
  support.Wait(() => !empty(diagnostics.Of(bufnr())), 'a diagnostic')
  var found = diagnostics.Of(bufnr())[0]
  support.True(found.message =~ 'nothing', 'the sentence names the variable: ' .. found.message)
  var props = prop_list(2, {types: ['PostKitError', 'PostKitWarning']})
  support.Same(len(props), 1, 'the number of underlines')
  support.True(strpart(getline(2), props[0].col - 1, props[0].length) =~ 'nothing',
    'the variable is underlined')
  support.Same(len(sign_getplaced(bufnr(), {group: 'postkit'})[0].signs), 1, 'the number of signs')
  support.Same(getloclist(0)[0].lnum, 2, 'the line in the location list')
  append(0, '@nothing = something')
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'the diagnostic to go')
  support.Same(prop_list(3, {types: ['PostKitError', 'PostKitWarning']}), [], 'the underlines')
  support.Same(getloclist(0), [], 'the location list')
  silent edit!
enddef

# Types keys in Insert mode, waits for the menu, types what `Choose` answers to it and leaves.
def Menu(keys: string, Choose: func): list<string>
  var words: list<string> = []
  var start = reltime()
  timer_start(5, (timer) => {
    words = complete_info(['items']).items->mapnew((_, item) => item.word)
    if !empty(words) || reltimefloat(reltime(start)) > 8
      timer_stop(timer)
      feedkeys(Choose(words) .. "\<Esc>", 't')
    endif
  }, {repeat: -1})
  feedkeys(keys, 'tx!')
  support.True(!empty(words), 'a menu came up')
  return words
enddef

# The keys that accept the first item that fits.
def Accept(words: list<string>, pattern: string): string
  var index = match(words, pattern)
  return index < 0 ? "\<C-E>" : repeat("\<C-N>", index) .. "\<C-Y>"
enddef

def Completes()
  Open('requests.http')
  Go('Accept:')
  var names = Menu("oauthor\<C-X>\<C-O>", (words) => Accept(words, '^Authorization'))
  support.True(match(names, '^Authorization') >= 0, 'the header is offered: ' .. string(names))
  support.True(getline('.') =~# '^Authorization', 'the header is taken: ' .. getline('.'))
  setline('.', '')
  var variables = Menu("SX-Who: {{gr\<C-X>\<C-O>", (words) => Accept(words, 'greeting'))
  support.True(match(variables, 'greeting') >= 0, 'the variable is offered')
  support.True(getline('.') =~# '^X-Who: {{greeting', 'the variable is taken: ' .. getline('.'))
  g:postkit.autocomplete = true
  var typed = Menu('SX-Who: {{', (words) => Accept(words, 'greeting'))
  support.True(match(typed, 'greeting') >= 0, 'the menu opens by itself')
  support.True(getline('.') =~# '^X-Who: {{greeting', 'it is taken too: ' .. getline('.'))
  g:postkit.autocomplete = false
  silent edit!
enddef

def PopupText(): string
  return popup_list()->mapnew((_, id) => getbufline(winbufnr(id), 1, '$')->join("\n"))->join("\n")
enddef

def Hovers()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/get?q=')
  cursor(lnum, match(getline('.'), 'greeting') + 3)
  PostKit hover
  support.Wait(() => PopupText() =~ 'hello', 'the value in a popup, there is ' .. PopupText())
  support.True(PopupText() =~ 'requests.http\|line', 'the origin: ' .. PopupText())
enddef

# Sends what is under the cursor and waits for its reply.
def Send(): dict<any>
  var before = len(replies)
  PostKit send
  support.Wait(() => len(replies) > before, 'a reply')
  return replies[-1]
enddef

def Sends()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/get?q=')
  cursor(lnum - 1, 1)
  var before = len(replies)
  PostKit send
  support.Same(Behind(lnum).state, 'sending', 'the state at once')
  support.Wait(() => len(replies) > before, 'a reply')
  support.Same(replies[-1].state, 'done', 'the state')
  support.Same(replies[-1].status, 200, 'the status')
  support.True(Behind(lnum).text =~# '^200.* \(ms\|s\)\>.* k\?B\>',
    'status, time and size are shown: ' .. Behind(lnum).text)
  support.Same(prop_list(lnum, {types: ['PostKitDone']})[0].type, 'PostKitDone', 'the colour')
  support.Wait(() => !get(Behind(lnum), 'ours', true), 'the words of the server')
  support.True(Behind(lnum).text =~# '^200', 'the words of the server: ' .. Behind(lnum).text)
enddef

def ResponseText(): string
  var window = response.Window()
  return window == 0 ? '' : getbufline(winbufnr(window), 1, '$')->join("\n")
enddef

def Shows()
  Open('requests.http')
  Go('GET {{$exampleServer}}/get?q=')
  var place = [win_getid(), bufnr(), line('.')]
  Send()
  support.Wait(() => ResponseText() =~# 'hello', 'the response')
  support.Same([win_getid(), bufnr(), line('.')], place, 'the cursor')
  support.True(ResponseText() =~# '\%^\(#[^\n]*\n\)*HTTP/1.1 200', 'the status line is first')
  support.True(ResponseText() =~? "\ncontent-type:.*\n\n", 'the headers stand above the body')
  support.Same(getbufvar(winbufnr(response.Window()), '&filetype'), 'httpresponse', 'the filetype')
  var window = response.Window()
  Go('GET {{$exampleServer}}/get?who=')
  Send()
  support.Wait(() => ResponseText() =~# 'zo', 'the second response')
  support.Same(response.Window(), window, 'the window')
  support.Same(winnr('$'), 2, 'the number of windows')
  Go('GET {{$exampleServer}}/get?q=')
  PostKit response
  support.Wait(() => win_getid() == window, 'the cursor in the response')
  support.True(!&modifiable, 'the response is read-only')
  execute 'silent edit ' .. $POSTKIT_WORK .. '/several.rest'
  support.Same(response.Window(), 0, 'a window used for something else')
  silent close
enddef

def Fails()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/status/404')
  Send()
  support.True(Behind(lnum).text =~# '^404', 'the status: ' .. Behind(lnum).text)
  support.Same(prop_list(lnum, {types: ['PostKitFailed']})[0].type, 'PostKitFailed', 'the colour')
  lnum = Go('GET http://127.0.0.1:1/refused')
  var before = execute('messages')
  var reply = Send()
  support.Same(reply.state, 'failed', 'the state')
  support.Same(reply.error.code, 'connection', 'the error')
  support.True(Behind(lnum).text =~# '^failed: .', 'the cause inline: ' .. Behind(lnum).text)
  support.True(support.Messages(before) =~ 'PostKit: .', 'the cause as a message')
enddef

def History(): list<dict<any>>
  return Ask('postkit/history', {limit: 200}).items
enddef

def Refuses()
  Open('broken.http')
  var before = len(History())
  var messages = execute('messages')
  Go('GET')
  PostKit send
  support.Wait(() => get(Behind(2), 'state', '') == 'failed', 'the refusal')
  support.True(Behind(2).text =~# '^not sent: .*nothing', 'the cause: ' .. Behind(2).text)
  support.True(support.Messages(messages) =~ 'line 2: .*nothing',
    'place and cause: ' .. support.Messages(messages))
  support.Same(len(History()), before, 'the number of exchanges')
  support.Same(send.Running(), 0, 'the number of sends under way')
enddef

def Cancels()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/delay/10')
  PostKit send
  WaitFor(lnum, 'sending')
  support.Wait(() => get(Behind(lnum), 'text', '') =~ '[1-9] s', 'the seconds that went by')
  var start = reltime()
  PostKit cancel
  WaitFor(lnum, 'cancelled')
  support.True(reltimefloat(reltime(start)) < 1, 'within a second')
  support.Same(replies[-1].state, 'cancelled', 'the state')
  support.Same(send.Running(), 0, 'the number of sends under way')
enddef

def Switches()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/get?stage=')
  PostKit env
  support.Wait(() => PopupText() =~# 'dev' && PopupText() =~# 'prod', 'the menu')
  var row = match(split(PopupText(), "\n"), 'prod')
  feedkeys(repeat('j', row) .. "\<CR>", 'xt')
  support.Wait(() => execute('messages') =~ 'environment prod', 'the choice')
  Send()
  support.Wait(() => ResponseText() =~# 'production', 'the value of prod in the response')
  PostKit env dev
  support.Wait(() => execute('messages') =~ 'environment dev', 'the other choice')
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'no diagnostic')
  Go('GET {{$exampleServer}}/get?stage=')
  Send()
  support.Wait(() => ResponseText() =~# 'development', 'the value of dev in the response')
  support.True(postkit#command#StatusLine() =~# '\[dev\]', 'the status line')
enddef

def SendsAll()
  Open('several.rest')
  PostKit sendall
  support.Wait(() => Behind(2) != {} && send.Running() == 0, 'the replies')
  for [lnum, status] in [[2, '200'], [5, '404'], [8, '200']]
    support.Wait(() => get(Behind(lnum), 'text', '') =~# '^' .. status,
      printf('%s on line %d, it is %s', status, lnum, string(Behind(lnum))))
  endfor
enddef

def Copies()
  Open('requests.http')
  Go('GET {{$exampleServer}}/get?q=')
  setreg('"', '')
  PostKit curl
  support.Wait(() => getreg('"') != '', 'the register')
  support.True(getreg('"') =~# '^curl .*q=hello', 'the line: ' .. getreg('"'))
enddef

def Remembers()
  Open('requests.http')
  system(join([$POSTKIT_BIN, 'run', $POSTKIT_WORK .. '/several.rest', '--line', '8']))
  support.Same(v:shell_error, 0, 'the exit code of the command line')
  PostKit history
  WaitList('n=3')
  support.True(getline('.') =~# '200 .*GET .*n=3', 'the command line is on top: ' .. getline('.'))
  support.True(search('q=hello', 'nw') > 0, 'an own send is there')
  execute "normal \<CR>"
  support.Wait(() => ResponseText() =~# 'n=3.*HTTP/1.1 200', 'the response')
  support.Same(&filetype, 'httplist', 'where the cursor is')
  # Marks show, whoever makes them.
  Press('m', 'Pin it')
  WaitList('n=3  pinned')
  support.True(getline('.') =~# 'n=3', 'the cursor stays on its line: ' .. getline('.'))
  var id = matchstr(getline('.'), '\S\+$')
  system(join([$POSTKIT_BIN, 'history', 'label', 'odd', id]))
  support.Same(v:shell_error, 0, 'the exit code of label')
  WaitList('n=3  pinned  \[odd\]')
  var before = len(replies)
  normal s
  support.Wait(() => len(replies) > before, 'a reply to what is sent again')
  support.Same(replies[-1].status, 200, 'the status')
  WaitList('n=3  \x[-0-9a-f]*\n[^\n]*n=3  pinned')
  support.True(getline('.') =~# 'pinned', 'the cursor follows its line: ' .. getline('.'))
  cursor(1, 1)
  search('n=3')
  normal c
  support.Wait(() => bufname() =~# '^postkit:/diff/', 'a comparison')
  silent only!
  PostKit history label=odd status=2xx
  WaitList('n=3  pinned')
  normal q
  support.Same(response.ListWindow(), 0, 'the window of the list')
  Open('requests.http')
  PostKit history no\ such=words
  WaitList('no such request')
  normal q
  Open('requests.http')
  Go('GET {{$exampleServer}}/get?q=')
  PostKit timeline
  WaitList('What one request returned.*q=hello')
  normal q
enddef

def ListText(): string
  return &filetype == 'httplist' ? getline(1, '$')->join("\n") : &filetype .. ' in front'
enddef

# Waits for a list with the cursor in it, that has one pattern and not another.
def WaitList(pattern: string, without = '\%$x')
  try
    support.Wait(() => ListText() =~# pattern && ListText() !~# without, pattern)
  catch
    throw v:exception .. ' in the list, it is ' .. ListText()
  endtry
enddef

# Presses a key that opens a menu, and chooses from it.
def Press(key: string, title: string)
  execute 'normal ' .. key
  PickItem(title)
enddef

def PickItem(title: string)
  support.Wait(() => PopupText() =~# title, 'a menu with ' .. title)
  feedkeys(repeat('j', match(split(PopupText(), "\n"), title)) .. "\<CR>", 'xt')
enddef

def Collects()
  Open('requests.http')
  Go('GET {{$exampleServer}}/status/404')
  PostKit save
  PickItem('New collection')
  support.Wait(() => execute('messages') =~ 'Saved `missing`', 'the news')
  PostKit collections
  WaitList('# work/\n#   missing  GET .*/status/404')
  var before = len(replies)
  normal s
  support.Wait(() => len(replies) > before, 'a reply')
  support.Same(replies[-1].status, 404, 'the status of what the list sends')
  support.Wait(() => ResponseText() =~# 'HTTP/1.1 404', 'the response')
  execute "normal \<CR>"
  support.Wait(() => bufname() =~# '/view/requests/' && &buftype == '', 'the stored request')
  support.True(response.ListWindow() > 0, 'the list is still there')
  support.Same(len(client.Folders()), 1, 'the number of folders')
  :%s/status.404/get?q=changed/
  silent write
  Send()
  support.Wait(() => ResponseText() =~# 'q=changed.*HTTP/1.1 200', 'what was saved is sent')
  PostKit collections
  WaitList('q=changed')
  Press('x', 'Delete it')
  WaitList('work/', 'q=changed')
  normal q
enddef

def Transfers()
  Open('requests.http')
  def Told(command: string, pattern: string)
    var before = execute('messages')
    execute command
    support.Wait(() => support.Messages(before) =~ pattern, pattern)
  enddef
  mkdir($POSTKIT_WORK .. '/100%/in', 'p')
  writefile(['### one', 'GET {{$exampleServer}}/get?one'], $POSTKIT_WORK .. '/100%/in/one.http')
  var folder = $POSTKIT_WORK .. '/100%'
  Told('PostKit import ' .. folder, 'imported 1 requests from .*/100%')
  Told('PostKit import ' .. folder, 'Overwrite it')
  Told('PostKit! import ' .. folder, 'imported \d\+ requests')
  var har = $POSTKIT_WORK .. '/out.har'
  Told('PostKit export har ' .. har .. ' hello', 'exported \d\+ exchanges')
  support.True(!empty(json_decode(join(readfile(har), "\n")).log.entries), 'an entry')
  Told('PostKit export har ' .. har, 'exists already')
  Told('PostKit! export har ' .. har, 'exported \d\+ exchanges')
  Told('PostKit export', 'say in which form')
  PostKit collections
  WaitList('100%/\n#   in/\n#     one  GET')
  normal q
enddef

def Lists()
  Open('requests.http')
  PostKit session
  WaitList('environment')
  normal q
  append('$', ['', '### cookie', 'GET {{$exampleServer}}/cookies/set?flavour=plain'])
  Go('GET {{$exampleServer}}/cookies/set')
  Send()
  PostKit cookies
  WaitList('flavour=••••••')
  Press('x', 'Delete the cookie')
  WaitList('no cookies', 'flavour')
  normal q
  silent edit!
enddef

def Acts()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/get?q=')
  var before = len(replies)
  PostKit action
  support.Wait(() => PopupText() =~# 'Send', 'the menu')
  feedkeys(repeat('j', match(split(PopupText(), "\n"), 'Send')) .. "\<CR>", 'xt')
  support.Wait(() => len(replies) > before, 'a reply')
  support.Same(replies[-1].status, 200, 'the status')
  support.True(Behind(lnum).text =~# '^200', 'the result: ' .. Behind(lnum).text)
  setreg('"', '')
  PostKit action
  support.Wait(() => PopupText() =~# 'as curl', 'the menu')
  feedkeys(repeat('j', match(split(PopupText(), "\n"), 'as curl')) .. "\<CR>", 'xt')
  support.Wait(() => getreg('"') =~# '^curl ', 'what is copied in the register')
enddef

def Survives()
  Open('requests.http')
  var lnum = Go('GET {{$exampleServer}}/delay/10')
  PostKit send
  WaitFor(lnum, 'sending')
  var messages = execute('messages')
  system('kill -9 ' .. client.ProcessId())
  support.Wait(() => client.State() == 'stopped', 'the end')
  support.Same(get(Behind(lnum), 'state', ''), 'failed', 'the state of the send')
  support.Same(send.Running(), 0, 'the number of sends under way')
  support.True(support.Messages(messages) =~ 'PostKit start', 'the advice')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server again')
  InStep('after a restart')
  Stop()
  g:postkit.command = ['/nonexistent/postkit', 'lsp']
  messages = execute('messages')
  PostKit send
  support.True(support.Messages(messages) =~ 'cannot find the program', 'the sentence')
  support.True(get(Behind(lnum), 'state', '') != 'sending', 'no sending is left')
  g:postkit.command = [$POSTKIT_BIN, 'lsp']
enddef

def Stop()
  PostKit stop
  support.Wait(() => client.State() == 'stopped', 'the end of the server')
enddef

def Ends()
  Open('requests.http')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server')
  var process = client.ProcessId()
  var before = execute('messages')
  Stop()
  support.True(!isdirectory('/proc/' .. process), 'the process is gone')
  support.True(support.Messages(before) !~ 'ended with', 'a wished end is no trouble')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server, which ends with Vim')
enddef

# What is underlined in the cursor's line.
def Underlined(): list<string>
  return prop_list(line('.'), {types: ['PostKitError', 'PostKitWarning']})->mapnew(
    (_, prop) => strpart(getline('.'), prop.col - 1, prop.length))
enddef

def Columns()
  for encoding in ['utf-16', 'utf-8']
    Stop()
    g:postkit.encodings = [encoding]
    Open('requests.http')
    PostKit start
    support.Wait(() => client.State() == 'running', 'the server')
    support.Same(client.Encoding(), encoding, 'the encoding')
    Go('Accept:')
    Menu("oX-Who: 🙂é {{gr\<C-X>\<C-O>", (words) => Accept(words, 'greeting'))
    support.True(getline('.') =~# '^X-Who: 🙂é {{greeting', encoding .. ': ' .. getline('.'))
    setline('.', 'X-Mark: 🙂é {{nothing}} z')
    support.Wait(() => match(Underlined(), '^{*nothing}*$') >= 0, encoding .. ' underlines')
    Scramble(3)
    InStep('in ' .. encoding)
    silent edit!
  endfor
enddef

support.Run('E1', 'open', Opens)
support.Run('E2', 'edit', Edits)
support.Run('E3', 'diagnose', Diagnoses)
support.Run('E4', 'complete', Completes)
support.Run('E5', 'hover', Hovers)
support.Run('E6', 'send', Sends)
support.Run('E7', 'response view', Shows)
support.Run('E8', 'bad answer', Fails)
support.Run('E9', 'cannot be sent', Refuses)
support.Run('E10', 'cancel', Cancels)
support.Run('E11', 'environment', Switches)
support.Run('E12', 'send all', SendsAll)
support.Run('E13', 'curl', Copies)
support.Run('E14', 'history', Remembers)
support.Run('E15', 'actions', Acts)
support.Run('E16', 'trouble', Survives)
support.Run('E18', 'columns', Columns)
support.Run('E19', 'collections', Collects)
support.Run('E21', 'in and out', Transfers)
support.Run('E20', 'cookies and session values', Lists)
support.Run('E17', 'end', Ends)
qall!
