-- The nodes of three releases of the tree-sitter grammar `http` (rest-nvim/tree-sitter-http), and
-- what of a query each of them has. They are facts of its node types, not the grammar, which isn't
-- in a package of Debian or PyPI: for each node its fields with what they hold, its named children
-- outside of fields, and its words. What a document can't reach is left away, as a query for it is
-- an error.
local leaf = {}

local variable = { fields = { name = 'identifier' }, words = '{{ }}' }
local response = { children = 'http_version status_code status_text' }

-- Of 2023.
local requests = {
  authority = { children = 'pair', words = '@' },
  boolean = leaf, comment = leaf, identifier = leaf, json_body = leaf, key = leaf, method = leaf,
  name = leaf, number = leaf, port = { words = ':' }, scheme = leaf, script_variable = leaf,
  status_code = leaf, status_text = leaf, string = leaf, xml_body = leaf,
  document = { children = 'comment request script_variable variable variable_declaration' },
  external_body = { fields = { file_path = 'path' }, children = 'identifier', words = '< @' },
  form_data = { fields = { name = 'identifier', value = 'value' }, words = '= &' },
  fragment = { fields = { identifier = 'identifier' }, words = '#' },
  graphql_body = { children = 'identifier', words = 'query mutation (' },
  header = { fields = { name = 'name', value = 'value variable' }, words = ':' },
  host = { children = 'identifier port' },
  http_version = { words = 'HTTP/' },
  pair = { fields = { name = 'identifier', value = 'identifier' }, words = ':' },
  path = { children = 'identifier variable', words = '/' },
  query_param = { fields = { key = 'key', value = 'value variable' }, words = '& ? =' },
  request = { children = 'external_body form_data graphql_body header http_version json_body'
    .. ' method response target_url xml_body' },
  response = response,
  target_url = { children = 'authority fragment host path query_param scheme variable',
    words = '://' },
  value = { fields = { name = 'identifier' }, children = 'authority host scheme' },
  variable = variable,
  variable_declaration = { fields = { name = 'identifier', value = 'boolean number string' },
    words = '@ =' },
}

-- Of summer 2024.
local sections_of_requests = {
  comment = leaf, graphql_body = { words = 'query mutation' }, header_entity = leaf,
  http_version = leaf, identifier = leaf, json_body = leaf, method = leaf, status_code = leaf,
  status_text = leaf, xml_body = leaf,
  document = { children = 'request_section request_separator' },
  external_body = { fields = { name = 'identifier', path = 'value' }, words = '< @' },
  form_data = { children = 'query_param', words = '&' },
  graphql_data = { children = 'graphql_body json_body' },
  header = { fields = { name = 'header_entity', value = 'value' }, words = ':' },
  multipart_form_data = { children = 'comment external_body', words = '--' },
  pre_request_script = { children = 'script', words = '<' },
  query_param = { fields = { key = 'value', value = 'value' }, words = '=' },
  request = {
    fields = {
      body = 'external_body form_data graphql_data json_body multipart_form_data xml_body',
      header = 'header', method = 'method', url = 'target_url', version = 'http_version',
    },
    children = 'comment response',
  },
  request_section = { fields = { request = 'request' }, children = 'comment pre_request_script'
    .. ' request_separator res_handler_script variable_declaration' },
  request_separator = { words = '###' },
  res_handler_script = { children = 'script', words = '>' },
  response = response,
  script = { words = '{% %}' },
  target_url = { children = 'variable' },
  value = { children = 'variable' },
  variable = variable,
  variable_declaration = { fields = { name = 'identifier', value = 'value' }, words = '@ =' },
}

-- What came after it.
local sections = {
  graphql_data = leaf, header_entity = leaf, http_version = leaf, identifier = leaf,
  json_body = leaf, method = leaf, raw_body = leaf, status_code = leaf, status_text = leaf,
  xml_body = leaf,
  comment = { fields = { name = 'identifier', value = 'value' }, words = '@ =' },
  document = { children = 'section' },
  external_body = { fields = { path = 'path' }, words = '<' },
  graphql_body = { children = 'graphql_data json_body' },
  header = { fields = { name = 'header_entity', value = 'value' }, words = ':' },
  multipart_form_data = { children = 'comment external_body', words = '--' },
  path = { children = 'variable' },
  pre_request_script = { children = 'script path', words = '<' },
  request = {
    fields = {
      body = 'raw_body multipart_form_data xml_body json_body graphql_body external_body',
      header = 'header', method = 'method', url = 'target_url', version = 'http_version',
    },
    children = 'comment response res_handler_script res_redirect',
  },
  request_separator = { fields = { value = 'value' } },
  res_handler_script = { children = 'script path', words = '>' },
  res_redirect = { fields = { path = 'path' } },
  response = response,
  script = { words = '{% %}' },
  section = { fields = { request = 'request' }, children = 'comment pre_request_script'
    .. ' request_separator variable_declaration' },
  target_url = { children = 'variable' },
  value = { children = 'variable' },
  variable = variable,
  variable_declaration = { fields = { name = 'identifier', value = 'value' }, words = '@ =' },
}

local function has(list, word)
  return list and (' ' .. list .. ' '):find(' ' .. word .. ' ', 1, true) ~= nil
end

-- Every list must name nodes that are there, or a slip here would let one pass in the patterns.
local function checked(nodes)
  for name, node in pairs(nodes) do
    local lists = vim.tbl_values(node.fields or {})
    lists[#lists + 1] = node.children
    for child in table.concat(lists, ' '):gmatch('%S+') do
      assert(nodes[child], name .. ' holds ' .. child .. ', which is no node')
    end
  end
  return nodes
end

local function tokens(pattern)
  local found, at = {}, 1
  while at <= #pattern do
    local token = pattern:match('^"[^"]*"', at) or pattern:match('^[^%s()%[%]"]+', at)
      or pattern:match('^[()%[%]]', at)
    found[#found + 1] = token
    at = at + (token and #token or 1)
  end
  return found
end

-- Whether a node, `parent`, has the child that a token names, in a field or outside of fields.
local function holds(nodes, parent, field, token)
  local node = parent and nodes[parent] or leaf
  if field and not (node.fields or leaf)[field] then
    return false
  elseif token:sub(1, 1) == '"' then
    return not parent or has(node.words, token:sub(2, -2))
  elseif token == '_' then
    return true
  end
  return nodes[token] and (not parent or has(field and node.fields[field] or node.children, token))
end

-- Whether all of a pattern is in a grammar.
local function fits(nodes, pattern)
  local all, at, good = tokens(pattern), 1, true
  local function see(parent, field, token)
    good = good and holds(nodes, parent, field, token)
  end
  local function read(parent, last)
    local field
    while all[at] and all[at] ~= last do
      local token = all[at]
      at = at + 1
      local named = token:match('^([%w_]+):$')
      if token == '(' and all[at]:match('^#') then
        repeat at = at + 1 until all[at - 1] == ')'
      elseif token == '(' and all[at]:match('^[%w_]+$') then
        see(parent, field, all[at])
        at = at + 1
        read(all[at - 1], ')')
        at = at + 1
      elseif token == '(' or token == '[' then
        read(parent, token == '(' and ')' or ']')
        at = at + 1
      elseif token:match('^["%w_]') and not named then
        see(parent, field, token)
      end
      field = named
    end
  end
  read()
  return good and true or false
end

local function release(name, nodes)
  checked(nodes)
  return {
    name = name,
    --- The patterns that the release has not all of, kind by kind.
    left_out = function(patterns)
      local found = {}
      for _, kind in ipairs({ 'highlights', 'injections', 'folds' }) do
        vim.list_extend(found, vim.tbl_filter(function(pattern)
          return not fits(nodes, pattern)
        end, patterns[kind]))
      end
      return found
    end,
  }
end

return {
  release('with sections', sections),
  release('with sections of requests', sections_of_requests),
  release('with requests', requests),
}
