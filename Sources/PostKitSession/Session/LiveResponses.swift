// Responses that go on for long, as documents that grow.

package import PostKitHTTP
import PostKitRunner
import PostKitSupport

/// The streams that are being received, as far as they have come. Secrets are masked in them.
package struct LiveResponses: Sendable {
  private struct Entry {
    var heading: String
    var head = ""
    var text = ""
    var isLong = false
  }

  private var entries: [String: Entry] = [:]
  /// What is sent and has no head yet.
  private var begun: [String: String] = [:]

  /// Notes that a request is sent; secrets in its URL are masked.
  package mutating func begin(_ id: String, method: String, url: String) {
    begun[id] = "# \(method) \(url)"
  }

  /// Notes the head of a response; whether it is that of a stream, which is shown from now on.
  package mutating func receive(_ id: String, status: Int, _ headers: HeaderFields) -> Bool {
    let heading = begun.removeValue(forKey: id) ?? ""
    guard headers.mediaType?.isStream == true else { return false }
    let reason = Status.reason(status) ?? ""
    var lines = ["HTTP \(status)\(reason.isEmpty ? "" : " " + reason)"]
    lines += headers.fields.map { "\($0.name): \($0.value)" }
    entries[id] = Entry(heading: heading, head: lines.joined(separator: "\n") + "\n\n")
    return true
  }

  /// Adds lines; whether a document shows them.
  package mutating func add(_ id: String, _ text: String) -> Bool {
    guard let length = entries[id]?.text.utf8.count, entries[id]?.isLong == false else {
      return false
    }
    if length + text.utf8.count <= Limits.viewBodyBytes {
      entries[id]?.text += text
    } else {
      entries[id]?.isLong = true
    }
    return true
  }

  /// The text of a response that is being received; `nil` for any other.
  package func text(of id: String, isBody: Bool) -> String? {
    guard let entry = entries[id] else { return nil }
    let end = entry.isLong ? "# Still receiving…\n" : ""
    if isBody { return entry.text + end }
    return "\(entry.heading)\n# Receiving… `postkit.cancel` ends it.\n\(entry.head)"
      + entry.text + end
  }

  /// Notes the end; whether a document may show what had come.
  package mutating func end(_ id: String) -> Bool {
    begun[id] = nil
    return entries.removeValue(forKey: id) != nil
  }
}
