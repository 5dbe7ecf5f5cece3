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
    'Content-Type: application/json', 'Authorization: Bearer hidden', 'X-A: é', '',
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
  support.True(work.ResponseText() !~# 'hidden', 'the secret is masked')
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
  support.True(execute('messages') =~# 'no part `bogus`; it has all, body,', execute('messages'))
  var path = $POSTKIT_WORK .. '/saved.json'
  execute 'PostKit write ' .. path
  support.Wait(() => filereadable(path), 'the saved body')
  support.Same(json_decode(join(readfile(path), "\n")).json, {b: [1, 2]}, 'what was saved')
  silent only!
  PostKit preview
  support.Wait(() => work.ResponseText() =~# 'nothing was.*POST http.*{"b"', 'what would be sent')
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
  support.True(execute('messages') =~# 'works in a request file; CTRL-W p', 'the refusal')
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
  support.Run('E7', 'sessions', Resumes)
  support.Run('E24', 'parts of the response', Steps)
  support.Run('E25', 'live filter', Filters)
enddef
