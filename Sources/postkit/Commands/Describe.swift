// `postkit describe`: descriptions of APIs, apart from what an editor shows of them.

import PostKitSupport

/// The forms of `postkit describe`, by their first word.
enum DescribeForm: String, CaseIterable {
  case coverage
}

extension Command {
  /// Compares descriptions of APIs with requests.
  static let describe = Command(
    name: .describe, operands: "coverage FILE (FOLDER | --history) [--json]",
    summary: "Compares a description of an API with your requests; sends nothing.",
    options: [
      Option(
        names: ["--history"], value: nil, help: "coverage: compare with the requests of the history"
      ),
      Option(names: ["--env", "-e"], value: "NAME", help: "coverage: resolve variables with it"),
      Option(names: ["--json"], value: nil, help: "coverage: print a JSON object"),
    ]
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    guard let form = words.first.flatMap(DescribeForm.init(rawValue:)) else {
      let forms = DescribeForm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw Arguments.Problem(message: "write what is asked for: \(forms)")
    }
    switch form {
    case .coverage: return try await CoverageCommand(invocation).execute()
    }
  }
}
