vim9script
# Shows the parts of a response one at a time: the server makes their texts, this names them in a
# bar below the window and draws the time as a waterfall.

import autoload 'postkit/blocks.vim'
import autoload 'postkit/body.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/highlight.vim'
import autoload 'postkit/memory.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/results.vim'
import autoload 'postkit/words.vim'

# The parts in the order of the bar: what they are called, and the word in the name of a document.
const parts = [
  ['all', 'All', ''], ['pretty', 'Body', 'body'], ['raw', 'Raw', 'raw'],
  ['headers', 'Headers', 'headers'], ['sent', 'Sent', 'sent'], ['timings', 'Time', 'timings'],
  ['tests', 'Tests', 'tests'], ['history', 'History', ''],
]
const identifier = '\x\{8}-\x\{4}-\x\{4}-\x\{4}-\x\{12}'
# Columns of the longest bar of the waterfall.
const bar_columns = 40
# So much of an exchange is told at once.
const piece_bytes = 1048576

# A bar of so many columns has room for the environment and the place in the text.
const wide_columns = 100
# The line above a page of a long body, and among how many of the first it stands.
const page = '^# Page \(\d\+\) of \(\d\+\)'
const heading_lines = 200
# A window of fewer rows begins with the body.
const few_rows = 15
# The types of bodies that a person can read.
const readable = '^text/\|json\|xml\|javascript\|x-www-form-urlencoded\|graphql\|yaml'

# Where a step leads that has not arrived yet, so that the next one goes on from there.
var target: dict<any> = {}

# What can be shown of a response, as the bar calls it.
export def Names(): list<string>
  return Words()
enddef

def Words(): list<string>
  return mapnew(parts, (_, part) => tolower(part[1]))
enddef

# The part that a word means, which is what the bar or the protocol calls it; '' for none.
def Meant(word: string): string
  var found = copy(parts)->filter((_, part) => part[0] ==? word || part[1] ==? word)
  return empty(found) ? '' : found[0][0]
enddef

# The id of the exchange that a document is about, '' for any other.
export def Id(name: string): string
  return Exchange(name)
enddef

def Exchange(name: string): string
  return name =~# '^postkit:/\(response\|timeline\)/' || name =~# '/view/' .. identifier
    ? matchstr(name, identifier) : ''
enddef

# The document that has what a part of ours is of, and the actions of it; others are themselves.
export def Whole(name: string): string
  return name =~# identifier .. '/\(sent\|tests\)\.' ? Document(Exchange(name), 'all') : name
enddef

# Which part a document shows.
def Shown(name: string): string
  if name =~# '^postkit:/timeline/'
    return 'history'
  endif
  var word = matchstr(name, identifier .. '[/-]\zs\a\+')
  var found = copy(parts)->filter((_, part) => part[2] != '' && part[2] ==# word)
  return empty(found) ? 'all' : found[0][0]
enddef

# The name of the document that shows a part of an exchange.
export def Named(id: string, part: string): string
  return Document(id, part)
enddef

def Document(id: string, part: string): string
  if part == 'all'
    return printf('postkit:/response/%s.http', id)
  elseif part == 'history'
    return printf('postkit:/timeline/%s.http', id)
  endif
  var word = copy(parts)->filter((_, each) => each[0] == part)[0][2]
  var ending = part == 'headers' || part == 'sent' ? 'http'
    : part == 'pretty' || part == 'raw' ? Ending(id) : 'txt'
  return printf('postkit:/response/%s/%s.%s', id, word, ending)
enddef

# The ending of the name of a body, by which it is coloured.
def Ending(id: string): string
  var type = get(memory.Of(id), 'type', 'json')
  return type =~# 'json' || type == '' ? 'json' : type =~# 'html' ? 'html' : type =~# 'svg' ? 'svg'
    : type =~# 'xml' ? 'xml' : type =~# 'css' ? 'css' : type =~# 'javascript' ? 'js' : 'txt'
enddef

# The document with which a response begins: the part that was looked at last of its request, or the
# one that is wished for; else the body where a head would leave little room for it.
export def First(reply: dict<any>): string
  var wish = config.Get('view')
  var part = wish != 'auto' ? Meant(wish) : memory.Looked(reply.id)
  if part == ''
    part = reply.size > 0 && get(reply, 'contentType', 'text/plain') =~? readable
      && response.Room() < few_rows ? 'pretty' : 'all'
  endif
  # A body that is empty shows nothing.
  return part == 'all' || reply.size == 0 && part =~# '^\%(pretty\|raw\)$' ? reply.uri
    : Document(reply.id, part)
enddef

# Shows a part of the response in the current buffer, or of that of the request under the cursor.
export def Show(given: list<string>)
  var part = Meant(get(given, 0, 'all'))
  if part == ''
    config.Complain(printf('There is no part `%s`. The parts are %s.', given[0],
      join(Words(), ', ')))
    return
  endif
  WithExchange((id) => Open(id, part, false))
enddef

def Open(id: string, part: string, focus: bool)
  memory.Look(id, part)
  response.Open(Document(id, part), focus, 'httpresponse')
enddef

# Runs with the id of the response that is meant: of the current buffer, of the request under the
# cursor, or of the response window.
export def With(Run: func)
  WithExchange(Run)
enddef

def WithExchange(Run: func)
  var id = Exchange(bufname())
  if id != ''
    Run(id)
    return
  endif
  if !document.Ready()
    return
  endif
  var lnum = blocks.RequestLine(bufnr(), line('.'))
  id = get(get(results.At(bufnr(), lnum), 'reply', {}), 'id', '')
  if id != ''
    Run(id)
    return
  endif
  client.WhenRunning(() => client.Execute('postkit.showResponse',
    {uri: document.Uri(bufnr()), position: position.Cursor()}, (name, error) => {
      if error != null
        config.Refused(error)
      else
        Run(Exchange(name))
      endif
    }))
enddef

# Goes to the next part, or with -1 to the one before; the cursor goes along.
export def Step(by: number)
  Turn(by)
enddef

def Turn(by: number)
  var id = Exchange(bufname())
  if id != ''
    var now = get(target, 'id', '') == id ? target.part
      : indexof(parts, (_, part) => part[0] == Shown(bufname()))
    var next = (now + by + len(parts)) % len(parts)
    target = {id: id, part: next}
    memory.Look(id, parts[next][0])
    response.Open(Document(id, parts[next][0]), true, 'httpresponse', () => {
      target = {}
    })
  endif
enddef

# Maps the keys of a response in the current buffer.
export def Map()
  nnoremap <buffer> <nowait> <Tab> <ScriptCmd>Turn(1)<CR>
  nnoremap <buffer> <nowait> <S-Tab> <ScriptCmd>Turn(-1)<CR>
  if Shown(bufname()) != 'history'
    for key in ['o', 'g/']
      execute printf('nnoremap <buffer> <nowait> %s <ScriptCmd>body.Select([])<CR>', key)
    endfor
    nnoremap <buffer> <nowait> Y <ScriptCmd>body.Path()<CR>
    nnoremap <buffer> <nowait> ]] <ScriptCmd>body.Page(v:count1)<CR>
    nnoremap <buffer> <nowait> [[ <ScriptCmd>body.Page(-v:count1)<CR>
    nnoremap <buffer> <nowait> gO <Cmd>PostKit symbols<CR>
    nnoremap <buffer> <nowait> gx <ScriptCmd>body.View()<CR>
  endif
  nnoremap <buffer> <nowait> g? <Cmd>help postkit-response-keys<CR>
enddef

# The bar below the response window: the parts, the one shown marked, and the environment.
export def Bar(): string
  var window = get(g:, 'statusline_winid', win_getid())
  var shown = Shown(bufname(winbufnr(window)))
  var tabs = mapnew(parts, (_, part) =>
    printf('%%#%s# %s ', part[0] == shown ? 'PostKitTabShown' : 'PostKitTab', part[1]))
  var buffer = winbufnr(window)
  var isWide = winwidth(window) >= wide_columns
  var right = isWide ? environment.Bar(buffer) .. '%=%#PostKitTab# %P ' : ''
  var taken = mapnew(parts, (_, part) => len(part[1]) + 2)->reduce((sum, each) => sum + each)
    + (isWide ? strdisplaywidth(environment.Active(buffer)) + 7 : 0)
  return join(tabs, '') .. Result(buffer, winwidth(window) - taken) .. '%#PostKitTab#' .. right
enddef

# What became of the send of a response, in so many columns of its bar.
def Result(buffer: number, columns: number): string
  var known = memory.Of(Exchange(bufname(buffer)))
  if empty(known) || columns < 6
    return ''
  endif
  var text = strdisplaywidth(known.summary) + 2 <= columns ? known.summary
    : printf('%.' .. (columns - 3) .. 'S…', known.summary)
  return printf('%%#%s# %s ', known.mood == 'done' ? 'PostKitTab' : 'PostKitBad',
    substitute(text, '%', '%%', 'g'))
enddef

# What a text says of the other pages of a body, as a person gets to them here.
export def Worded(name: string, lines: list<string>): list<string>
  var at = Exchange(name) == '' ? -1 : match(lines[: heading_lines], page)
  if at < 0
    return lines
  endif
  var [number, total] = matchlist(lines[at], page)[1 : 2]
  var keys = (number == total ? [] : ['next page: ]]']) + (number == '1' ? [] : ['previous page: [['])
  return slice(lines, 0, at) + [substitute(lines[at], ' Next page: \S\+$', '', '') .. ' ' .. join(keys, ' · ')]
    + slice(lines, at + 1)
enddef

# Makes a text that the server has no document for; false for any other name.
export def Make(name: string, Done: func): bool
  var id = Exchange(name)
  if name =~# identifier .. '/sent\.'
    Sent(id, Done)
  elseif name =~# identifier .. '/tests\.'
    Tests(id, Done)
  else
    return false
  endif
  return true
enddef

# The request as it was really sent.
def Sent(id: string, Done: func)
  client.Request('postkit/exchange', {id: id, part: 'request', view: 'headers'}, (head, error) => {
    if error != null
      config.Refused(error)
      return
    endif
    client.Request('postkit/exchange', {id: id, part: 'request', view: 'raw'}, (found, trouble) => {
      var lines = ['# Request as sent (secrets hidden).'] + split(head.data, '\r\?\n')
      if trouble != null
        add(lines, '# ' .. trouble.message)
      elseif found.total > 0 && found.encoding == 'utf-8'
        lines += [''] + words.Lines(found.data)
      elseif found.total > 0
        add(lines, '# ' .. found.size .. ' of binary data.')
      endif
      if trouble == null && !found.eof
        add(lines, '# The first part of ' .. found.size .. '.')
      endif
      Done(lines)
    })
  })
enddef

# The checks of a request, each with how it went, of the record of its exchange; `known` is what has
# come of that.
def Tests(id: string, Done: func, known = '')
  client.Request('postkit/exchange', {id: id, view: 'record', offset: strlen(known),
    length: piece_bytes}, (found, error) => {
    if error != null
      config.Refused(error)
      return
    endif
    var record = known .. found.data
    if found.eof
      Done(Checks(json_decode(record).tests, get(found, 'tests', '')))
    else
      Tests(id, Done, record)
    endif
  })
enddef

# Checks as lines: what they came to, then each, and below one that failed the reason.
def Checks(tests: list<dict<any>>, summary: string): list<string>
  if empty(tests)
    return ['This request has no tests. `?? status == 200` is one.']
  endif
  var lines = [summary]
  for test in tests
    add(lines, (test.passed ? '✓ ' : '✗ ') .. substitute(test.name, '\s*\n\s*', ' ', 'g'))
    extend(lines, split(test.message, '\r\?\n')->map((_, line) => '  ' .. line))
  endfor
  return lines
enddef

# Draws what belongs to a text in a buffer: how checks went, the waterfall behind the timings.
export def Decorate(buffer: number, name: string)
  if Exchange(name) == ''
    return
  endif
  highlight.Ready()
  if Shown(name) == 'tests'
    Verdicts(buffer)
  elseif Shown(name) == 'timings'
    Waterfall(buffer)
  endif
enddef

def Verdicts(buffer: number)
  for [index, line] in getbufline(buffer, 1, '$')->items()
    if line =~# '^[✓✗]'
      prop_add(index + 1, 1, {bufnr: buffer, length: strlen(line),
        type: line =~# '^✓' ? 'PostKitDone' : 'PostKitFailed'})
    endif
  endfor
enddef

# The steps that lines tell of, [lnum, start, end] each: one begins where the one before it ended.
def Steps(lines: list<string>): list<list<any>>
  var found: list<list<any>> = []
  var before = 0.0
  for [index, line] in items(lines)
    var hop = matchstr(line, '^redirect \d\+\s\+\zs\d.*$')
    var since = matchstr(line, ', \zs\d.*\ze since the start$')
    if hop .. since != ''
      var end = hop != '' ? before + words.Milliseconds(hop) : words.Milliseconds(since)
      add(found, [index + 1, before, end < before ? before : end])
      before = found[-1][2]
    endif
  endfor
  return found
enddef

# Draws bars behind the words, as wide as the window has room for.
def Waterfall(buffer: number)
  var lines = getbufline(buffer, 1, '$')
  var steps = Steps(lines)
  if empty(steps)
    return
  endif
  var column = mapnew(steps, (_, step) => strdisplaywidth(lines[step[0] - 1]))->max() + 2
  var windows = win_findbuf(buffer)
  var room = (empty(windows) ? 80 : winwidth(windows[0])) - column - 1
  var width = max([8, min([room, bar_columns])])
  var scale = width / (steps[-1][2] > 0.0 ? steps[-1][2] : 1.0)
  for [lnum, start, end] in steps
    var length = max([1, float2nr((end - start) * scale + 0.5)])
    var first = min([float2nr(start * scale + 0.5), width - length])
    prop_add(lnum, 0, {bufnr: buffer, type: 'PostKitBar', text_align: 'after',
      text: repeat(' ', column - strdisplaywidth(lines[lnum - 1]) + first) .. repeat('█', length)})
  endfor
enddef

# Shows what would be sent for the request under the cursor; nothing is.
export def Preview()
  if !document.HasRequests()
    return
  endif
  var argument = {uri: document.Uri(bufnr()), position: position.Cursor(), dryRun: true}
  client.WhenRunning(() => client.Execute('postkit.send', argument, (result, error) => {
    if error != null
      config.Refused(error)
      return
    endif
    var found = result.resolved
    var lines = ['# Preview: nothing has been sent.']
    extend(lines, mapnew(found.warnings, (_, each) => '# ' .. substitute(each, '\s\+', ' ', 'g')))
    add(lines, found.method .. ' ' .. found.url)
    extend(lines, mapnew(found.headers, (_, field) => join(field, ': ')))
    if has_key(found, 'body')
      extend(lines, [''] + split(found.body, '\r\?\n'))
    endif
    response.Display('postkit:/preview.http', lines)
  }))
enddef
