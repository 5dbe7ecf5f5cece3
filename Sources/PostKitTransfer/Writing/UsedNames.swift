// The names that requests of another tool use in their templates.

extension PlannedRequest {
  /// The names that the request uses with what its folders give it, those of its path left out.
  var usedNames: Set<String> {
    var names = request.usedNames
    for pair in frame.headers { pair.collectNames(into: &names) }
    if case .inherited = request.auth {
      for text in frame.auth.texts { TemplateNames.collect(text, into: &names) }
    }
    var outer: FolderFrame? = frame
    while let frame = outer {
      for variable in frame.folder.variables {
        TemplateNames.collect(variable.value?.text ?? "", into: &names)
      }
      outer = frame.parent
    }
    return names
  }
}

extension OriginRequest {
  /// The names that the request itself uses, those of its path left out.
  var usedNames: Set<String> {
    var names: Set<String> = []
    if !url.isLiteral { TemplateNames.collect(url.text, into: &names) }
    names.subtract(pathVariables.map(\.name))
    for pair in query { pair.collectNames(into: &names) }
    for pair in headers { pair.collectNames(into: &names) }
    body.collectNames(into: &names)
    for text in auth.texts { TemplateNames.collect(text, into: &names) }
    for script in scripts { TemplateNames.collect(script.text, into: &names) }
    for check in checks { TemplateNames.collect(check.line, into: &names) }
    for list in [variables, pathVariables] {
      for variable in list { TemplateNames.collect(variable.value?.text ?? "", into: &names) }
    }
    return names
  }
}

extension OriginText {
  fileprivate func collectNames(into names: inout Set<String>) {
    if !isLiteral { TemplateNames.collect(text, into: &names) }
  }
}

extension OriginPair {
  fileprivate func collectNames(into names: inout Set<String>) {
    name.collectNames(into: &names)
    value?.collectNames(into: &names)
  }
}

extension OriginBody {
  fileprivate func collectNames(into names: inout Set<String>) {
    switch self {
    case .none, .bytes: break
    case .file(let path): TemplateNames.collect(path ?? "", into: &names)
    case .text(let text): text.collectNames(into: &names)
    case .form(let pairs): for pair in pairs { pair.collectNames(into: &names) }
    case .multipart(let parts):
      for part in parts {
        part.name.collectNames(into: &names)
        if case .text(let text) = part.content { text.collectNames(into: &names) }
        if case .file(let path?) = part.content { TemplateNames.collect(path, into: &names) }
      }
    case .graphQL(let query, let variables, _):
      TemplateNames.collect(query, into: &names)
      TemplateNames.collect(variables ?? "", into: &names)
    case .messages(let texts): for text in texts { text.collectNames(into: &names) }
    }
  }
}

extension OriginAuth {
  /// The texts of an auth that may have templates.
  fileprivate var texts: [String] {
    switch self {
    case .inherited, .none: []
    case .basic(let user, let password), .digest(let user, let password): [user, password]
    case .bearer(let token, _): [token]
    case .apiKey(let name, let value, _): [name, value]
    case .ntlm(let user, let password, let domain): [user, password, domain ?? ""]
    case .aws(let aws): [aws.accessKey, aws.secretKey, aws.token, aws.region, aws.service]
    case .oauth2(let client): client.fields.map { $0.value?.text ?? "" }
    case .other(_, let fields): fields.map { $0.value?.text ?? "" }
    }
  }

  /// The auth with names in templates replaced.
  func renaming(_ names: [String: String]) -> OriginAuth {
    if names.isEmpty { return self }
    func new(_ text: String) -> String { TemplateNames.renaming(text, names) }
    func new(_ fields: [OriginVariable]) -> [OriginVariable] {
      fields.map { field in
        var field = field
        if case .text(let text)? = field.value { field.value = .text(new(text)) }
        return field
      }
    }
    switch self {
    case .inherited, .none: return self
    case .basic(let user, let password): return .basic(user: new(user), password: new(password))
    case .digest(let user, let password): return .digest(user: new(user), password: new(password))
    case .bearer(let token, let prefix): return .bearer(token: new(token), prefix: new(prefix))
    case .apiKey(let name, let value, let location):
      return .apiKey(name: new(name), value: new(value), location: location)
    case .ntlm(let user, let password, let domain):
      return .ntlm(user: new(user), password: new(password), domain: domain.map(new))
    case .aws(var aws):
      (aws.accessKey, aws.secretKey) = (new(aws.accessKey), new(aws.secretKey))
      (aws.token, aws.region, aws.service) = (new(aws.token), new(aws.region), new(aws.service))
      return .aws(aws)
    case .oauth2(var client):
      client.fields = new(client.fields)
      return .oauth2(client)
    case .other(let name, let fields): return .other(name: name, fields: new(fields))
    }
  }
}
