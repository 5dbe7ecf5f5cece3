vim9script
# Choosing an environment.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/diagnostics.vim'

def Switches()
  work.Open('requests.http')
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
  support.Wait(() => work.PopupText() =~# '(none)', 'the menu')
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

# A choice directly followed by a send, as a mapping does it: nothing comes between the two on the
# wire. That the server keeps to this order is held by its own tests.
def Follows()
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/get?stage=')
  var path = $POSTKIT_WORK .. '/channel.log'
  ch_logfile(path, 'w')
  var before = len(work.replies)
  PostKit env dev | PostKit send
  support.Wait(() => len(work.replies) > before, 'a reply')
  ch_logfile('')
  var sent = readfile(path)->map((_, line) => matchstr(line, '"method":"\zs[^"]*'))
    ->filter((_, method) => method =~# '^\%(workspace/executeCommand\|postkit/\%(send\|environments\)\)$')
  support.Same(sent[: 1], ['workspace/executeCommand', 'postkit/send'], 'the messages')
enddef

# The badges in sight, as [text, highlight group].
def Badges(): list<list<string>>
  return popup_list()->mapnew((_, id) => [popup_getoptions(id).zindex,
    getbufline(winbufnr(id), 1)[0], popup_getoptions(id).highlight])
    ->filter((_, each) => each[0] == 20)->mapnew((_, each) => each[1 :])
enddef

def InSight()
  var path = $POSTKIT_WORK .. '/http-client.env.json'
  var before = readfile(path)
  work.Open('requests.http')
  PostKit env
  support.Wait(() => work.PopupText() =~# '(none)', 'the menu')
  feedkeys("\<CR>", 'xt')
  support.Wait(() => Badges() == [['no environment', 'PostKitHint']], 'that none is chosen')
  support.Same(getcompletion('PostKit env ', 'cmdline'), ['dev', 'prod'], 'the names to choose from')
  PostKit env dev
  support.Wait(() => Badges() == [['dev', 'PostKitEnvironment']], 'the badge: ' .. string(Badges()))
  writefile(['{"dev": {"stage": "development"}, "prod": {"stage": "production", "confirm": true}}'],
    path)
  PostKit env prod
  support.Wait(() => Badges() == [['prod', 'PostKitGuarded']], 'the guarded one')
  support.True(postkit#command#StatusLine() =~# 'prod', 'the status line')
  support.Same(postkit#environment#Bar(bufnr()), '%#PostKitGuarded# prod %*', 'the bar')
  split
  support.Wait(() => len(Badges()) == 2, 'a badge in each window: ' .. string(Badges()))
  close
  new
  support.Same(len(Badges()), 1, 'the badges beside another file')
  close
  work.Go('GET {{$exampleServer}}/get?stage=')
  var sent = len(work.replies)
  PostKit send
  support.Wait(() => work.PopupText() =~# 'Send', 'the question')
  work.Type("j\<CR>")
  support.Wait(() => execute('messages') =~ 'you did not confirm', 'the refusal')
  support.Same(len(work.replies), sent, 'the number of replies')
  writefile(before, path)
  PostKit env dev
  support.Wait(() => Badges() == [['dev', 'PostKitEnvironment']], 'the badge again')
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
