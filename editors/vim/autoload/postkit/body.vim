vim9script
# What is done with the body of a response: filtered, paged through, saved, opened elsewhere.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/live.vim'
import autoload 'postkit/parts.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/register.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/uri.vim'
import autoload 'postkit/words.vim'

# The endings of file names by which a system finds the program that shows a body.
const endings = {
  'application/gzip': 'gz', 'application/javascript': 'js', 'application/json': 'json',
  'application/pdf': 'pdf', 'application/xml': 'xml', 'application/zip': 'zip',
  'audio/mpeg': 'mp3', 'audio/ogg': 'ogg', 'audio/wav': 'wav', 'image/avif': 'avif',
  'image/bmp': 'bmp', 'image/gif': 'gif', 'image/jpeg': 'jpg', 'image/png': 'png',
  'image/svg+xml': 'svg', 'image/tiff': 'tiff', 'image/webp': 'webp', 'image/x-icon': 'ico',
  'text/css': 'css', 'text/csv': 'csv', 'text/html': 'html', 'text/plain': 'txt',
  'text/xml': 'xml', 'video/mp4': 'mp4', 'video/webm': 'webm',
}

# The command of the action that opens a body; no server knows it.
export const view = 'postkit.vim.view'

# The paths that were asked for, newest last.
var paths: list<string> = []
# By name of a document: the one from which a key led to it.
var led: dict<string> = {}

# Shows what a JSONPath or XPath selects; without one it is asked for, and followed live.
export def Select(given: list<string>)
  parts.With((id) => {
    if !empty(given)
      response.Open(Selection(id, join(given)), false, 'httpresponse')
    elseif parts.Id(bufname(winbufnr(response.Window()))) == id
      Ask(id, response.Window())
    else
      response.Open(parts.Named(id, 'pretty'), true, 'httpresponse',
        () => Ask(id, response.Window()))
    endif
  })
enddef

def Selection(id: string, path: string): string
  return printf('postkit:/response/%s/body.json?select=%s', id, uri.Escaped(path))
enddef

def Ask(id: string, window: number)
  var buffer = winbufnr(window)
  var before = getbufline(buffer, 1, '$')
  var label = getbufvar(buffer, '&syntax') =~# 'xml\|html' ? 'XPath: ' : 'JSONPath: '
  var turn = [0]
  live.Prompt(label, window, '', paths, (path) => {
    turn[0] += 1
    var now = turn[0]
    client.Request('workspace/textDocumentContent', {uri: Selection(id, path)}, (found, error) => {
      # A path that is not whole yet changes nothing.
      if error == null && now == turn[0] && live.IsOpen()
        response.Fill(buffer, words.Lines(found.text))
      endif
    })
  }, (path) => {
    turn[0] += 1
    if path == null || path == ''
      response.Fill(buffer, before)
    else
      response.Open(Selection(id, path), true, 'httpresponse')
    endif
  })
enddef

# Copies the JSONPath of the value under the cursor.
export def Path()
  var argument = {uri: document.Uri(bufnr()), position: position.Cursor()}
  client.WhenRunning(() => client.Execute('postkit.copyPath', argument, register.Take))
enddef

# Saves the body of the response to a file; without one the server asks for it.
export def Write(given: list<string>, overwrites: bool)
  parts.With((id) => {
    var argument: dict<any> = {id: id, overwrite: overwrites}
    if !empty(given)
      argument.path = fnamemodify(join(given), ':p')
    endif
    client.Execute('postkit.saveResponse', argument, (result, error) => {
      if error != null
        config.Refused(error)
      elseif !empty(result)
        config.Say(get(result, 'summary', 'Saved to ' .. result.path))
      endif
    })
  })
enddef

# Goes to the next page of a long body, or with a negative number to one before.
export def Page(by: number)
  var id = parts.Id(bufname())
  var lnum = search('^# Page \d\+ of \d\+', 'nw')
  if id == ''
    config.Complain('This is no response.')
  elseif lnum > 0
    var [number, total] = matchlist(getline(lnum), '^# Page \(\d\+\) of \(\d\+\)')[1 : 2]
      ->mapnew((_, each) => str2nr(each))
    var wanted = max([1, min([total, number + by])])
    if wanted == number
      config.Say(printf('This is the %s page of %d.', by > 0 ? 'last' : 'first', total))
    else
      Turn(substitute(parts.Named(id, 'pretty'), '\.\a*$', '.json', '')
        .. (wanted == 1 ? '' : '?page=' .. wanted))
    endif
  else
    Bytes(id, by)
  endif
enddef

# The same for a body that has no lines of its own: its pages begin at bytes.
def Bytes(id: string, by: number)
  var first = matchstr(getline('$'), '^# The first \zs\d\+\ze of \d\+ bytes')
  var next = matchstr(getline('$'), '^# Bytes .*: \zspostkit:\S\+')
  if by < 0 && has_key(led, bufname())
    Turn(led[bufname()])
  elseif by > 0 && first .. next != ''
    var name = next ?? printf('postkit:/response/%s/raw.txt?offset=%s', id, first)
    led[name] = bufname()
    Turn(name)
  else
    config.Say(printf('There is no %s page.', by > 0 ? 'next' : 'previous'))
  endif
enddef

def Turn(name: string)
  response.Open(name, true, 'httpresponse', () => {
    cursor(1, 1)
  })
enddef

# The actions of a response, and the one of this plugin where there is a body to be saved.
export def Offered(actions: list<dict<any>>): list<dict<any>>
  var at = indexof(actions, (_, each) => get(each, 'kind', '') ==# 'postkit.save')
  return at < 0 ? actions : slice(actions, 0, at) + [{
    title: "Open the body with the system's viewer", kind: 'postkit.show',
    command: {title: 'Open', command: view, arguments: []},
  }] + slice(actions, at)
enddef

# Opens the body with the program that the system has for its type.
export def View()
  parts.With((id) => client.Request('postkit/exchange', {id: id, part: 'response', view: 'headers'},
    (head, error) => {
      if error != null
        config.Refused(error)
      else
        Export(id, tolower(matchstr(head.data, '\c\ncontent-type:\s*\zs[^;[:space:]]*')))
      endif
    }))
enddef

# Writes the body to a file that goes with this Vim, and opens that.
def Export(id: string, type: string)
  var path = tempname() .. '.' .. get(endings, type, type =~# 'json$' ? 'json'
    : type =~# 'xml$' ? 'xml' : 'bin')
  client.Execute('postkit.saveResponse', {id: id, path: path}, (_, error) => {
    if error != null
      config.Refused(error)
    elseif !response.External(path)
      config.Complain('No program opens files here (xdg-open is missing). '
        .. 'Save the body with `:PostKit write FILE`.')
    endif
  })
enddef
