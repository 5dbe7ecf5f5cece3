// `postkit collections find`: stored requests by what is in them.

import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSupport

extension CollectionsCommand {
  /// The options of a search that no other form has.
  static let findingOptions = [
    Option(names: ["--method"], value: "M", help: "find requests with this method"),
    Option(
      names: ["--header"], value: "NAME[=VALUE]",
      help: "find requests with this header, and VALUE in it; for `defaults`, set this `Name: "
        + "value`", isRepeatable: true),
    Option(
      names: ["--param"], value: "NAME[=VALUE]",
      help: "find requests with this query parameter, and VALUE in it"),
    Option(names: ["--tag"], value: "T", help: "find requests with this `# @tag`"),
    Option(names: ["--in"], value: "PATH", help: "find requests in this collection or folder"),
    Option(names: ["--favourite"], value: nil, help: "find favourites"),
    Option(
      names: ["--sort"], value: "ORDER",
      help: "sort by \(RequestQuery.Sort.words), newest first where it is a time"),
    Option(names: ["--limit"], value: "N", help: "find at most N requests (50)"),
  ]

  /// Prints the requests that are looked for.
  func find(
    _ words: [String], sort: RequestQuery.Sort = .order
  ) async throws(Arguments.Problem) -> Int32 {
    guard arguments.all("--header").count < 2 else {
      throw Arguments.Problem(message: "`collections find` takes `--header` once")
    }
    var query = RequestQuery(limit: try arguments.integer("--limit", minimum: 1) ?? 50)
    query.sort = sort
    query.text = words.isEmpty ? nil : words.joined(separator: " ")
    query.method = arguments.value("--method")
    query.header = try field("--header")
    query.parameter = try field("--param")
    query.tag = arguments.value("--tag")
    if arguments.has("--favourite") { query.isFavourite = true }
    if let word = arguments.value("--sort") {
      guard let sort = RequestQuery.Sort(rawValue: word) else {
        throw Arguments.Problem(message: "`--sort \(word)`: write \(RequestQuery.Sort.words)")
      }
      query.sort = sort
    }
    return await withStore { [query] store throws(Stop) in
      var query = query
      if let place = arguments.value("--in") {
        query.container = try await look(store) { reader throws(StoreFailure) in
          try reader.container(place)
        }
      }
      let page = try await ask { [query] () throws(StoreFailure) in
        try await store.findRequests(query, deriving: RequestText.deriving)
      }
      let nothing = sort == .recent
        ? "No stored request has been sent yet, as far as the history goes back."
        : query.hasConditions
          ? "No stored request matches."
          : "No stored requests yet. `postkit collections save FILE --to NAME` saves one."
      tell(page, orThat: nothing)
    }
  }

  private func tell(_ page: RequestPage, orThat nothing: String) {
    if arguments.has("--json") {
      let nodes = page.requests.map { found in
        CollectionNode(item: .request(found.request), path: found.path, tags: found.tags)
      }
      console.line(JSONValue.array(nodes.map(json)))
    } else if page.requests.isEmpty {
      console.line(nothing)
    } else {
      for found in page.requests {
        let request = found.request
        let caption = request.name == nil ? "" : "  (\(request.method) \(request.url))"
        console.line(Display.line((found.path + caption).shown))
      }
    }
    if page.total > page.requests.count, !page.requests.isEmpty {
      console.note(
        "postkit: the first \(page.requests.count) of \(page.total) requests; `--limit N` lists "
          + "more.")
    }
  }

  /// The name and the value of `NAME[=VALUE]`.
  private func field(_ option: String) throws(Arguments.Problem) -> RequestQuery.Field? {
    guard let text = arguments.value(option) else { return nil }
    guard let field = RequestQuery.Field(text: text) else {
      throw Arguments.Problem(message: "`\(option) \(text)`: write NAME or NAME=VALUE")
    }
    return field
  }
}

extension RequestQuery.Sort {
  /// All of them, as words of a sentence.
  static var words: String { allCases.map(\.rawValue).listed("or") }
}

extension RequestQuery {
  /// Whether anything is asked for but all requests.
  fileprivate var hasConditions: Bool {
    text != nil || method != nil || header != nil || parameter != nil || tag != nil
      || container != nil || isFavourite != nil || sort == .recent
  }
}
