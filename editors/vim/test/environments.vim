vim9script
# Choosing an environment.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/diagnostics.vim'

# To use none is offered once and first; an environment that is called like that is another.
def Offers()
  var path = $POSTKIT_WORK .. '/http-client.env.json'
  var before = readfile(path)
  writefile(['{"dev": {"stage": "d"}, "No environment": {"stage": "n"}}'], path)
  PostKit env
  support.Wait(() => work.PopupText() =~# 'dev', 'the menu')
  support.Same(split(work.PopupText(), "\n")->mapnew((_, line) => line[2 :]),
    ['No environment', 'dev', '`No environment`'], 'what is offered')
  feedkeys("\<Esc>", 'xt')
  writefile(before, path)
enddef

def Switches()
  work.Open('requests.http')
  Offers()
  var lnum = work.Go('GET {{$exampleServer}}/get?stage=')
  PostKit env
  support.Wait(() => work.PopupText() =~# 'dev' && work.PopupText() =~# 'prod', 'the menu')
  var row = match(split(work.PopupText(), "\n"), 'prod')
  feedkeys(repeat('j', row) .. "\<CR>", 'xt')
  support.Wait(() => execute('messages') =~ 'Environment `prod` is selected', 'the choice')
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'production', 'the value of prod in the response')
  PostKit env dev
  support.Wait(() => execute('messages') =~ 'Environment `dev` is selected', 'the other choice')
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'no diagnostic')
  work.Go('GET {{$exampleServer}}/get?stage=')
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'development', 'the value of dev in the response')
  support.True(postkit#command#StatusLine() =~# '\[dev\]', 'the status line')
enddef

# A request whose name only environments define asks for one of them, and is sent with it.
def Chooses()
  work.Open('requests.http')
  PostKit env
  support.Wait(() => work.PopupText() =~# 'No environment', 'the menu')
  feedkeys("\<CR>", 'xt')
  support.Wait(() => execute('messages') =~ 'No environment is selected', 'none')
  work.Go('GET {{$exampleServer}}/get?stage=')
  var before = len(work.replies)
  PostKit send
  support.Wait(() => work.PopupText() =~# 'dev' && work.PopupText() =~# 'prod', 'the question')
  support.Same(len(work.replies), before, 'the replies before an answer')
  work.PickItem('dev')
  support.Wait(() => execute('messages') =~ 'Environment `dev` is selected', 'the choice')
enddef

# A choice directly followed by a send, as a mapping does it, and a change of the text directly
# followed by one: each is sent as it is then.
def Follows()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/get?stage=')
  for [number, name] in items(repeat(['dev', 'prod'], 10))
    var before = len(work.replies)
    setline(lnum, 'GET {{$exampleServer}}/get?stage={{stage}}&n=' .. number)
    # As a map has it, too, where a bar is written without blanks.
    execute 'PostKit env ' .. name .. (number % 4 < 2 ? '|' : ' | ') .. 'PostKit send'
    support.Wait(() => len(work.replies) > before, 'a reply')
    support.Same(matchstr(work.replies[-1].url, 'stage=.*'),
      printf('stage=%s&n=%d', {dev: 'development', prod: 'production'}[name], number),
      'what is sent at turn ' .. number)
  endfor
  silent edit!
  Behind()
enddef

# What is behind a bar is the next command, as it was typed; in a path and a search it is none.
def Behind()
  g:behind = ''
  for typed in ["nosuch | let g:behind ..= 'a  b'", "nosuch|let g:behind ..= 'c'",
      'nosuch\|x | let g:behind ..= "d"', 'nosuch |']
    execute 'PostKit ' .. typed
  endfor
  support.Same(g:behind, 'a  bcd', 'what is behind the bars')
  support.True(execute('messages') =~# 'There is no command `:PostKit nosuch|x`',
    'a bar after a backslash is a letter')
  var before = len(work.replies)
  work.Go('GET {{$exampleServer}}/get?stage=')
  execute "PostKit | let g:behind = 'sent'"
  support.Wait(() => len(work.replies) > before, 'a reply')
  support.Same(g:behind, 'sent', 'what is behind a bar that stands first')
  execute "PostKit select $.a | let g:behind = 'b'"
  support.Same(g:behind, 'sent', 'a bar in a path')
enddef

# What the status line of the current window says of environments, with their colours.
def Said(): string
  return &statusline !~# 'postkit#badge#Line' ? 'no line of ours' : postkit#badge#Line()
enddef

# The popups with the badges in sight; a message has a title.
def Popups(): list<number>
  return popup_list()->filter((_, id) => popup_getoptions(id).zindex == 20
    && get(popup_getoptions(id), 'title', '') == '')
enddef

# The badges in sight, as [text, highlight group].
def Badges(): list<list<string>>
  return Popups()->mapnew((_, id) =>
    [getbufline(winbufnr(id), 1)[0], popup_getoptions(id).highlight])
enddef

def InSight()
  var path = $POSTKIT_WORK .. '/http-client.env.json'
  var before = readfile(path)
  work.Open('requests.http')
  PostKit env
  support.Wait(() => work.PopupText() =~# 'No environment', 'the menu')
  feedkeys("\<CR>", 'xt')
  support.Wait(() => Said() ==# 'no environment', 'that none is chosen: ' .. Said())
  support.Same(getcompletion('PostKit env ', 'cmdline'), ['dev', 'prod'], 'the names')
  PostKit env dev
  support.Wait(() => Said() ==# '%#PostKitEnvironment# dev %*', 'the environment: ' .. Said())
  support.Same([&laststatus, Badges()], [2, []], 'that it is seen, and covers no text')
  writefile(['{"dev": {"stage": "development"}, "prod": {"stage": "production", "confirm": true}}'],
    path)
  PostKit env prod
  support.Wait(() => Said() ==# '%#PostKitGuarded# prod %*', 'the guarded one: ' .. Said())
  support.True(postkit#command#StatusLine() =~# 'prod', 'the status line')
  support.Same(postkit#environment#Bar(bufnr()), '%#PostKitGuarded# prod %*', 'the bar')
  new
  support.Same(&l:statusline, '', 'the status line of another file')
  only
  support.Wait(() => &laststatus == 1, 'a lone window without requests and status line')
  execute 'silent edit ' .. $POSTKIT_WORK .. '/requests.http'
  support.Same(&laststatus, 2, 'the status line of a lone window with requests')
  work.Go('GET {{$exampleServer}}/get?stage=')
  var sent = len(work.replies)
  PostKit send
  support.Wait(() => work.PopupText() =~# 'Send', 'the question')
  work.Type("j\<CR>")
  support.Wait(() => execute('messages') =~ 'you did not confirm', 'the refusal')
  support.Same(len(work.replies), sent, 'the number of replies')
  Corners()
  writefile(before, path)
  PostKit env dev
  support.Wait(() => Said() =~# 'dev', 'the environment again')
enddef

# The line that is drawn in a row of the screen.
def At(row: number): number
  return range(1, line('$'))->indexof((_, lnum) => screenpos(0, lnum, 1).row == row) + 1
enddef

# The text of the line that a badge stands on.
def Below(): string
  return getline(At(popup_getpos(Popups()[0]).line))
enddef

# Where the user has a status line, the environment stands where no text is.
def Corners()
  only!
  # The same lines are in sight for all that follows.
  normal! ggzt
  redraw
  set statusline=%f
  setlocal statusline=
  doautocmd WinEnter
  # A silent Vim draws nothing, and knows no rows.
  if screenstring(1, 1) != ''
    support.Wait(() => Badges() == [['prod', 'PostKitGuarded']],
      'the badge: ' .. string(Badges()))
    support.True(Below() =~ '^\%(#.\{,20}\)\=$', 'what is below it: ' .. Below())
    # A line that would be under it has it give way.
    var lnum = At(popup_getpos(Popups()[0]).line)
    support.True(lnum > 0, 'a line below the badge')
    setline(lnum, '# ' .. repeat('x', winwidth(0) - 4))
    doautocmd TextChanged
    support.True(empty(Popups()) || Below() =~ '^\%(#.\{,20}\)\=$', 'below it then')
  endif
  silent edit!
  # With the environment in their own line there is no need for it.
  set statusline=%f%{%postkit#environment#Bar(bufnr())%}
  set laststatus=2
  doautocmd WinEnter
  support.Same(Badges(), [], 'the badges beside the user''s own line')
  set statusline& laststatus=1
  doautocmd WinEnter
  g:postkit.badge = false
  doautocmd WinEnter
  support.Same([&l:statusline, Badges()], ['', []], 'what is said where it is not wanted')
  unlet g:postkit.badge
  doautocmd WinEnter
enddef

def Variables()
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/get?stage=')
  PostKit variables
  work.WaitList('# greeting  hello .*requests.http:1\n.*# stage .*development .*env.json:')
  support.Same(getline('.'), getline(3), 'the line of the cursor')
  work.Type('o')
  work.Spell('stage', (_) => true)
  work.WaitList('# stage', '# greeting')
  work.Type("\<Esc>")
  work.WaitList('# greeting')
  search('^# stage')
  setreg('"', '')
  work.Type('Y')
  support.Same(getreg('"'), 'development', 'the copied value')
  work.Type("\<CR>")
  support.Same(expand('%:t'), 'http-client.env.json', 'where the definition is')
  support.True(getline('.') =~# 'stage', 'its line: ' .. getline('.'))
  silent only!
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E11', 'environment', Switches)
  support.Run('E11', 'a choice, then a send', Follows)
  support.Run('E11', 'a missing environment', Chooses)
  support.Run('E26', 'environment in sight', InSight)
  support.Run('E27', 'variables', Variables)
enddef
