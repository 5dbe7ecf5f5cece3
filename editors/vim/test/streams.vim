vim9script
# Responses that go on for long: how they are shown as they come, and how long they hold Vim up.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/response.vim'

# Lines of a stream that are as much as a page of a response shows.
const page_lines = 10000
# How much longer a large response may hold up Vim than one of a page, and a page than the work that
# is the same without a plugin: the kernel counts in steps of some milliseconds.
const bare_turns = 8
const [most_of_page, most_of_bare] = [3.0, 5.0]

# How many milliseconds of a processor this Vim has used, by the kernel's count.
def Used(): float
  return str2float(readfile('/proc/self/schedstat')[0]) / 1000000
enddef

# max() and min() of Vim 9.0 take no floats.
def More(one: float, other: float): float
  return one > other ? one : other
enddef

def Less(one: float, other: float): float
  return one < other ? one : other
enddef

# The longest that Vim was not there for a key while `Waits` waits, as [processor, clock] in
# milliseconds: what goes by between the ticks of a timer, and behind the last. Only the processor's
# time is Vim's own doing.
def Longest(Waits: func): list<float>
  var last = reltime()
  var used = Used()
  var found = [0.0, 0.0]
  var Note = () => {
    found = [More(found[0], Used() - used), More(found[1], reltimefloat(reltime(last)) * 1000)]
    last = reltime()
    used = Used()
  }
  var ticker = timer_start(2, (_) => Note(), {repeat: -1})
  Waits()
  timer_stop(ticker)
  Note()
  return found
enddef

# The first lines of the response that is shown: to look at all of them time and again would be work
# of its own.
def Beginning(): string
  var window = response.Window()
  return window == 0 ? '' : getbufline(winbufnr(window), 1, 3)->join()
enddef

# Sends a stream of so many lines; the words that its line went through, the text that is shown and
# what `Longest` finds.
def Stream(count: number): list<any>
  work.Make('stream.http', [printf('GET {{$exampleServer}}/stream/%d?pad=%s', count,
    repeat('x', 40))])
  var told: dict<bool> = {}
  var before = len(work.replies)
  PostKit send
  var longest = Longest(() => support.Wait(() => {
    told[get(work.Behind(1), 'text', '')] = true
    return len(work.replies) > before && Beginning() =~# '/stream/' .. count .. '?.*HTTP/1.1 200'
  }, 'the end of the stream', 100000))
  support.True(work.replies[-1].size > count * 100, 'the size: ' .. string(work.replies[-1].size))
  # A long text is written bit by bit.
  var size = -1
  while size < strlen(work.ResponseText())
    size = strlen(work.ResponseText())
    sleep 20m
  endwhile
  return [keys(told), size] + longest
enddef

# A response of 100 MB must hold up Vim no longer than one of a single page, which is as much as is
# shown at once; nor that one longer than the work that every page takes.
def Streams()
  var told: list<string> = []
  var [page, large, bare] = [1.0e9, 1.0e9, 1.0e9]
  # The least of some counts, each for itself: what Vim always does, it does each time.
  for turn in range(5)
    var [_, whole, one, _] = Stream(page_lines)
    bare = Less(bare, Bare())
    var [words, shown, longest, _] = Stream(page_lines * 100)
    support.True(shown < whole * 11 / 10,
      printf('%d bytes are shown at once, of one page %d', shown, whole))
    extend(told, words)
    [page, large] = [Less(page, one), Less(large, longest)]
    if large < page * most_of_page && page < bare * most_of_bare
      break
    endif
  endfor
  # How often it is told goes by the clock, and a fast machine is done within a second.
  support.True(match(told, '^receiving… 200  [0-9.]* k\?M\?B  [0-9.]\+ s$') >= 0,
    'bytes so far: ' .. string(told))
  var figures = printf('longest block %.1f ms of its own, for one page %.1f, bare %.1f',
    large, page, bare)
  support.True(large < page * most_of_page && page < bare * most_of_bare, figures)
  support.Detail(figures)
enddef

# How many milliseconds of the processor a Vim without a plugin needs for the text of the response
# that is shown: to take the message apart, to split it, to write it into a buffer.
def Bare(): float
  var message = json_encode({id: 1, result: {text: work.ResponseText()}})
  var buffer = bufadd('')
  setbufvar(buffer, '&swapfile', 0)
  silent bufload(buffer)
  var used = Used()
  for _ in range(bare_turns)
    setbufline(buffer, 1, split(json_decode(message).result.text, "\n", true))
  endfor
  used = Used() - used
  execute 'bwipeout! ' .. buffer
  return used / bare_turns
enddef

# More lines of a stream come while the first are still written: each stands where it belongs.
def Grows()
  work.Open('requests.http')
  var lines = range(3500)->mapnew((_, number) => 'line ' .. number)
  response.Live(copy(lines), bufnr())
  support.True(response.Grow(['line 3499, whole', 'line 3500']), 'the stream is shown')
  support.True(response.Grow(['line 3500, whole', 'line 3501']), 'the stream is still shown')
  var expected = lines[: -2] + ['line 3499, whole', 'line 3500, whole', 'line 3501']
  support.Wait(() => getbufline(winbufnr(response.Window()), '$') == ['line 3501']
    && getbufinfo(winbufnr(response.Window()))[0].linecount >= len(expected), 'all lines')
  var shown = getbufline(winbufnr(response.Window()), 1, '$')
  var at = indexof(expected, (index, line) => get(shown, index, '') !=# line)
  support.Same([len(shown), at < 0 ? '' : shown[at]], [len(expected), ''],
    'the number of lines, and the first that is wrong')
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E31', 'large stream', Streams)
  support.Run('E31', 'stream that grows', Grows)
enddef
