// What an endpoint of a provider has answered, as far as any answer can be read.

import PostKitHTTP
import PostKitJSON

/// An answer: its members, and the error that it names.
struct EndpointAnswer: Sendable {
  /// How large an answer may be (AU-28).
  static let byteLimit = 1 << 20

  let reply: TokenReply
  /// The members; `nil` where the answer is neither a JSON object nor a form.
  let members: JSONValue?
  /// The error's word as the server has it, not yet fit to be shown.
  let error: String?

  /// Reads an answer.
  init(_ reply: TokenReply) {
    self.reply = reply
    members = EndpointAnswer.members(of: reply)
    // Some servers answer 200 with an error, others with `"error": {"message": …}` (AU-28).
    switch members?["error"] {
    case .string(let word) where !word.isEmpty: error = word
    case .object(let members):
      let inner = JSONValue.object(members)
      error = inner["code"]?.string ?? inner["type"]?.string ?? ""
    default: error = nil
    }
  }

  /// Makes an answer of fields that a browser has brought, which has no status.
  init(_ fields: [AuthField]) {
    reply = TokenReply(status: 0)
    members = .object(fields.map { JSONMember($0.name, .string($0.value)) })
    error = fields.only("error")
  }

  private static func members(of reply: TokenReply) -> JSONValue? {
    // Not `nil`, which is a value of JSON, too.
    guard reply.body.count <= byteLimit else { return Optional.none }
    // What is no JSON may be a form, or is told as unreadable.
    if let root = try? JSONTree(parsing: reply.body).root {
      guard root.kind == .object else { return Optional.none }
      return root.value
    }
    guard reply.headers.mediaType?.isForm == true else { return Optional.none }
    let text = String(decoding: reply.body, as: UTF8.self)
    return .object(
      TokenParameters.fields(of: text[...]).map { JSONMember($0.name, .string($0.value)) })
  }

  /// Whether the server has said yes.
  var isSuccess: Bool { (200...299).contains(reply.status) && error == nil }

  /// The text of a member; `nil` where it is another kind of value or empty.
  func text(_ name: String) -> String? {
    members?[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number of seconds, as a number or as digits in a text; `nil` for what is negative, no whole
  /// number or above ten years (AU-28).
  func seconds(_ name: String) -> Int64? {
    let value: Int? =
      switch members?[name] {
      case .string(let text): text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
      case let other: other?.int
      }
    return value.flatMap { (0...315_360_000).contains($0) ? Int64($0) : nil }
  }

  /// What the server says in sentences.
  var explanation: String? {
    let inner = members?["error"]?["message"]?.string
    return inner ?? text("error_description") ?? text("message") ?? text("detail")
  }

  /// The status in parentheses, with what else is to be said there; empty where there is none.
  func status(_ more: String? = nil) -> String {
    let parts = (reply.status > 0 ? ["status \(reply.status)"] : []) + (more.map { [$0] } ?? [])
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// When to try again, in words (RFC 9110, section 10.2.3).
  var retryAfter: String? {
    guard let value = reply.headers.first("Retry-After")?.cleaned(60), !value.isEmpty else {
      return nil
    }
    guard let seconds = Int(value) else { return "Try again after \(value)." }
    return seconds < 0 ? nil : "Try again in \(DurationText.text(seconds: seconds))."
  }
}
