// The text of a body as partial results: in pieces that are not too long, and not too often.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSupport
import Synchronization

/// What of the body of a response has come and was not told.
struct UntoldText: Sendable {
  private var pending: [UInt8] = []
  /// The bytes of the body so far.
  var received = 0
  /// The status of the response; `nil` before its head.
  private let status: Int?
  /// The number of the next piece.
  private var sequence = 0

  /// Nothing of a response has come but its status.
  init(_ status: Int? = nil) { self.status = status }

  /// What of the response has come, in words.
  var summary: String? { status.map { ResultText.receiving($0, bytes: received) } }

  /// Adds lines of the body.
  mutating func add(_ bytes: [UInt8]) {
    pending += bytes
    received = max(received, pending.count)
  }

  /// A piece of what waits that ends with a line, or at least with a character.
  mutating func takePiece() -> LSP.PostkitSendData? {
    guard !pending.isEmpty else { return nil }
    var piece = pending.prefix(Limits.toldPieceBytes)
    if piece.count < pending.count {
      let end = piece.lastIndex(of: 10).map { $0 + 1 }
        ?? piece.lastIndex { $0 & 0xC0 != 0x80 } ?? piece.endIndex
      piece = piece[..<max(end, 1)]
    }
    defer {
      pending.removeFirst(piece.count)
      sequence += 1
    }
    return LSP.PostkitSendData(
      received: Double(received), seq: sequence, text: String(decoding: piece, as: UTF8.self),
      summary: summary)
  }
}

extension RunQueue {
  /// A response begins; what waits belongs to the one before.
  func beginText(_ status: Int? = nil) {
    flushText()
    state.withLock { $0.text = UntoldText(status) }
  }

  /// Notes how much of the body has come, and says it in words.
  func note(received: Int) -> String? {
    state.withLock { state in
      state.text.received = received
      return state.text.summary
    }
  }

  /// Adds lines of the body.
  func addText(_ bytes: [UInt8]) {
    guard textToken != nil else { return }
    state.withLock { $0.text.add(bytes) }
    textSignal.yield()
  }

  /// Tells what waits, as often as it may be told, until `finishText`.
  func tellText() async {
    for await _ in textSignals {
      flushText()
      // Where all has been told, there is nothing to wait for.
      try? await Alarm.sleep(milliseconds: Limits.toldPieceMilliseconds)
    }
  }

  /// Tells what still waits; nothing more comes.
  func finishText() {
    flushText()
    textSignal.finish()
  }

  private func flushText() {
    guard let textToken else { return }
    // Under the lock, so that the pieces keep their order.
    state.withLock { state in
      while let data = state.text.takePiece() { tell(textToken, data, .required, state) }
    }
  }
}
