-- What descriptions of APIs and schemas of GraphQL give in Neovim: rows N21 to N23.
local client, project = require('postkit.client'), require('project')
local support = require('support')
local wait, same = support.wait, support.same
local write, open, set, go = project.write, project.open, project.set, project.go
local line, all, name = project.line, project.all, project.name

local M = {}

-- What completion offers in front of a text, as far as a description has something to say.
local function described(text)
  go(text)
  local params = vim.lsp.util.make_position_params(0, client.of(0).offset_encoding)
  local found = {}
  wait(function()
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 5000)
    local _, answer = next(answers or {})
    found = vim.tbl_filter(function(item) return item.detail end, answer.result.items)
    return not answer.result.isIncomplete
  end, 'the description to be read')
  return vim.tbl_map(function(item) return item.label end, found)
end

function M.knows()
  local path = write('project/openapi.yaml', [[
openapi: 3.0.3
paths:
  /pets:
    get:
      parameters: [{name: status, in: query, schema: {enum: [sold, new]}}]
    post:
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
components:
  schemas:
    Pet: {properties: {kind: {type: string}, tame: {type: boolean}}}
]])
  write('project/described.http', [[
GET {{host}}/pets?status=sold

###
POST {{host}}/pets
Content-Type: application/json

{ "kind": "cat" }
]])
  open('described.http')
  same(described('{{host}}/p'), { '/pets' }, 'paths')
  same(described('=s'), { 'sold', 'new' }, 'values')
  same(described('{ "'), { 'tame' }, 'keys')
  go('"ki')
  wait(function()
    return pcall(vim.cmd, 'normal! ' .. vim.keycode('<C-]>')) and name() == 'openapi.yaml'
  end, function() return 'the description, not ' .. name() end)
  same(line():sub(vim.fn.col('.')):match('^%w+'), 'kind', 'the member')
  open('described.http')
  go('POST')
  vim.lsp.buf.type_definition()
  wait(function()
    return name() == 'openapi.yaml' and line():sub(vim.fn.col('.')):match('^%w+') == 'Pet'
  end, function() return 'the schema, not ' .. name() .. ': ' .. line() end)
  vim.fn.delete(path)
end

local users = [[
{"openapi": "3.0.3", "info": {"title": "Users", "version": "1"},
 "servers": [{"url": "http://127.0.0.1:1"}],
 "paths": {"/users": {"post": {
   "requestBody": {"content": {"application/json": {"schema": {"type": "object",
     "required": ["name"], "properties": {"name": {"type": "string"}}}}}},
   "responses": {"201": {"description": "made"}}}}}}]]

function M.compares()
  open()
  write('project/users-api.json', users)
  set('# @openapi users-api.json\n\nPOST http://127.0.0.1:1/usrs')
  local function is_marked()
    return vim.iter(vim.diagnostic.get(0)):any(function(each)
      return each.code == 'openapi-path'
        and each.severity == vim.diagnostic.severity.HINT
    end)
  end
  wait(is_marked, function() return 'a hint, not ' .. vim.inspect(vim.diagnostic.get(0)) end)
  local function choose(title)
    vim.lsp.buf.code_action({ apply = true, filter = function(action)
      return action.title == title
    end })
  end
  go('usrs')
  choose('Write `users`')
  wait(function() return all():find('/users', 1, true) end, 'the path')
  wait(function() return not is_marked() end, 'the hint to go')
  go('POST')
  choose('Insert sample body')
  wait(function() return all():find('"name": "string"', 1, true) end, 'the body')
  wait(function()
    return all():find('/users\nContent-Type: application/json\n', 1, true)
  end, 'its type')
end

function M.queries()
  open()
  write('project/people.graphql', 'type Query { user(id: ID!): User }\ntype User { name: String }')
  set('# @graphql-schema people.graphql\nGRAPHQL http://127.0.0.1:1/\n\nquery { user(id: 1) { nmae } }')
  local function is_marked()
    return vim.iter(vim.diagnostic.get(0)):any(function(each)
      return each.code == 'graphql-field'
    end)
  end
  wait(is_marked, function() return 'a mistake, not ' .. vim.inspect(vim.diagnostic.get(0)) end)
  go('nmae')
  vim.lsp.buf.code_action({ apply = true, filter = function(action)
    return action.title == 'Write `name`'
  end })
  wait(function() return all():find('{ name }', 1, true) end, 'the field')
  wait(function() return not is_marked() end, 'the mistake to go')
end

return M
