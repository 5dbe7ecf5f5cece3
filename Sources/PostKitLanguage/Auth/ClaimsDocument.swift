// What the kept tokens of a sign-in say, as a page: their claims, never the tokens.

import PostKitAuth
import PostKitEvaluate
import PostKitJSON

/// The page of a sign-in's tokens.
package enum ClaimsDocument {
  /// The page in Markdown; `now` is in milliseconds since 1970-01-01T00:00:00Z.
  package static func markdown(
    of id: String, environment: String?, tokens: [(title: String, text: String)], now: Int64
  ) -> String {
    let place = environment.map { " in the environment \(Markdown.code($0))" } ?? ""
    let parts = tokens.map { title, text in
      "## \(title)\n\n" + content(of: text, now)
    }
    return (["# Tokens of \(Markdown.code(id))\(place)"] + parts).joined(separator: "\n\n") + "\n"
  }

  private static func content(of text: String, _ now: Int64) -> String {
    do throws(WebTokenProblem) {
      let token = try WebToken(text)
      let claims = token.claims.map { table("Claim", $0, now) }
      return [
        claims ?? "The payload is not a JSON object.", table("Header", token.header, now),
        "The signature was not checked.",
      ].joined(separator: "\n\n")
    } catch {
      if case .encrypted(let header) = error {
        return table("Header", header, now) + "\n\n" + Markdown.sentence(error.message)
      }
      return "It is no JSON Web Token, so that only the provider can read it."
    }
  }

  private static func table(_ title: String, _ tree: JSONTree, _ now: Int64) -> String {
    let lines = WebTokenLines.lines(tree, now: now) {
      DateFormat.iso8601(CivilDate(milliseconds: $0))
    }
    let rows = lines.map { line in
      let value = Markdown.code(line.value)
      return [Markdown.code(line.name), line.meaning.map { "\(value) \($0)" } ?? value]
    }
    return Markdown.table([title, "Value"], rows)
  }
}
