-- Asks a person for a value the server needs to go on, without holding up Neovim.
local M = {}

-- A question with what stands between it and the answer.
---@param title string
local function before_answer(title)
  return title .. (title:find('[?:]%s*$') and ' ' or ': ')
end

--- Answers the request `postkit/input`: the coroutine of the handler waits, the editor does not.
---@param _ vim.lsp.Client
---@param question {title: string, kind: string, default: string?, options: string[]?}
function M.ask(_, question)
  local routine = assert(coroutine.running())
  local function done(value)
    vim.schedule(function()
      coroutine.resume(routine, value ~= nil and { value = value } or vim.NIL)
    end)
  end
  if question.kind == 'select' and question.options then
    vim.ui.select(question.options, { prompt = question.title }, done)
  elseif question.kind == 'confirm' then
    vim.ui.select({ 'yes', 'no' }, { prompt = question.title }, function(choice)
      done(choice == 'yes' and choice or nil)
    end)
  elseif question.kind == 'password' then
    vim.schedule(function()
      done(vim.fn.inputsecret(before_answer(question.title)))
    end)
  else
    vim.ui.input({ prompt = before_answer(question.title), default = question.default }, done)
  end
  return coroutine.yield()
end

--- Lets a person answer a question of the server's by one of its buttons.
---@param parameters lsp.ShowMessageRequestParams
function M.choose(parameters)
  local routine = assert(coroutine.running())
  vim.ui.select(parameters.actions, {
    prompt = parameters.message,
    kind = 'lsp_message',
    format_item = function(action) return action.title end,
  }, function(action)
    vim.schedule(function()
      coroutine.resume(routine, action or vim.NIL)
    end)
  end)
  return coroutine.yield()
end

return M
