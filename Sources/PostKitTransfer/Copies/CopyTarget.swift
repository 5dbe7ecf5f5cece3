// What a request can be copied as. Each target is a pure function of the request, in a
// file of its own beside this one.

package import PostKitHTTP

/// A program or a language that can send a request that was copied.
package enum CopyTarget: String, CaseIterable, Sendable {
  case curl, httpie, wget, python, javascript, swift, http

  /// How the name of a file with such a text ends.
  package var fileExtension: String {
    switch self {
    case .curl, .httpie, .wget: "sh"
    case .python: "py"
    case .javascript: "mjs"
    case .swift: "swift"
    case .http: "http"
    }
  }

  /// What begins a line that is a comment.
  package var commentMark: String {
    switch self {
    case .javascript, .swift: "//"
    default: "#"
    }
  }

  /// The names of all targets, for messages.
  package static var list: String { allCases.map { "`\($0.rawValue)`" }.listed("and") }

  /// A text that sends the request. What the target can't do is said in comments at its beginning.
  package func text(for spec: RequestSpec) -> String {
    switch self {
    case .curl: CurlCommand.line(for: spec)
    case .httpie: HTTPieCommand.text(for: spec)
    case .wget: WgetCommand.text(for: spec)
    case .python: PythonCode.text(for: spec)
    case .javascript: JavaScriptCode.text(for: spec)
    case .swift: SwiftCode.text(for: spec)
    case .http: RequestBlockText.text(for: spec)
    }
  }
}
