vim9script
# Lists what was sent, by any editor or the command line, and opens an exchange from the list.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/send.vim'
import autoload 'postkit/uri.vim'

const name = 'postkit-history'

# Shows the newest exchanges in a window; <CR> opens one, q closes the list.
export def Show(query = '')
  if client.Start(uri.Root(bufnr()))
    client.WhenRunning(() => Ask(query))
  endif
enddef

def Ask(query: string)
  client.Request('postkit/history', query == '' ? {limit: 200} : {query: query, limit: 200}, Listed)
enddef

def Listed(result: any, error: any)
  if error != null
    config.Complain(error.message)
  elseif empty(result.items)
    config.Say('nothing was sent yet')
  else
    List(result.items)
  endif
enddef

def List(entries: list<dict<any>>)
  var buffer = bufadd(name)
  silent bufload(buffer)
  var windows = win_findbuf(buffer)->filter((_, id) => win_id2tabwin(id)[0] == tabpagenr())
  if empty(windows)
    botright split
    execute 'resize ' .. min([len(entries) + 1, 12])
    execute 'silent buffer ' .. buffer
  else
    win_gotoid(windows[0])
  endif
  setlocal buftype=nofile bufhidden=hide noswapfile nobuflisted nonumber norelativenumber
  setlocal nowrap cursorline modifiable filetype=httphistory
  silent deletebufline(buffer, 1, '$')
  setline(1, mapnew(entries, (_, entry) => Line(entry)))
  setlocal nomodifiable nomodified
  b:postkit_entries = entries
  nnoremap <buffer> <nowait> <CR> <ScriptCmd>Open()<CR>
  nnoremap <buffer> <nowait> q <Cmd>close<CR>
  cursor(1, 1)
enddef

# One exchange on one line.
def Line(entry: dict<any>): string
  var outcome = entry.state == 'done' ? string(entry.status) : entry.state
  return printf('%s  %-9s  %8s  %8s  %s %s%s', Time(entry.time), outcome, send.Duration(entry.ms),
    send.Size(entry.size), entry.method, entry.url,
    get(entry, 'environment', null) == null ? '' : '  [' .. entry.environment .. ']')
enddef

# An RFC 3339 time in UTC as local time of day, with the date when it is not today.
def Time(text: string): string
  var whole = substitute(text, '\.\d\+Z$\|Z$', '', '')
  var seconds = strptime('%Y-%m-%dT%H:%M:%S', whole)
  if seconds == 0
    return text
  endif
  seconds += Offset(seconds)
  return strftime(strftime('%F') == strftime('%F', seconds) ? '%T' : '%F %T', seconds)
enddef

# Seconds that local time is ahead of UTC at a moment.
def Offset(moment: number): number
  var sign_hours_minutes = strftime('%z', moment)
  var seconds = str2nr(sign_hours_minutes[1 : 2]) * 3600 + str2nr(sign_hours_minutes[3 : 4]) * 60
  return sign_hours_minutes[0] == '-' ? -seconds : seconds
enddef

def Open()
  var entry = b:postkit_entries[line('.') - 1]
  response.Open(get(entry, 'uri', null) ?? printf('postkit:/response/%s.http', entry.id), false)
enddef
