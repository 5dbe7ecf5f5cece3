// What a request can be copied as. Each target is a pure function of the request, in a
// file of its own beside this one.

package import PostKitHTTP

/// A program or a language that can send a request that was copied.
package enum CopyTarget: String, CaseIterable, Sendable {
  case curl, httpie, wget, python, httpx, javascript, axios, go, rust, java, kotlin, csharp, php
  case ruby, powershell, swift, hurl, http

  /// How the name of a file with such a text ends.
  package var fileExtension: String {
    switch self {
    case .curl, .httpie, .wget: "sh"
    case .python, .httpx: "py"
    case .javascript: "mjs"
    case .axios: "cjs"
    case .go: "go"
    case .rust: "rs"
    case .java: "java"
    case .kotlin: "kt"
    case .csharp: "cs"
    case .php: "php"
    case .ruby: "rb"
    case .powershell: "ps1"
    case .swift: "swift"
    case .hurl: "hurl"
    case .http: "http"
    }
  }

  /// What begins a line that is a comment.
  package var commentMark: String {
    switch self {
    case .javascript, .axios, .go, .rust, .java, .kotlin, .csharp, .php, .swift: "//"
    case .curl, .httpie, .wget, .python, .httpx, .ruby, .powershell, .hurl, .http: "#"
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
    case .httpx: HTTPXCode.text(for: spec)
    case .javascript: JavaScriptCode.text(for: spec)
    case .axios: AxiosCode.text(for: spec)
    case .go: GoCode.text(for: spec)
    case .rust: RustCode.text(for: spec)
    case .java: JVMCode(language: .java).text(for: spec)
    case .kotlin: JVMCode(language: .kotlin).text(for: spec)
    case .csharp: CSharpCode.text(for: spec)
    case .php: PHPCode.text(for: spec)
    case .ruby: RubyCode.text(for: spec)
    case .powershell: PowerShellCode.text(for: spec)
    case .swift: SwiftCode.text(for: spec)
    case .hurl: HurlText.text(for: spec)
    case .http: RequestBlockText.text(for: spec)
    }
  }
}
