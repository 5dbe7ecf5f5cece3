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
  support.Wait(() => execute('messages') =~ 'environment prod', 'the choice')
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'production', 'the value of prod in the response')
  PostKit env dev
  support.Wait(() => execute('messages') =~ 'environment dev', 'the other choice')
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'no diagnostic')
  work.Go('GET {{$exampleServer}}/get?stage=')
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'development', 'the value of dev in the response')
  support.True(postkit#command#StatusLine() =~# '\[dev\]', 'the status line')
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E11', 'environment', Switches)
enddef
