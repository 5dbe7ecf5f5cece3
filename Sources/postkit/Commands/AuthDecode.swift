// `postkit auth decode`: what a JSON Web Token says.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSupport

/// One call of `postkit auth decode [TOKEN | -]`. It reads no store and sends nothing.
struct AuthDecodeCommand: Sendable {
  private let console: Console
  private let isJSON: Bool
  private let operand: String?

  /// Takes up a call; `operands` are the words behind `decode`.
  init(_ invocation: Invocation, operands: [String]) throws(Arguments.Problem) {
    guard operands.count <= 1 else {
      throw Arguments.Problem(message: "write one token; a token has no blanks")
    }
    console = invocation.console
    isJSON = invocation.arguments.has("--json")
    operand = operands.first
    if operand == nil, TerminalPrompt.canAsk {
      throw Arguments.Problem(
        message: "the token is missing: `postkit auth decode TOKEN`, or `-` for standard input")
    }
  }

  /// Prints header and claims, and answers the exit code.
  func execute() -> Int32 {
    let text: String
    if let operand, operand != "-" {
      text = Self.bare(operand)
    } else {
      do throws(FileFailure) {
        let bytes = try FileSystem.readStandardInput(limit: WebToken.limit)
        text = Self.bare(String(decoding: bytes, as: UTF8.self))
      } catch {
        console.complain("\(error)")
        return FailureCode.fileNotFound.exitCode
      }
    }
    guard !text.isEmpty else {
      console.complain("there is no token on standard input; write `postkit auth decode TOKEN`")
      return FailureCode.syntax.exitCode
    }
    do throws(WebTokenProblem) {
      let token = try WebToken(text)
      show(token.header, token.claims, payload: token.payload)
      return console.exitCode(0)
    } catch {
      if case .encrypted(let header) = error { show(header, nil, payload: []) }
      console.complain(error.message)
      return FailureCode.syntax.exitCode
    }
  }

  /// A token without what often stands around it where it is copied from: blanks, quotes, and the
  /// scheme or the name of a header.
  static func bare(_ text: String) -> String {
    let words = text.split { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "," }
    let rest = words.drop { word in
      ["bearer", "authorization:", "dpop"].contains(word.lowercased())
    }
    return rest.joined()
  }

  private func show(_ header: JSONTree, _ claims: JSONTree?, payload: [UInt8]) {
    let now = Clock.wallMilliseconds
    if isJSON { return console.line(json(header, claims, now)) }
    for (title, tree) in [("Header", header), ("Claims", claims)] {
      guard let tree else { continue }
      console.line(title)
      let lines = Self.lines(tree, now)
      let width = min(24, lines.map { Display.line($0.name).count }.max() ?? 0)
      for line in lines {
        let name = Display.line(line.name)
        let padding = String(repeating: " ", count: max(0, width - name.count))
        let meaning = line.meaning.map { "  \($0)" } ?? ""
        console.line("  \(name)\(padding)  \(Display.line(line.value))\(meaning)")
      }
    }
    if claims == nil, !payload.isEmpty { console.note("The payload is not a JSON object.") }
    console.note("The signature was not checked.")
  }

  private static func lines(_ tree: JSONTree, _ now: Int64) -> [WebTokenLine] {
    WebTokenLines.lines(tree, now: now) { DateFormat.iso8601(CivilDate(milliseconds: $0)) }
  }

  private func json(_ header: JSONTree, _ claims: JSONTree?, _ now: Int64) -> JSONValue {
    let times = claims.map { Self.lines($0, now) } ?? []
    return [
      "header": header.root.value, "claims": claims?.root.value ?? .null,
      "times": .object(
        times.compactMap { line in line.meaning.map { JSONMember(line.name, .string($0)) } }),
      "signature": "not checked",
    ]
  }
}
