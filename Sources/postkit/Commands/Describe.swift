// `postkit describe`: descriptions of APIs, apart from what an editor shows of them.

import PostKitSupport

/// The forms of `postkit describe`, by their first word.
enum DescribeForm: String, CaseIterable {
  case coverage, graphql
}

extension Command {
  /// Compares descriptions of APIs with requests.
  static let describe = Command(
    name: .describe,
    operands: "coverage FILE (FOLDER | --history) [--json] "
      + "| graphql FILE [--line N | --name NAME] [--env NAME] | --fetch URL",
    summary: "Fetches descriptions of APIs, and lists what they and your requests lack.",
    options: [
      Option(
        names: ["--fetch"], value: "URL",
        help: "fetch this OpenAPI description, for `# @openapi URL`"),
      Option(names: ["--name"], value: "NAME", help: "graphql: ask with the request of this name"),
      Option(names: ["--line"], value: "N", help: "graphql: ask with the request on this line"),
      Option(
        names: ["--input"], value: "KEY=VALUE", help: "graphql: answer a prompt",
        isRepeatable: true),
      Option(
        names: ["--var", "-V"], value: "KEY=VALUE", help: "graphql: set a variable",
        isRepeatable: true),
      Option(
        names: ["--history"], value: nil, help: "coverage: compare with the requests of the history"
      ),
      Option(names: ["--env", "-e"], value: "NAME", help: "coverage: resolve variables with it"),
      Option(names: ["--json"], value: nil, help: "coverage: print a JSON object"),
    ]
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    if let url = invocation.arguments.value("--fetch") {
      try invocation.arguments.allow(["--fetch"], in: "describe --fetch")
      guard words.isEmpty else {
        throw Arguments.Problem(message: "`describe --fetch URL` takes no other words")
      }
      return await (try SchemaCommand(invocation, path: url)).openAPI()
    }
    guard let form = words.first.flatMap(DescribeForm.init(rawValue:)) else {
      let forms = DescribeForm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw Arguments.Problem(message: "write what is asked for: \(forms)")
    }
    switch form {
    case .coverage: return try await CoverageCommand(invocation).execute()
    case .graphql:
      try invocation.arguments.allow(SchemaCommand.graphQLOptions, in: "describe graphql")
      guard words.count == 2 else {
        throw Arguments.Problem(message: "`describe graphql` needs one request file")
      }
      return await (try SchemaCommand(invocation, path: words[1])).graphQL()
    }
  }
}
