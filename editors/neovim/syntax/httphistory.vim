" Colours the list of sent exchanges.
if exists('b:current_syntax')
  finish
endif

syntax match httphistoryTime /^[-0-9:]\+\( [0-9:]\+\)\?/
  \ nextgroup=httphistoryGood,httphistoryBad skipwhite
syntax match httphistoryGood /[123]\d\d\>/ contained
syntax match httphistoryBad /\([45]\d\d\|failed\|cancelled\)\>/ contained
syntax match httphistoryMethod /\<[A-Z]\{3,}\>/
syntax match httphistoryEnvironment /\[[^\]]*\]$/

highlight default link httphistoryTime Comment
highlight default link httphistoryGood MoreMsg
highlight default link httphistoryBad WarningMsg
highlight default link httphistoryMethod Statement
highlight default link httphistoryEnvironment Special

let b:current_syntax = 'httphistory'
