-- Queries for the tree-sitter grammar `http`, where it is installed and nobody else has any for it.
-- Releases of that grammar name their nodes differently: what one doesn't know is left out, so that
-- there is a pattern here for each of the names. test/grammars.lua knows the nodes of three of them.
local M = {}

--- What is asked of the grammar, by kind of query; later patterns stand above earlier ones.
---@type table<string, string[]>
M.patterns = {
  highlights = {
    '(comment) @comment',
    '(comment "@" @keyword name: (_) @keyword)',
    '(request_separator) @markup.heading',
    '(method) @function.method',
    '(target_url) @string.special.url',
    '(http_version) @constant',
    '(header name: (_) @property)',
    '(header value: (_) @string)',
    '(header ":" @punctuation.delimiter)',
    '(variable_declaration name: (_) @variable)',
    '(variable_declaration value: (_) @string)',
    '(variable_declaration "@" @punctuation.special)',
    '(variable name: (_) @variable)',
    '(variable ["{{" "}}"] @punctuation.special)',
    '(external_body path: (_) @string.special.path)',
    '(external_body file_path: (_) @string.special.path)',
    '(pre_request_script (path) @string.special.path)',
    '(res_handler_script (path) @string.special.path)',
    '(res_redirect path: (_) @string.special.path)',
    '(query_param key: (_) @property)',
    '(status_code) @number',
    '(status_text) @string',
  },
  injections = {
    '((json_body) @injection.content (#set! injection.language "json"))',
    '((xml_body) @injection.content (#set! injection.language "xml"))',
    -- The query alone is a part of the one or the other; what has parts is injected without them.
    '((graphql_body) @injection.content (#set! injection.language "graphql"))',
    '((graphql_data) @injection.content (#set! injection.language "graphql"))',
    '((script) @injection.content (#set! injection.language "javascript")'
      .. ' (#offset! @injection.content 0 2 0 -2))',
  },
  folds = {
    '(section) @fold',
    '(request_section) @fold',
    '(json_body) @fold',
    '(xml_body) @fold',
  },
}

local done = false

--- Gives the grammar its queries, once; answers how many patterns of each kind it knows.
---@return table<string, integer>? counts nil without the grammar
function M.add()
  if not vim.treesitter.language.add('http') then
    return nil
  end
  local counts = {}
  for kind, all in pairs(M.patterns) do
    local fitting = vim.tbl_filter(function(pattern)
      return (pcall(vim.treesitter.query.parse, 'http', pattern))
    end, all)
    counts[kind] = #fitting
    if not done and #vim.treesitter.query.get_files('http', kind) == 0 then
      vim.treesitter.query.set('http', kind, table.concat(fitting, '\n'))
    end
  end
  done = true
  return counts
end

return M
