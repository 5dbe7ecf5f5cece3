// Values of variables that another tool encodes when it puts them into a query or a form, while
// they are sent here as they stand (IO-11).

/// Finds the variables whose values have signs that mean something else where they are put.
struct EncodedSigns {
  /// The signs that matter in a query and in a form, by the variables that have them.
  private var inQueries: [String: String] = [:]
  private var inForms: [String: String] = [:]

  /// Looks at all variables of a collection.
  init(_ collection: OriginCollection) {
    let signs: String? =
      switch collection.format {
      case .postman, .thunder: "&#"
      case .insomnia, .hoppscotch: "&#+"
      case .hurl: "&#+%"
      case .bruno, .opencollection: ""
      // What these have of variables was made by ourselves.
      case .openapi, .har, .curl, .fetch, .powershell: nil
      }
    guard let signs else { return }
    let variables = collection.shared + collection.environments.flatMap(\.variables)
    for variable in variables { add(variable, signs) }
    add(collection.root, signs)
  }

  /// Whether no value has such a sign, which is so nearly always.
  var isEmpty: Bool { inQueries.isEmpty && inForms.isEmpty }

  private mutating func add(_ folder: OriginFolder, _ signs: String) {
    for variable in folder.variables { add(variable, signs) }
    for place in folder.requests.indices {
      for variable in folder.requests[place].variables { add(variable, signs) }
    }
    for child in folder.folders { add(child, signs) }
  }

  private mutating func add(_ variable: OriginVariable, _ signs: String) {
    guard variable.isOn, case .text(let text)? = variable.value else { return }
    let literal = TemplateText.rewriting(text) { _ in "" }
    func found(_ signs: String) -> String {
      signs.filter { sign in
        sign == "%" ? literal.percentDecoded != literal : literal.contains(sign)
      }
    }
    let (query, form) = (found(signs), found("&+%"))
    if !query.isEmpty { inQueries[variable.name] = query }
    if !form.isEmpty { inForms[variable.name] = form }
  }

  /// The variables of a request whose values are sent otherwise, with the signs that are.
  func differing(in request: OriginRequest) -> [(name: String, signs: String)] {
    var result: [(name: String, signs: String)] = []
    func look(at pairs: [OriginPair], _ signs: [String: String]) {
      var texts: [OriginText] = []
      for pair in pairs where pair.isOn { texts += [pair.name, pair.value ?? ""] }
      for text in texts where !text.isLiteral {
        var names: Set<String> = []
        TemplateNames.collect(text.text, into: &names)
        for name in names.sorted() {
          guard let found = signs[name], !result.contains(where: { $0.name == name }) else {
            continue
          }
          result.append((name, found))
        }
      }
    }
    if !request.metadata.contains("no-auto-encoding") { look(at: request.query, inQueries) }
    if case .form(let pairs) = request.body { look(at: pairs, inForms) }
    return result
  }
}
