vim9script
# Keeps the server's copy of every request buffer equal to Vim's, by line-wise incremental changes.

import autoload 'postkit/badge.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/complete.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/diagnostics.vim'
import autoload 'postkit/fold.vim'
import autoload 'postkit/hints.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/results.vim'
import autoload 'postkit/rivals.vim'
import autoload 'postkit/signature.vim'
import autoload 'postkit/uri.vim'
import autoload 'postkit/uses.vim'

# What is done at which event of a served buffer; %d is its number.
const calls = [
  ['BufWritePost', 'Saved(%d)'],
  ['BufUnload', 'Release(%d)'],
  ['BufFilePost', 'Renamed(%d)'],
  ['CursorMoved,CursorHold', 'diagnostics.Echo()'],
  ['CursorHold', 'uses.Show()'],
  ['CursorMoved', 'uses.Moved()'],
  ['BufLeave,InsertEnter', 'uses.Clear()'],
  ['TextChangedI,TextChangedP', 'Typed()'],
  ['InsertLeave,BufLeave', 'signature.Close()'],
  ['BufWinEnter', 'diagnostics.List(%d)'],
  ['CompleteDone', 'complete.Finish()'],
]

# By buffer number: {uri, version, opened, listener, ending, final, pending}.
var documents: dict<dict<any>> = {}
# The timer that tells the server of changes.
var sending = 0

# Whether PostKit serves a buffer.
export def Attached(bufnr: number): bool
  return Serves(bufnr)
enddef

def Serves(bufnr: number): bool
  return has_key(documents, string(bufnr))
enddef

# The buffers PostKit serves.
export def Buffers(): list<number>
  return Served()
enddef

def Served(): list<number>
  return keys(documents)->mapnew((_, key) => str2nr(key))
enddef

# The version the server has, 0 when it has none.
export def Version(bufnr: number): number
  return get(get(documents, string(bufnr), {}), 'version', 0)
enddef

# The URI of a buffer as it was announced to the server.
export def Uri(bufnr: number): string
  return Name(bufnr)
enddef

def Name(bufnr: number): string
  return get(get(documents, string(bufnr), {}), 'uri', uri.FromBuffer(bufnr))
enddef

# The buffer that was announced under a URI, or -1.
export def Buffer(name: string): number
  for [key, document] in items(documents)
    if document.uri == name
      return str2nr(key)
    endif
  endfor
  return -1
enddef

# Runs `Work` for a document of the server's that need not be in a buffer; it is open meanwhile.
export def Opened(name: string, Work: func)
  var isOpen = copy(documents)->filter((_, each) => each.uri ==# name && each.opened)->len() > 0
  if !isOpen
    client.Notify('textDocument/didOpen', {textDocument: {
      uri: name, languageId: 'http', version: 0, text: ''}})
  endif
  Work()
  if !isOpen
    client.Notify('textDocument/didClose', {textDocument: {uri: name}})
  endif
enddef

# Serves a buffer: starts the server when needed and keeps it informed from now on.
export def Attach(bufnr: number, asked = false)
  Serve(bufnr, asked)
enddef

def Serve(bufnr: number, asked = false)
  # The server's own documents have actions, but nobody edits them.
  if !bufloaded(bufnr)
      || (getbufvar(bufnr, '&buftype') != '' && bufname(bufnr) !~# '^postkit:')
    return
  endif
  if !Serves(bufnr)
    documents[bufnr] = {uri: uri.FromBuffer(bufnr), version: 0, opened: false, pending: {}}
    documents[bufnr].listener = listener_add(Changed, bufnr)
    Watch(bufnr)
    badge.Follow()
  endif
  if client.Start(uri.Root(bufnr), asked)
    rivals.Tell(bufnr)
    client.WhenRunning(() => Open(bufnr))
  endif
enddef

# Serves the current buffer for a command; says so and answers false when it holds no requests.
export def Ready(): bool
  return Usable()
enddef

def Usable(): bool
  if &filetype =~# '^\(http\|rest\)$'
    Serve(bufnr(), true)
  endif
  if !Serves(bufnr())
    config.Complain(printf('This is not a request file: its filetype is %s, not `http`.',
      &filetype == '' ? 'not set' : '`' .. &filetype .. '`'))
    return false
  endif
  return client.State() != 'stopped'
enddef

# As Ready(), for what is done with a request in its file: a response or a list of the server's,
# which has actions, is no such file.
export def HasRequests(): bool
  if bufname() =~# '^postkit:/'
    config.Complain('This command needs a request file. CTRL-W p goes back to it; `a` lists what '
      .. 'you can do here.')
    return false
  endif
  return Usable()
enddef

# Asks about the cursor's place, or with `more` about what it says, as soon as the server is ready;
# a refusal is told to the person, and anything else goes to `Done(result, bufnr)`.
export def Ask(method: string, more: dict<any>, Done: func)
  var buffer = bufnr()
  if !Usable()
    return
  endif
  var params = extend({position: position.Cursor()}, more)
  client.WhenRunning(() => client.Request(method,
    extend({textDocument: {uri: Name(buffer)}}, params), (result, error) => {
      if error != null
        config.Refused(error)
      else
        Done(result, buffer)
      endif
    }))
enddef

def Watch(bufnr: number)
  augroup postkit_buffer
    execute printf('autocmd! * <buffer=%d>', bufnr)
    for [event, call] in calls
      execute printf('autocmd %s <buffer=%d> %s', event, bufnr, substitute(call, '%d', bufnr, ''))
    endfor
  augroup END
enddef

# After each key in Insert mode, and before it is drawn: one call from here is cheaper than two.
def Typed()
  signature.Typed()
  complete.Typed()
enddef

# Stops serving a buffer.
export def Detach(bufnr: number)
  Release(bufnr)
enddef

def Release(bufnr: number)
  if !Serves(bufnr)
    return
  endif
  var document = remove(documents, string(bufnr))
  listener_remove(document.listener)
  execute printf('autocmd! postkit_buffer * <buffer=%d>', bufnr)
  if document.opened
    client.Notify('textDocument/didClose', {textDocument: {uri: document.uri}})
  endif
  results.Forget(bufnr)
  diagnostics.Forget(bufnr)
  hints.Forget(bufnr)
  fold.Forget(bufnr)
enddef

def Renamed(bufnr: number)
  Release(bufnr)
  Serve(bufnr)
enddef

# Announces every served buffer to a server that has just become ready.
export def OpenAll()
  for bufnr in Served()
    Open(bufnr)
  endfor
enddef

# Forgets what the server knew, because it has ended.
export def CloseAll()
  for [key, document] in items(documents)
    document.opened = false
    document.pending = {}
    diagnostics.Forget(str2nr(key))
    hints.Forget(str2nr(key))
  endfor
enddef

def Open(bufnr: number)
  if !Serves(bufnr) || documents[bufnr].opened || !bufloaded(bufnr)
    return
  endif
  var document = documents[bufnr]
  document.pending = {}
  document.opened = true
  document.version += 1
  document.ending = Ending(bufnr)
  document.final = Final(bufnr)
  client.Notify('textDocument/didOpen', {textDocument: {
    uri: document.uri, languageId: 'http', version: document.version, text: Text(bufnr)}})
  hints.Later(bufnr)
  fold.Later(bufnr)
enddef

# How the buffer's lines end in its file, since body bytes go on the wire as written.
def Ending(bufnr: number): string
  return {dos: "\r\n", mac: "\r"}->get(getbufvar(bufnr, '&fileformat'), "\n")
enddef

# Whether the last line has a line end in the file.
def Final(bufnr: number): bool
  return !!getbufvar(bufnr, '&endofline')
    || (getbufvar(bufnr, '&fixendofline') && !getbufvar(bufnr, '&binary'))
enddef

def Text(bufnr: number): string
  var document = documents[bufnr]
  var text = join(getbufline(bufnr, 1, '$'), document.ending)
  return document.final ? text .. document.ending : text
enddef

# Joins one change, given in the line numbers of its moment, to those not yet sent: lines
# `first` to before `old` of the text the server has are now lines `first` to before `new`.
def Changed(bufnr: number, start: number, end: number, added: number, changes: list<dict<number>>)
  if !Serves(bufnr) || !documents[bufnr].opened
    return
  endif
  var pending = documents[bufnr].pending
  for change in changes
    if empty(pending)
      extend(pending, {first: change.lnum, old: change.end, new: change.end + change.added})
    else
      var reach = max([pending.new, change.end])
      pending.old += reach - pending.new
      pending.new = reach + change.added
      pending.first = min([pending.first, change.lnum])
    endif
  endfor
  # Vim asks its listeners before it draws: the key is to be seen first, and told then.
  if sending == 0
    sending = timer_start(0, (_) => SendPending())
  endif
enddef

def SendPending()
  sending = 0
  for bufnr in Served()
    if documents[bufnr].opened && bufloaded(bufnr)
      # Of what was typed ahead Vim has not told yet; the lines are those after it.
      listener_flush(bufnr)
      Send(bufnr)
    endif
  endfor
enddef

def Send(bufnr: number)
  var document = documents[bufnr]
  var pending = document.pending
  if empty(pending)
    return
  endif
  document.pending = {}
  document.version += 1
  client.Notify('textDocument/didChange', {
    textDocument: {uri: document.uri, version: document.version},
    contentChanges: [Change(bufnr, document, pending)],
  })
  hints.Later(bufnr)
  fold.Later(bufnr)
enddef

def Change(bufnr: number, document: dict<any>, pending: dict<number>): dict<any>
  var last = getbufinfo(bufnr)[0].linecount
  var reaches_end = pending.new > last
  var same = document.ending == Ending(bufnr) && document.final == Final(bufnr)
  if !same || (reaches_end && !document.final)
    document.ending = Ending(bufnr)
    document.final = Final(bufnr)
    return {text: Text(bufnr)}
  endif
  var lines = getbufline(bufnr, pending.first, pending.new - 1)
  return {
    range: {
      start: {line: pending.first - 1, character: 0},
      end: {line: pending.old - 1, character: 0},
    },
    text: join(mapnew(lines, (_, line) => line .. document.ending), ''),
  }
enddef

# Tells the server about all changes up to now.
export def FlushAll()
  for bufnr in Served()
    Flush(bufnr)
  endfor
enddef

def Flush(bufnr: number)
  if !bufloaded(bufnr)
    return
  endif
  listener_flush(bufnr)
  var document = documents[bufnr]
  if document.opened
    Send(bufnr)
  endif
  if document.opened && (document.ending != Ending(bufnr) || document.final != Final(bufnr))
    document.pending = {first: 1, old: 1, new: getbufinfo(bufnr)[0].linecount + 1}
    Send(bufnr)
  endif
enddef

def Saved(bufnr: number)
  Flush(bufnr)
  client.Notify('textDocument/didSave', {textDocument: {uri: documents[bufnr].uri}})
enddef
