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
  support.Wait(() => work.ResponseText() =~# 'hello', 'the response')
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

# Runs the scenarios of this file.
export def Run()
  support.Run('E7', 'response view', Shows)
enddef
