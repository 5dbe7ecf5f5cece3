vim9script
# The response window and what can be done in it.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/response.vim'

def Shows()
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/get?q=')
  var place = [win_getid(), bufnr(), line('.')]
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'HTTP/1.1 .*hello', 'the response')
  support.Same([win_getid(), bufnr(), line('.')], place, 'the cursor')
  support.True(work.ResponseText() =~# '\%^\(#[^\n]*\n\)*HTTP/1.1 200', 'the status line is first')
  support.True(work.ResponseText() =~? "\ncontent-type:.*\n\n", 'the headers stand above the body')
  support.Same(getbufvar(winbufnr(response.Window()), '&filetype'), 'httpresponse', 'the filetype')
  var window = response.Window()
  work.Go('GET {{$exampleServer}}/get?who=')
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'zo', 'the second response')
  support.Same(response.Window(), window, 'the window')
  support.Same(winnr('$'), 2, 'the number of windows')
  work.Go('GET {{$exampleServer}}/get?q=')
  PostKit response
  support.Wait(() => win_getid() == window, 'the cursor in the response')
  support.True(!&modifiable, 'the response is read-only')
  execute 'silent edit ' .. $POSTKIT_WORK .. '/several.rest'
  support.Same(response.Window(), 0, 'a window used for something else')
  silent close
enddef

# The names in the bar below the response; the one that is shown stands in brackets.
def Bar(): string
  if getwinvar(response.Window(), '&statusline') !~# 'postkit#parts#Bar'
    return ''
  endif
  g:statusline_winid = response.Window()
  var text = postkit#parts#Bar()
  unlet g:statusline_winid
  return text->substitute('%#PostKitTabShown# \(\a\+\) ', '[\1] ', '')
    ->substitute('%#\a\+#\|%\*', '', 'g')
enddef

def Sees(tab: string, pattern: string)
  support.Wait(() => Bar() =~# '\[' .. tab .. '\]' && work.ResponseText() =~# pattern,
    printf('%s in %s, it is %s: %s', pattern, tab, Bar(), work.ResponseText()))
enddef

def Steps()
  work.Make('parts.http', ['# @name parts', 'POST {{$exampleServer}}/anything',
    'Content-Type: application/json', 'Authorization: Bearer sesame', 'X-A: é', '',
    '{"b": [1, 2]}', '', '?? status == 200',
    '?? status == 201'])
  cursor(2, 1)
  work.Send()
  support.True(work.Behind(2).text =~# '✗ 1 of 2 tests failed', 'the checks inline: ' .. work.Behind(2).text)
  support.Same(work.Behind(2).state, 'failed', 'the state')
  Sees('All', 'HTTP/1.1 200')
  win_gotoid(response.Window())
  work.Type("\<Tab>")
  Sees('Body', '\%^{\n  "method": "POST"')
  support.Same(getbufvar(bufnr(), '&syntax'), 'json', 'the colours of the body')
  # Two steps at once, faster than the server answers.
  work.Type("\<Tab>\<Tab>")
  Sees('Headers', 'Content-Type: application/json')
  work.Type("\<Tab>")
  Sees('Sent', 'POST http://.*X-A: é.*{"b": \[1, 2\]}')
  support.True(work.ResponseText() !~# 'sesame', 'the secret is masked')
  # What can be done is done with the exchange, whichever part of it is shown.
  PostKit action
  support.Wait(() => work.PopupText() =~# 'Send again', 'the actions of what was sent')
  feedkeys("\<Esc>", 'xt')
  support.Wait(() => work.PopupText() == '', 'no menu')
  work.Type("\<Tab>")
  Sees('Time', 'first byte')
  var bars = prop_list(1, {end_lnum: -1, types: ['PostKitBar']})
  support.True(!empty(bars), 'a waterfall')
  support.Same(mapnew(bars, (_, bar) => getline(bar.lnum) =~# 'since the start$'),
    repeat([true], count(getline(1, '$')->mapnew((_, line) => line =~# 'since the start$'), true)),
    'a bar for each step')
  redraw
  # A silent Vim draws nothing.
  for bar in screenstring(1, 1) == '' ? [] : bars
    # Virtual text is in no line; what is drawn of it tells whether there was room.
    var [row, column] = [win_screenpos(0)[0] + bar.lnum - 1, win_screenpos(0)[1]]
    var drawn = range(winwidth(0))->mapnew((_, at) => screenstring(row, column + at))->join('')
    support.True(drawn =~# '█\+ *$', 'a bar that is whole: ' .. drawn)
  endfor
  work.Type("\<Tab>")
  Sees('Tests', '^1 of 2 tests failed\n✓ status == 200\n✗ status == 201\n  The value is `200`')
  support.Same(prop_list(1, {end_lnum: -1})->mapnew((_, prop) => [prop.lnum, prop.type]),
    [[2, 'PostKitDone'], [3, 'PostKitFailed']], 'the colours of the tests')
  work.Type("\<Tab>")
  Sees('History', 'Earlier responses.*POST /')
  support.Same(response.Window(), win_getid(), 'the window')
  work.Type("\<Tab>")
  Sees('All', 'HTTP/1.1 200')
  work.Type("\<S-Tab>\<S-Tab>")
  Sees('Tests', '✓')
  work.Type('q')
  support.Same(response.Window(), 0, 'the window that was closed')
  PostKit view raw
  Sees('Raw', '"method"')
  # The words of the bar and those of the protocol mean the same.
  PostKit view Time
  Sees('Time', 'first byte')
  PostKit view pretty
  Sees('Body', '"method"')
  support.Same(getcompletion('PostKit view ti', 'cmdline'), ['time'], 'the words to choose from')
  messages clear
  PostKit view bogus
  support.True(execute('messages') =~# 'no part `bogus`. The parts are all, body,', execute('messages'))
  var path = $POSTKIT_WORK .. '/saved.json'
  execute 'PostKit write ' .. path
  support.Wait(() => filereadable(path), 'the saved body')
  support.Same(json_decode(join(readfile(path), "\n")).json, {b: [1, 2]}, 'what was saved')
  silent only!
  PostKit preview
  support.Wait(() => work.ResponseText() =~# 'nothing has been sent.*POST http.*{"b"', 'what would be sent')
enddef

# How a response begins: with its body in a low window, then with what was looked at last.
def Begins()
  g:postkit.view = 'auto'
  work.Make('begin.http', ['# @name begin', 'GET {{$exampleServer}}/get?begin', '',
    '### other', 'GET {{$exampleServer}}/xml', '', '### empty', 'GET {{$exampleServer}}/status/204'])
  # A window above leaves little room.
  topleft :24new
  wincmd p
  cursor(2, 1)
  work.Send()
  Sees('Body', '\%^{\n')
  support.True(Bar() =~# '200 OK  \d\+ ms', 'the result in the bar: ' .. Bar())
  cursor(5, 1)
  work.Send()
  Sees('Body', '\%^<?xml')
  support.Same(getbufvar(winbufnr(response.Window()), '&syntax'), 'xml', 'the colours of the body')
  cursor(8, 1)
  work.Send()
  Sees('All', 'HTTP/1.1 204')
  cursor(2, 1)
  PostKit view headers
  work.Send()
  Sees('Headers', 'Content-Type: application/json')
  win_gotoid(response.Window())
  work.Type("\<Tab>")
  Sees('Sent', 'GET http')
  var before = len(work.replies)
  work.Type('s')
  support.Wait(() => len(work.replies) > before && bufname() =~# work.replies[-1].id,
    'what is sent again')
  Sees('Sent', 'GET http')
  silent only!
  work.Open('begin.http')
  # Beside the requests there is room for all.
  g:postkit.split = 'vertical botright'
  cursor(5, 1)
  work.Send()
  Sees('All', 'HTTP/1.1 200')
  unlet g:postkit.split
  g:postkit.view = 'all'
  silent only!
enddef

# A long body is read page by page, with an outline of each.
def Pages()
  writefile(['{"items": [' .. range(20000)->mapnew((_, number) =>
    printf('{"id": %d, "text": "%s"}', number, repeat('x', 30)))->join(', ') .. ']}'],
    $POSTKIT_WORK .. '/long.json')
  var told: list<string> = []
  var server = job_start(['python3', '-u', '-m', 'http.server', '0', '--bind', '127.0.0.1',
    '--directory', $POSTKIT_WORK], {out_cb: (_, line) => add(told, line), err_io: 'null'})
  support.Wait(() => !empty(told), 'a server of files')
  var port = matchstr(told[0], 'port \zs\d\+')
  work.Make('long.http', ['GET http://127.0.0.1:' .. port .. '/long.json', '', '### bytes',
    'GET {{$exampleServer}}/stream/30000?pad=' .. repeat('x', 50)])
  cursor(1, 1)
  work.Send()
  job_stop(server)
  support.Wait(() => work.ResponseText()
    =~# 'HTTP/1.\d 200.*\n# Page 1 of \d\+\. next page: \]\]\n', 'the first page')
  win_gotoid(response.Window())
  work.Type(']]')
  support.Wait(() => getline(1) =~# '^# Page 2 of \d\+, from \$.*\. next page: \]\] · previous',
    'the second page, it is ' .. getline(1))
  work.Type('3]]')
  support.Wait(() => getline(1) =~# '^# Page 5 of', 'the fifth page, it is ' .. getline(1))
  work.Type('[[')
  support.Wait(() => getline(1) =~# '^# Page 4 of', 'the fourth page, it is ' .. getline(1))
  # A place in a page has its path in the whole body.
  search('"text"')
  setreg('"', '')
  work.Type('Y')
  support.Wait(() => getreg('"') =~# '^\$.items\[\d\{4,}\].text$', 'a path: ' .. getreg('"'))
  work.Type('gO')
  support.Wait(() => &buftype == 'quickfix', 'the outline')
  support.True(search('^ *\d\+ .*\<id\>', 'nw') > 0, 'a line of it: ' .. getline(1))
  lclose
  win_gotoid(response.Window())
  work.Type('999[[')
  support.Wait(() => getline(1) =~# '^# Page 1 of', 'the first page again')
  messages clear
  work.Type('[[')
  support.True(execute('messages') =~# 'This is the first page of', execute('messages'))
  # What has no lines of its own has pages of bytes.
  win_gotoid(bufwinid('long.http'))
  cursor(4, 1)
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'HTTP/1.1 200', 'the stream')
  win_gotoid(response.Window())
  support.Wait(() => getline('$') =~# '^# The first \d\+ of', 'the end of the page')
  work.Type(']]')
  support.Wait(() => bufname() =~# 'offset=\d\+', 'the next bytes: ' .. bufname())
  support.Wait(() => getline('$') =~# '^# Bytes \d', 'where they are: ' .. getline('$'))
  work.Type('[[')
  support.Wait(() => bufname() !~# 'offset=', 'the bytes before: ' .. bufname())
  silent only!
enddef

# A picture is shown by the program that the system has for it.
def Opens()
  var folder = $POSTKIT_WORK .. '/bin'
  mkdir(folder, 'p')
  writefile(['#!/bin/sh', 'echo "$1" > ' .. folder .. '/opened.part',
    'mv ' .. folder .. '/opened.part ' .. folder .. '/opened'], folder .. '/xdg-open')
  setfperm(folder .. '/xdg-open', 'rwx------')
  var path = $PATH
  $PATH = folder .. ':' .. path
  work.Make('picture.http', ['GET {{$exampleServer}}/image', '', '###',
    'GET {{$exampleServer}}/html'])
  for [lnum, ending, beginning] in [[1, 'png', "\x89PNG"], [4, 'html', '<!\=\a\+']]
    delete(folder .. '/opened')
    silent only!
    work.Open('picture.http')
    cursor(lnum, 1)
    work.Send()
    support.Wait(() => work.ResponseText() =~# 'HTTP/1.1 200', 'the response')
    if ending == 'png'
      PostKit open
    else
      win_gotoid(response.Window())
      work.Press('a', 'system')
    endif
    support.Wait(() => filereadable(folder .. '/opened'), 'a program that opens ' .. ending)
    var opened = readfile(folder .. '/opened')[0]
    support.Same(fnamemodify(opened, ':e'), ending, 'the ending of its name')
    support.Same(getfperm(fnamemodify(opened, ':h')), 'rwx------', 'who may read it')
    support.True(readblob(opened)[0 : 20]->blob2list()->mapnew((_, byte) => nr2char(byte))->join('')
      =~ '^' .. beginning, 'what is in it')
  endfor
  # Without such a program a sentence says what to do.
  $PATH = $POSTKIT_WORK
  messages clear
  PostKit open
  support.Wait(() => execute('messages') =~# 'PostKit write FILE', 'the advice')
  $PATH = path
  silent only!
enddef

def Filters()
  work.Make('filter.http', ['POST {{$exampleServer}}/anything',
    'Content-Type: application/json', '', '{"b": [1, {"c": "d"}]}', '',
    '###', 'GET {{$exampleServer}}/xml'])
  cursor(1, 1)
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'HTTP/1.1 200', 'the response')
  win_gotoid(response.Window())
  work.Type("\<Tab>")
  support.Wait(() => work.ResponseText() =~# '\%^{', 'the body')
  var body = work.ResponseText()
  var sights = {
    '$.json.b': '\%^\[\n  1', '$.json.b[': '\%^\[\n  1', '$.json.b[1]': '\%^{\n  "c": "d"'}
  work.Type('o')
  work.Spell('$.json.b[1]', (typed) => {
    support.Wait(() => work.PopupText() =~# '\V' .. typed, 'the letters ' .. typed)
    support.Wait(() => work.ResponseText() =~# get(sights, typed, '.'),
      'what ' .. typed .. ' selects, it is ' .. work.ResponseText())
  })
  support.Same(getline(1), '{', 'the value')
  work.Type("\<Esc>")
  support.Same(work.ResponseText(), body, 'what is there after breaking off')
  PostKit filter
  work.Type("\<Up>")
  work.Type('$.json.b[0]' .. "\<CR>")
  support.Wait(() => work.ResponseText() ==# '1' && bufname() =~# 'select=', 'the selection, it is '
    .. bufname() .. work.ResponseText())
  wincmd p
  cursor(7, 1)
  work.Send()
  support.Wait(() => work.ResponseText() =~# '<?xml', 'the second response')
  PostKit select //*
  support.Wait(() => bufname(winbufnr(response.Window())) =~# 'select=', 'the XPath')
  support.Wait(() => work.ResponseText() =~# '\%^<', 'elements, it is ' .. work.ResponseText())
  silent only!
enddef

# A response that comes while something is selected leaves that; `q` leads back to the request.
def Stays()
  work.Make('stays.http', ['GET {{$exampleServer}}/get?x=1', 'A: b', 'C: d'])
  PostKit history
  work.WaitList('get?')
  wincmd p
  cursor(1, 1)
  var before = len(work.replies)
  PostKit send
  normal! Vj
  support.Wait(() => len(work.replies) > before && work.ResponseText() =~# 'x=1', 'the response')
  support.Same([mode(), line('v'), line('.')], ['V', 1, 2], 'what is selected')
  execute "normal! \<Esc>"
  var from = win_getid()
  PostKit cookies
  work.WaitList('cookies')
  work.Type('q')
  support.Same(win_getid(), from, 'where `q` leads')
  # What is done with a request in its file says so elsewhere, or does what is meant.
  win_gotoid(response.Window())
  messages clear
  PostKit curl
  support.True(execute('messages') =~# 'needs a request file. CTRL-W p', 'the refusal')
  before = len(work.replies)
  PostKit send
  support.Wait(() => len(work.replies) > before && bufname() =~# work.replies[-1].id,
    'the response to what is sent again')
  PostKit timeline
  Sees('History', 'Earlier responses')
  silent only
  work.Type('q')
  support.Same([winnr('$'), &filetype], [1, 'http'], 'what the last window shows')
  # In another tab page there is no room for it.
  work.Open('stays.http')
  before = len(work.replies)
  PostKit send
  tabnew
  support.Wait(() => len(work.replies) > before && bufnr(work.replies[-1].id) > 0, 'its buffer')
  support.Same([winnr('$'), tabpagewinnr(1, '$')], [1, 2], 'where the response is')
  tabclose
enddef

# On a small screen a list leaves the requests and the response their rows.
def Shares()
  var lines = &lines
  &lines = 24
  work.Make('small.http', ['GET {{$exampleServer}}/get?x=small'])
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'x=small', 'the response')
  PostKit history
  work.WaitList('x=small')
  var rows = [1, win_id2win(response.Window()), win_id2win(response.ListWindow())]
    ->mapnew((_, number) => winheight(number))
  support.True(rows[1] >= 6, 'the response keeps its rows: ' .. string(rows))
  support.True(rows[0] >= 4 && rows[2] <= 8, 'the others have theirs: ' .. string(rows))
  silent only!
  &lines = lines
enddef

# A session of Vim makes the windows, and their texts are asked for anew.
def Resumes()
  work.Make('session.http', ['GET {{$exampleServer}}/get?x=session'])
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'x=session', 'the response')
  PostKit history
  work.WaitList('x=session')
  wincmd p
  var session = $POSTKIT_WORK .. '/session.vim'
  execute 'mksession! ' .. session
  silent only!
  # A silent Vim has no command line, and writes down what none can set.
  writefile(readfile(session)->filter((_, line) => line !~# 'cmdheight=0'), session)
  execute 'silent source ' .. session
  support.Wait(() => work.ResponseText() =~# 'x=session', 'the response of the session')
  support.Wait(() => getbufline(winbufnr(response.ListWindow()), 1, '$')->match('x=session') > 0,
    'the list of the session')
  support.Same(winnr('$'), 3, 'the number of windows')
  win_gotoid(response.Window())
  work.Type("\<Tab>")
  Sees('Body', '"x": "session"')
  silent only!
  work.Open('session.http')
  var before = len(work.replies)
  execute "normal \<Plug>(postkit-send)"
  support.Wait(() => len(work.replies) > before && work.ResponseText() =~# 'x=session',
    'a reply to a key')
  silent only!
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E7', 'response view', Shows)
  support.Run('E7', 'what a response leaves alone', Stays)
  support.Run('E7', 'a small screen', Shares)
  support.Run('E7', 'sessions', Resumes)
  support.Run('E7', 'how a response begins', Begins)
  support.Run('E7', 'a body in another program', Opens)
  support.Run('E24', 'parts of the response', Steps)
  support.Run('E24', 'pages', Pages)
  support.Run('E25', 'live filter', Filters)
enddef
