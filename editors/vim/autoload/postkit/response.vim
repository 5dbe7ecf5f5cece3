vim9script
# Shows responses in one window beside the requests and lists in one below them, which are made once
# and used again.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/lists.vim'
import autoload 'postkit/parts.vim'
import autoload 'postkit/texts.vim'
import autoload 'postkit/uri.vim'
import autoload 'postkit/variables.vim'
import autoload 'postkit/words.vim'

# The name of a response that is still being received.
const live_name = 'postkit:/receiving.http'

# The name of the sentence that stands where a response would be.
const failed_name = 'postkit:/failed'

# How often something was opened, by the kind of window.
var opened: dict<number> = {}

# Answers window/showDocument.
export def Show(params: dict<any>): bool
  var focus = get(params, 'takeFocus', false)
  if get(params, 'external', false)
    return Outside(params.uri)
  endif
  if params.uri =~# '^postkit:' || params.uri =~# '/view/[^/]\+$'
    Load(params.uri, focus)
    return true
  endif
  if params.uri !~# '^file:'
    return false
  endif
  if focus
    Depart()
  endif
  var path = uri.ToPath(params.uri)
  # A stored request that another Vim shows as well is no cause for a question about swap files.
  execute (path =~# '/view/\l\+/' ? 'noswapfile ' : '')
    .. (focus && (&hidden || !&modified) ? 'edit ' : 'split ') .. fnameescape(path)
  # Of secrets that were typed in defaults the server leaves masks.
  &l:autoread = path =~# '/view/defaults/' ? true : &g:autoread
  return true
enddef

# Leaves a window of ours for one with a file, so that what opens next takes no list's place.
export def Leave()
  Depart()
enddef

def Depart()
  if win_getid() != Answers() && win_getid() != Lists()
    return
  endif
  for info in getwininfo()
    if info.tabnr == tabpagenr() && getbufvar(info.bufnr, '&buftype') == ''
      win_gotoid(info.winid)
      return
    endif
  endfor
  topleft new
enddef

# Has the system open an address or a file; false where it has no program for that.
export def External(address: string): bool
  return Outside(address)
enddef

def Outside(address: string): bool
  for opener in ['xdg-open', 'open']
    if executable(opener)
      job_start([opener, address], {in_io: 'null', out_io: 'null', err_io: 'null'})
      return true
    endif
  endfor
  return false
enddef

# Fetches a document and shows it in the window for its kind, or for that of `shows`, in the tab
# page that has the buffer `near`; the cursor follows only with `focus`. `Then` runs when it is there.
export def Open(name: string, focus: bool, shows = Filetype(name), Then: func = null_function,
    near = 0)
  Load(name, focus, shows, Then, near)
enddef

def Load(name: string, focus: bool, shows = Filetype(name), Then: func = null_function,
    near = 0)
  opened[shows] = get(opened, shows, 0) + 1
  var turn = opened[shows]
  Fetch(name, (lines) => {
    # The server may answer in another order; what was asked for last is what is wanted.
    if opened[shows] == turn
      Place(name, lines, focus, shows, Then, near)
    endif
  })
enddef

# Shows lines of our own in the response window.
export def Display(name: string, lines: list<string>, near = 0)
  Present(name, lines, near)
enddef

def Present(name: string, lines: list<string>, near = 0)
  Place(name, lines, false, 'httpresponse', null_function, near)
enddef

# Shows the beginning of a response that is still being received.
export def Live(lines: list<string>, near: number)
  Present(live_name, lines, near)
enddef

# Adds lines to such a response, the first of them to its last line; false when it is not shown.
# A view at the end follows it.
export def Grow(lines: list<string>): bool
  var buffer = bufnr(live_name)
  if buffer < 0 || !bufloaded(buffer)
    return false
  endif
  var count = getbufinfo(buffer)[0].linecount
  texts.Extend(buffer, lines)
  for window in win_findbuf(buffer)
    if line('.', window) == count && window != win_getid()
      win_execute(window, 'normal! G')
    endif
  endfor
  return true
enddef

# Fetches a document again that a window shows, for it has changed; the cursor stays on its line,
# which is known by its last word.
export def Refresh(name: string)
  var buffer = bufnr('^' .. escape(name, '\*?[{,') .. '$')
  if buffer > 0 && bufloaded(buffer)
    Fetch(name, (lines) => Renew(buffer, lines))
  endif
enddef

def Renew(buffer: number, lines: list<string>)
  var places = win_findbuf(buffer)->mapnew((_, window) =>
    [window, matchstr(getbufline(buffer, line('.', window))->get(0, ''), '\S\+$')])
  Put(buffer, lines)
  for [window, word] in places
    var lnum = indexof(lines, (_, text) => word != '' && text[- strlen(word) :] ==# word) + 1
    if lnum > 0
      win_execute(window, printf('cursor(%d, 1)', lnum))
    endif
  endfor
enddef

# Fetches a document into a buffer that shows another one. Where there is none, such as of a filter
# that is still being typed, nothing changes.
export def Refetch(buffer: number, name: string)
  Fetch(name, (lines) => Put(buffer, lines), (_) => null)
enddef

# Fills a buffer that was opened by a postkit: name, before which Vim may have put a folder.
export def Read(path: string, bufnr: number)
  var name = matchstr(path, 'postkit:/.*')
  texts.Prepare(bufnr)
  Fetch(name, (lines) => Put(bufnr, lines))
enddef

def Fetch(name: string, Done: func, Failed: func = config.Complain)
  if parts.Make(name, Done) || variables.Make(name, Done)
    return
  endif
  if name =~# '^file:'
    var path = uri.ToPath(name)
    if filereadable(path)
      Done(readfile(path))
    else
      config.Complain('Cannot read ' .. path .. '.')
    endif
    return
  endif
  client.Request('workspace/textDocumentContent', {uri: name}, (result, error) => {
    if error != null
      # What a path does not select is told as a sentence.
      Failed((name =~# '?select=' ? '' : 'Cannot show the response: ') .. error.message)
    else
      Done(words.Lines(result.text))
    endif
  })
enddef

# The window of this tab page that shows responses, 0 when there is none.
export def Window(): number
  return Answers()
enddef

def Answers(): number
  return Find('httpresponse')
enddef

# The window of this tab page that shows a list, 0 when there is none.
export def ListWindow(): number
  return Lists()
enddef

def Lists(): number
  return Find('httplist')
enddef

def Find(filetype: string): number
  for info in getwininfo()
    if info.tabnr == tabpagenr() && get(info.variables, 'postkit_shows', '') == filetype
        && getbufvar(info.bufnr, '&filetype') =~# '^http\(response\|list\)$'
      return info.winid
    endif
  endfor
  return 0
enddef

def Filetype(name: string): string
  return lists.IsList(name) ? 'httplist' : 'httpresponse'
enddef

def Place(name: string, lines: list<string>, focus: bool, filetype: string, Then: func,
    near = 0)
  if mode(1) =~# '^\(c\|r.\?\|!\|t\)$' || pumvisible() || getcmdwintype() != ''
    timer_start(100, (_) => Place(name, lines, focus, filetype, Then, near))
    return
  endif
  var from = win_getid()
  # To leave a window ends a selection, which is taken up again.
  var selecting = mode() =~# "[vV\<C-V>]" ? 'gv' : mode() =~# "[sS\<C-S>]" ? "gv\<C-G>" : ''
  var others = near > 0 && bufwinid(near) < 0 ? win_findbuf(near) : []
  if !empty(others)
    Elsewhere(name, lines, filetype, Then, others[0])
    return
  endif
  var window = Find(filetype)
  if window == 0
    var height = max([6, min([len(lines) + 1, 12, &lines / 3])])
    silent execute filetype == 'httplist' ? 'botright :' .. height .. 'new' : Split() .. ' new'
    w:postkit_shows = filetype
    window = win_getid()
    &l:winfixheight = filetype == 'httplist'
    Balance()
  else
    win_gotoid(window)
  endif
  var buffer = bufadd(name)
  if bufnr() != buffer
    # Loaded in silence, for it is filled below; what the window shows until now must hear of it.
    texts.Prepare(buffer)
    silent noautocmd bufload(buffer)
    execute 'keepalt silent buffer ' .. buffer
  endif
  texts.Prepare(buffer)
  Put(buffer, lines)
  Dress(name, lines)
  if !focus
    win_gotoid(from)
    if selecting != ''
      execute 'normal! ' .. selecting
    endif
  endif
  # What was drawn within a callback would have Vim wait for a key after the next command.
  redraw
  if mode(1) == 'n' && state('moaxwS') == ''
    # Nor is that enough behind the first response; Vim forgets it with a key, which does nothing.
    feedkeys("\<Ignore>", 'n')
  endif
  if Then != null_function
    Then()
  endif
enddef

# Gives the response window a quarter of the rows where a list has left it fewer: a new window takes
# its rows from the one above it alone. The list keeps its own.
def Balance()
  var window = Answers()
  if window > 0 && winheight(window) < &lines / 4
    win_execute(window, 'resize ' .. &lines / 4)
  endif
enddef

# As Place(), in the tab page of a window; neither its cursor nor that of this one moves.
def Elsewhere(name: string, lines: list<string>, filetype: string, Then: func, window: number)
  var from = win_getid()
  var page = win_id2tabwin(window)[0]
  win_gotoid(win_getid(tabpagewinnr(page), page))
  Place(name, lines, false, filetype, Then)
  win_gotoid(from)
enddef

# Gives the current window, which shows a response or list, its looks and its keys.
def Dress(name: string, lines: list<string>)
  var isList = Filetype(name) == 'httplist'
  setlocal nonumber norelativenumber signcolumn=no nolist synmaxcol=500 nofoldenable
  &l:wrap = !isList
  &l:linebreak = !isList
  &l:cursorline = isList
  &l:conceallevel = isList ? 2 : 0
  if isList
    setlocal concealcursor=n
  endif
  lists.Map()
  if parts.Id(name) != ''
    parts.Map()
    setlocal statusline=%!postkit#parts#Bar()
  else
    setlocal statusline=%!postkit#lists#Bar()
  endif
  cursor(isList ? max([1, lists.First(lines)]) : 1, 1)
enddef

# Fills the windows that a session has made for responses and lists; what can't come again, such as
# a response that was still being received, loses its window.
export def Restore()
  # Vim tells each hidden buffer of it in a window of its own, which can't be closed.
  for info in getwininfo()->filter((_, info) => win_gettype(info.winid) == '')
    var name = matchstr(bufname(info.bufnr), 'postkit:/.*')
    if name != '' && (parts.Id(name) != '' || (lists.IsList(name) && name !=# 'postkit:/variables'))
      Reopen(info.winid, info.bufnr, name)
    elseif name != ''
      win_execute(info.winid, 'silent! close')
    endif
  endfor
enddef

def Reopen(window: number, buffer: number, name: string)
  texts.Prepare(buffer)
  setwinvar(window, 'postkit_shows', Filetype(name))
  var Filled = (lines) => Refill(window, buffer, name, lines)
  if client.Ensure()
    client.WhenRunning(() => Fetch(name, Filled))
  endif
enddef

def Refill(window: number, buffer: number, name: string, lines: list<string>)
  if bufloaded(buffer) && winbufnr(window) == buffer
    var from = win_getid()
    Put(buffer, lines)
    win_gotoid(window)
    Dress(name, lines)
    win_gotoid(from)
  endif
enddef

# How many rows the response window has, or will have once it is made.
export def Room(): number
  var window = Answers()
  return window > 0 ? winheight(window) : Split() =~# 'vert' ? winheight(0) : winheight(0) / 2
enddef

# Beside when there is room for two columns, else below.
def Split(): string
  var wish = config.Get('split')
  return wish != '' ? wish : &columns >= 140 ? 'vertical botright' : 'botright'
enddef

# Writes lines into a buffer of ours, in place of what it has.
export def Fill(buffer: number, given: list<string>)
  Put(buffer, given)
enddef

def Put(buffer: number, given: list<string>)
  if !bufloaded(buffer)
    return
  endif
  var name = bufname(buffer)
  var lines = !lists.IsList(name) ? parts.Worded(name, given)
    : lists.Narrowed(buffer, lists.Worded(name, given))
  texts.Pour(buffer, lines, lists.IsList(name))
  if getbufvar(buffer, '&filetype') != Filetype(name)
    setbufvar(buffer, '&filetype', Filetype(name))
    Paint(buffer, name)
  endif
  parts.Decorate(buffer, name)
  if name =~# '^postkit:' && name !=# live_name && name !=# failed_name
      && client.State() == 'running'
    # The server offers what can be done with a response or a line of a list. It made them, so that
    # none is started for them.
    document.Attach(buffer)
  endif
enddef

# The colours of a body that stands alone are those of its language, as its name tells.
def Paint(buffer: number, name: string)
  var language = matchstr(name, '/\(body\|raw\)\.\zs\(json\|xml\|html\|css\|js\|svg\)\ze\(?\|$\)')
  if language != ''
    setbufvar(buffer, '&syntax', {js: 'javascript', svg: 'xml'}->get(language, language))
  elseif name =~# '/sent\.http$'
    setbufvar(buffer, '&syntax', 'http')
  endif
enddef

# Writes a sentence over an open response window, so that an old answer is not taken for a new one.
export def Replace(sentence: string)
  var window = Answers()
  if window > 0
    Present(failed_name, [sentence])
  endif
enddef
