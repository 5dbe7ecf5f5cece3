// What is told of a body while it arrives: whole lines of text, secrets masked.

import PostKitHTTP
import PostKitSupport
import PostKitTransport
import Synchronization

/// Which bodies are told of while they arrive.
package enum BodyTelling: Sendable, Hashable {
  case none
  /// Those that may go on for long: events and JSON line by line.
  case streams
  /// All that are text.
  case texts

  /// Whether a body of a type is told of.
  func includes(_ type: MediaType?) -> Bool {
    switch self {
    case .none: false
    case .streams: type?.isStream ?? false
    case .texts: type?.isText ?? false
    }
  }
}

extension MediaType {
  /// Whether a body of the type may go on for long and is read line by line.
  package var isStream: Bool { essence == "text/event-stream" || isNewlineDelimitedJSON }
}

/// Turns the bytes of a body into lines that may be shown. A line that has not come whole is held
/// back: a part of a secret would not be known for one.
final class ToldBody: Sendable {
  private struct State {
    var mask: SecretMask
    var secrets: Set<String>
    var isTold = false
    var format = SecretMask.Format.plain
    var pending: [UInt8] = []
    /// How much has been told or waits.
    var count = 0

    /// Masks further values from now on.
    mutating func learn(_ values: [String]) {
      guard !secrets.isSuperset(of: values) else { return }
      secrets.formUnion(values)
      mask = SecretMask(secrets: Array(secrets))
    }
  }

  private let telling: BodyTelling
  /// How much has to follow a line before it is told, as a secret may have several lines.
  private let overlap: Int
  private let state: Mutex<State>

  /// Tells what the mask lets through; `secrets` are those that it knows. `repeated` are further
  /// ones that the hops before have sent and got.
  init(_ telling: BodyTelling, _ mask: SecretMask, secrets: Set<String>, repeated: [String] = []) {
    self.telling = telling
    overlap = secrets.filter { $0.utf8.contains(10) }.map(\.utf8.count).max() ?? 0
    var state = State(mask: mask, secrets: secrets)
    state.learn(repeated)
    self.state = Mutex(state)
  }

  /// The event as it may be shown; `nil` for one that tells nothing yet.
  func told(_ event: TransferEvent) -> TransferEvent? {
    switch event {
    case .sentHead(let head):
      // What libcurl has added, such as the cookies of the jar, may come back; it is not shown.
      state.withLock { $0.learn(ExchangeMask.credentials(in: HeaderFields(requestHead: head))) }
      return nil
    case .receivedHead(let status, let headers):
      let mask = begin(headers)
      return .receivedHead(status: status, headers: mask.maskHeaders(headers).headers)
    case .body(let bytes): return lines(bytes).map { .body($0) }
    default: return event
    }
  }

  /// Begins with the body of a response; the mask of all that it may repeat.
  private func begin(_ headers: HeaderFields) -> SecretMask {
    let type = headers.first("Content-Type")
    return state.withLock { state in
      state = State(mask: state.mask, secrets: state.secrets)
      state.learn(ExchangeMask.cookieSecrets(in: headers))
      state.isTold = telling.includes(type.flatMap(MediaType.init))
      state.format = SecretMask.format(ofType: type)
      return state.mask
    }
  }

  /// Where the last whole line ends that no secret goes beyond.
  private func endOfLines(
    _ bytes: [UInt8], _ format: SecretMask.Format, _ mask: SecretMask
  ) -> Int? {
    var end = max(0, bytes.count - overlap)
    while let last = bytes[..<end].lastIndex(of: 10) {
      if overlap == 0 { return last + 1 }
      func masked(_ part: ArraySlice<UInt8>) -> [UInt8] { mask.mask(Array(part), as: format).bytes }
      // A secret that is cut in two is not known for one in either part.
      let parts = masked(bytes[...last]) + masked(bytes[(last + 1)...])
      if parts == masked(bytes[...]) { return last + 1 }
      end = last
    }
    return nil
  }

  /// The lines that are whole now.
  private func lines(_ bytes: [UInt8]) -> [UInt8]? {
    typealias Lines = (bytes: [UInt8], format: SecretMask.Format, mask: SecretMask)
    let (lines, format, mask) = state.withLock { state -> Lines in
      guard state.isTold, state.count + bytes.count <= Limits.toldBodyBytes else {
        // What was cut off would be told as if it were the end.
        state.isTold = false
        return ([], .plain, state.mask)
      }
      state.count += bytes.count
      state.pending += bytes
      guard let end = endOfLines(state.pending, state.format, state.mask) else {
        return ([], .plain, state.mask)
      }
      let lines = Array(state.pending[..<end])
      state.pending.removeFirst(end)
      return (lines, state.format, state.mask)
    }
    return lines.isEmpty ? nil : mask.mask(lines, as: format).bytes
  }
}
