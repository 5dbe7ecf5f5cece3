// Responses that go on for long, as documents that grow.

import LanguageServerProtocol
package import PostKitHTTP
import PostKitRunner
import PostKitSupport
import PostKitText
import Synchronization

/// The streams that are being received, as far as they have come. Secrets are masked in them.
package final class LiveResponses: Sendable {
  private struct Entry {
    var heading: String
    var head = ""
    var text = ""
    var isLong = false
  }

  private let entries = Mutex<[String: Entry]>([:])
  /// What is sent and has no head yet.
  private let begun = Mutex<[String: String]>([:])

  /// Notes that a request is sent; secrets in its URL are masked.
  package func begin(_ id: String, method: String, url: String) {
    begun.withLock { $0[id] = "# \(method) \(url)" }
  }

  /// Notes the head of a response; whether it is that of a stream, which is shown from now on.
  package func receive(_ id: String, status: Int, _ headers: HeaderFields) -> Bool {
    let heading = begun.withLock { $0.removeValue(forKey: id) } ?? ""
    let type = headers.mediaType
    guard type?.isStream == true else { return false }
    let reason = Status.reason(status) ?? ""
    var lines = ["HTTP \(status)\(reason.isEmpty ? "" : " " + reason)"]
    lines += headers.fields.map { "\($0.name): \($0.value)" }
    entries.withLock { entries in
      entries[id] = Entry(heading: heading, head: lines.joined(separator: "\n") + "\n\n")
    }
    return true
  }

  /// Adds lines; whether a document shows them.
  package func add(_ id: String, _ text: String) -> Bool {
    entries.withLock { entries in
      guard let entry = entries[id], !entry.isLong else { return false }
      if entry.text.utf8.count + text.utf8.count <= Limits.viewBodyBytes {
        entries[id]?.text += text
      } else {
        entries[id]?.isLong = true
      }
      return true
    }
  }

  /// The text of a response that is being received; `nil` for any other.
  package func text(of id: String, isBody: Bool) -> String? {
    entries.withLock { entries in
      guard let entry = entries[id] else { return nil }
      let end = entry.isLong ? "# Still receiving…\n" : ""
      if isBody { return entry.text + end }
      return "\(entry.heading)\n# Receiving… `postkit.cancel` ends it.\n\(entry.head)"
        + entry.text + end
    }
  }

  /// Notes the end; whether a document may show what had come.
  package func end(_ id: String) -> Bool {
    begun.withLock { $0[id] = nil }
    return entries.withLock { $0.removeValue(forKey: id) != nil }
  }
}
