" Colours a list of the server's: every line is a comment, and its last word tells what it is about.
if exists('b:current_syntax')
  finish
endif

syntax match httplistMark /^# \=/ conceal
syntax match httplistTime /^# \(\d\{4}-\d\d-\d\d \)\=\d\d:\d\d  /hs=s+2 contains=httplistMark
syntax match httplistGood /  \zs[123]\d\d\ze  \s*\d/
syntax match httplistBad /  \zs[45]\d\d\ze  \s*\d/
syntax match httplistBad /  \zs\(\l\+-\)*\l\+\ze\s\+\(\d\+ ms\|\d\+\.\d s\|\d\+ min \d\+ s\)  /
syntax match httplistDay /^# \(Yesterday\|\u\l\+day\), \d\+ \u\l\+ \d\{4}$/ contains=httplistMark
syntax match httplistMethod /\<\(GET\|POST\|PUT\|PATCH\|DELETE\|HEAD\|OPTIONS\|QUERY\)\>/
syntax match httplistFolder /^#\s\+[^ ].*\/\ze\%(\s\+\x\{8}-[-0-9a-f]*\)\=$/ contains=httplistMark
syntax match httplistFavourite /  ★\ze  /
syntax match httplistLabel /\<pinned\>\|\[[^\]]*\]/
syntax match httplistId /\s\+\S*\x\{8}-\x\{4}-\x\{4}-\x\{4}-\x\{12}\S*$/ conceal
syntax match httplistId /\s\+\x\{16}$/ conceal
syntax match httplistId /\s\+postkit:\/history?\S*$/ conceal
syntax match httplistDay /^# \u\+ \+COUNT .*$/ contains=httplistMark

highlight default link httplistTime Comment
highlight default link httplistDay Title
highlight default link httplistGood MoreMsg
highlight default link httplistBad WarningMsg
highlight default link httplistMethod Statement
highlight default link httplistFolder Directory
highlight default link httplistFavourite Special
highlight default link httplistLabel Special

let b:current_syntax = 'httplist'
