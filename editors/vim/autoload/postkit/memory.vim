vim9script
# Keeps what this Vim knows of the exchanges that it has sent: how their response is called, what is
# in it, and which part of the responses of a request was looked at last.

import autoload 'postkit/words.vim'

# So many exchanges are known; the oldest are forgotten.
const limit = 500

# By id of the exchange: {request, summary, mood, type, size}.
var exchanges: dict<dict<any>> = {}
# The ids, oldest first.
var order: list<string> = []
# By request: the part that was looked at last.
var looked: dict<string> = {}

# Notes a reply to a request of a buffer, or to one that was sent again from the history.
export def Keep(reply: dict<any>, bufnr: number, before = '')
  if has_key(exchanges, reply.id) || get(reply, 'id', '') == ''
    return
  endif
  var name = get(reply, 'name', '') ?? get(reply, 'method', '') .. ' '
    .. substitute(get(reply, 'url', ''), '[?#].*', '', '')
  exchanges[reply.id] = {
    request: get(get(exchanges, before, {}), 'request', bufname(bufnr) .. "\n" .. name),
    summary: words.Summary(reply), mood: words.Mood(reply),
    type: tolower(get(reply, 'contentType', '')), size: float2nr(get(reply, 'size', 0) * 1.0),
  }
  add(order, reply.id)
  if len(order) > limit
    remove(exchanges, remove(order, 0))
  endif
enddef

# What is known of an exchange; nothing of one that this Vim did not send.
export def Of(id: string): dict<any>
  return get(exchanges, id, {})
enddef

# Notes that a person looks at a part of a response.
export def Look(id: string, part: string)
  if has_key(exchanges, id)
    looked[exchanges[id].request] = part
  endif
enddef

# The part that was looked at last of the responses of the request of an exchange, '' for none.
export def Looked(id: string): string
  return has_key(exchanges, id) ? get(looked, exchanges[id].request, '') : ''
enddef
