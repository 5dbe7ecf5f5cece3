// Other names for the variables that what another tool keeps uses in its templates.

extension OriginFolder {
  /// The folder with what lies in it, where its templates use other names. What a request defines
  /// itself keeps its name; variables of folders keep theirs, not their values.
  func renaming(_ names: [String: String]) -> OriginFolder {
    if names.isEmpty { return self }
    var folder = self
    folder.auth = auth.renaming(names)
    folder.headers = headers.map { $0.renaming(names) }
    folder.variables = variables.map { $0.renaming(names) }
    folder.scripts = scripts.map { $0.renaming(names) }
    folder.requests = requests.map { $0.renaming(names) }
    folder.folders = folders.map { $0.renaming(names) }
    return folder
  }
}

extension OriginRequest {
  /// The request where its templates use other names.
  func renaming(_ names: [String: String]) -> OriginRequest {
    var names = names
    for variable in variables { names[variable.name] = nil }
    if names.isEmpty { return self }
    var request = self
    var inURL = names
    for variable in pathVariables { inURL[variable.name] = nil }
    request.url = url.renaming(inURL)
    request.query = query.map { $0.renaming(names) }
    request.headers = headers.map { $0.renaming(names) }
    request.body = body.renaming(names)
    request.auth = auth.renaming(names)
    request.pathVariables = pathVariables.map { $0.renaming(names) }
    request.variables = variables.map { $0.renaming(names) }
    request.scripts = scripts.map { $0.renaming(names) }
    request.checks = checks.map { check in
      var check = check
      check.line = TemplateNames.renaming(check.line, names)
      return check
    }
    request.references = references.map { names[$0] ?? $0 }
    request.metadata = metadata.map { TemplateNames.renaming($0, names) }
    return request
  }
}

extension OriginVariable {
  /// The variable where the templates of its value use other names.
  func renaming(_ names: [String: String]) -> OriginVariable {
    var variable = self
    switch value {
    case nil: break
    case .text(let text)?: variable.value = .text(TemplateNames.renaming(text, names))
    case .json(let json)?:
      variable.value = .json(OriginJSON(text: TemplateNames.renaming(json.text, names)))
    }
    return variable
  }
}

extension OriginText {
  fileprivate func renaming(_ names: [String: String]) -> OriginText {
    isLiteral ? self : OriginText(TemplateNames.renaming(text, names))
  }
}

extension OriginPair {
  fileprivate func renaming(_ names: [String: String]) -> OriginPair {
    var pair = self
    pair.name = name.renaming(names)
    pair.value = value?.renaming(names)
    return pair
  }
}

extension OriginScript {
  fileprivate func renaming(_ names: [String: String]) -> OriginScript {
    var script = self
    script.text = TemplateNames.renaming(inScript: text, names)
    script.translation = translation?.map { statement in
      switch statement {
      case .check(var check):
        check.line = TemplateNames.renaming(check.line, names)
        return .check(check)
      case .handler(let line): return .handler(TemplateNames.renaming(inScript: line, names))
      case .dropped: return statement
      }
    }
    return script
  }
}

extension OriginBody {
  fileprivate func renaming(_ names: [String: String]) -> OriginBody {
    func new(_ text: String) -> String { TemplateNames.renaming(text, names) }
    switch self {
    case .none, .bytes: return self
    case .file(let path): return .file(path.map(new))
    case .text(let text): return .text(text.renaming(names))
    case .form(let pairs): return .form(pairs.map { $0.renaming(names) })
    case .multipart(let parts):
      return .multipart(
        parts.map { part in
          var part = part
          part.name = part.name.renaming(names)
          switch part.content {
          case .text(let text): part.content = .text(text.renaming(names))
          case .file(let path): part.content = .file(path.map(new))
          case .bytes: break
          }
          return part
        })
    case .graphQL(let query, let variables, let operation):
      return .graphQL(
        query: new(query), variables: variables.map(new), operationName: operation)
    case .messages(let texts): return .messages(texts.map { $0.renaming(names) })
    }
  }
}
