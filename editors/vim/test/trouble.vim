vim9script
# A server that is missing or dies, and the end of everything.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/send.vim'

def Survives()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/delay/10')
  PostKit send
  work.WaitFor(lnum, 'sending')
  var messages = execute('messages')
  system('kill -9 ' .. client.ProcessId())
  support.Wait(() => client.State() == 'stopped', 'the end')
  support.Same(get(work.Behind(lnum), 'state', ''), 'failed', 'the state of the send')
  support.Same(send.Running(), 0, 'the number of sends under way')
  support.True(support.Messages(messages) =~ 'PostKit start', 'the advice')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server again')
  work.InStep('after a restart')
  work.Stop()
  g:postkit.command = ['/nonexistent/postkit', 'lsp']
  messages = execute('messages')
  PostKit send
  support.True(support.Messages(messages) =~ 'cannot find the program', 'the sentence')
  support.True(get(work.Behind(lnum), 'state', '') != 'sending', 'no sending is left')
  g:postkit.command = [$POSTKIT_BIN, 'lsp']
enddef

def Ends()
  work.Open('requests.http')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server')
  var process = client.ProcessId()
  var before = execute('messages')
  work.Stop()
  support.True(!isdirectory('/proc/' .. process), 'the process is gone')
  support.True(support.Messages(before) !~ 'ended with', 'a wished end is no trouble')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server, which ends with Vim')
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E16', 'trouble', Survives)
  support.Run('E17', 'end', Ends)
enddef
