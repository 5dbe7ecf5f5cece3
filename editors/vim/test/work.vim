vim9script
# Opens the files of the workspace, asks the server and looks at what Vim shows, for the scenarios.

import './support.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/document.vim'
import autoload '../autoload/postkit/response.vim'
import autoload '../autoload/postkit/results.vim'

# What every send of this Vim was answered.
export var replies: list<dict<any>> = []
augroup scenarios
  autocmd User PostKitResponse add(replies, copy(g:postkit_response))
augroup END

# Opens a file of the workspace in the only window and waits for the server.
export def Open(name: string)
  silent only!
  execute 'silent edit! ' .. $POSTKIT_WORK .. '/' .. name
  support.Wait(() => client.State() == 'running', 'the server')
enddef

# Puts the cursor on the line that holds `text`; answers its number.
export def Go(text: string): number
  var lnum = search('\V\^' .. escape(text, '\'), 'cw')
  support.True(lnum > 0, 'there is a line ' .. text)
  return lnum
enddef

# Asks the server and waits for the answer, as only a test may.
export def Ask(method: string, params: any): any
  var answer: list<any> = []
  client.Request(method, params, (result, error) => extend(answer, [result, error]))
  support.Wait(() => !empty(answer), 'an answer to ' .. method)
  support.True(answer[1] == null, method .. ' succeeds: ' .. string(answer[1]))
  return answer[0]
enddef

# The text of the current buffer as it stands in its file.
def Whole(): string
  var ending = {dos: "\r\n", mac: "\r"}->get(&fileformat, "\n")
  return join(getline(1, '$'), ending) .. (&endofline || &fixendofline ? ending : '')
enddef

# The server's text of the current buffer must be Vim's.
export def InStep(when: string, expected = Whole())
  var text = Ask('postkit/debug/text', {textDocument: {uri: document.Uri(bufnr())}}).text
  support.Same(text, expected, 'the text ' .. when)
enddef

# What stands behind a line.
export def Behind(lnum: number): dict<any>
  return results.At(bufnr(), lnum)
enddef

export def WaitFor(lnum: number, state: string)
  support.Wait(() => get(Behind(lnum), 'state', '') == state,
    printf('`%s` on line %d, it is %s', state, lnum, string(Behind(lnum))))
enddef

# Types keys in Insert mode, waits for the menu, types what `Choose` answers to it and leaves.
export def Menu(keys: string, Choose: func): list<string>
  var words: list<string> = []
  var start = reltime()
  timer_start(5, (timer) => {
    words = complete_info(['items']).items->mapnew((_, item) => item.word)
    if !empty(words) || reltimefloat(reltime(start)) * 1000 > support.patience
      timer_stop(timer)
      feedkeys(Choose(words) .. "\<Esc>", 't')
    endif
  }, {repeat: -1})
  feedkeys(keys, 'tx!')
  support.True(!empty(words), 'a menu came up')
  return words
enddef

# The keys that accept the first item that fits.
export def Accept(words: list<string>, pattern: string): string
  var index = match(words, pattern)
  return index < 0 ? "\<C-E>" : repeat("\<C-N>", index) .. "\<C-Y>"
enddef

export def PopupText(): string
  # The badge of the environment is always there, and below all others.
  return popup_list()->filter((_, id) => popup_getoptions(id).zindex > 20)
    ->mapnew((_, id) => getbufline(winbufnr(id), 1, '$')->join("\n"))->join("\n")
enddef

# Sends what is under the cursor and waits for its reply.
export def Send(): dict<any>
  var before = len(replies)
  PostKit send
  support.Wait(() => len(replies) > before, 'a reply')
  return replies[-1]
enddef

export def ResponseText(): string
  var window = response.Window()
  return window == 0 ? '' : getbufline(winbufnr(window), 1, '$')->join("\n")
enddef

export def History(): list<dict<any>>
  return Ask('postkit/history', {limit: 200}).items
enddef

export def ListText(): string
  return &filetype == 'httplist' ? getline(1, '$')->join("\n") : &filetype .. ' in front'
enddef

# Waits for a list with the cursor in it, that has one pattern and not another.
export def WaitList(pattern: string, without = '\%$x')
  try
    support.Wait(() => ListText() =~# pattern && ListText() !~# without, pattern)
  catch
    throw v:exception .. ' in the list, it is ' .. ListText()
  endtry
enddef

# Presses a key that opens a menu, and chooses from it.
export def Press(key: string, title: string)
  execute 'normal ' .. key
  PickItem(title)
enddef

export def PickItem(title: string)
  support.Wait(() => PopupText() =~# title, 'a menu with ' .. title)
  feedkeys(repeat('j', match(split(PopupText(), "\n"), title)) .. "\<CR>", 'xt')
enddef

export def Stop()
  if client.State() != 'stopped'
    PostKit stop
  endif
  support.Wait(() => client.State() == 'stopped', 'the end of the server')
enddef

# Makes a file of the workspace and opens it.
export def Make(name: string, lines: list<string>)
  writefile(lines, $POSTKIT_WORK .. '/' .. name)
  Open(name)
enddef

# Types keys in Normal mode, as a person does: mapped ones do what they are mapped to.
export def Type(keys: string)
  feedkeys(keys, 'xt')
enddef

# Types a text letter by letter, waiting after each until `Seen` of it is so.
export def Spell(text: string, Seen: func)
  for at in range(strcharlen(text))
    Type(strcharpart(text, at, 1))
    Seen(strcharpart(text, 0, at + 1))
  endfor
enddef
