// Bytes to requests, as a value: what arrives in which pieces makes no difference (RFC 9112).

import PostKitHTTP

/// A request that is refused; the connection ends with the answer.
struct RequestProblem: Error, Hashable {
  /// The status code of the answer.
  let status: Int
  /// What was wrong, as a sentence.
  let message: String

  /// Makes a problem; most are mistakes of form.
  init(_ message: String, status: Int = 400) {
    self.status = status
    self.message = message
  }
}

/// Takes bytes as they come and gives requests. After a problem it must not be asked again.
struct RequestParser {
  private enum Stage {
    case head
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailer(bytes: Int)
  }

  private var buffer: [UInt8] = []
  private var position = 0
  private var searched = 0
  private var stage = Stage.head
  private var request = LoopbackRequest(method: "", path: "")
  private var isContinueAwaited = false
  private let limits: LoopbackLimits

  /// Makes one that has read nothing.
  init(_ limits: LoopbackLimits = LoopbackLimits()) { self.limits = limits }

  /// How many bytes wait to be understood.
  var pendingBytes: Int { buffer.count - position }

  /// Whether no byte of another request has arrived.
  var isBetweenRequests: Bool { if case .head = stage { pendingBytes == 0 } else { false } }

  /// Whether a request's head is complete and its body isn't.
  var isInBody: Bool { if case .head = stage { false } else { true } }

  /// Adds bytes from the wire.
  mutating func append(_ bytes: some Collection<UInt8>) {
    if position > 0 && position >= buffer.count / 2 {
      buffer.removeFirst(position)
      searched -= position
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Whether the client waits for `100 Continue` before it sends the body; answers `true` once.
  mutating func takeContinue() -> Bool {
    defer { isContinueAwaited = false }
    return isContinueAwaited && pendingBytes == 0 && request.body.isEmpty
  }

  /// The next whole request; `nil` where more bytes are needed.
  mutating func next() throws(RequestProblem) -> LoopbackRequest? {
    while true {
      switch stage {
      case .head:
        guard let head = try takeHead() else { return nil }
        request = try RequestHead.parse(head)
        stage = try bodyStage()
        isContinueAwaited = request.headers.values("Expect").contains {
          $0.equalsIgnoringASCIICase("100-continue")
        } && !request.isVersion10
      case .body(let left):
        let rest = left - takeBody(left)
        stage = .body(left: rest)
        if rest > 0 { return nil }
        return finish()
      case .chunkSize:
        guard let line = try takeLine(limit: 4_096) else { return nil }
        let size = try RequestParser.chunkSize(line)
        if request.body.count + size > limits.bodyBytes { throw tooLong }
        stage = size == 0 ? .trailer(bytes: 0) : .chunk(left: size)
      case .chunk(let left):
        let rest = left - takeBody(left)
        stage = rest > 0 ? .chunk(left: rest) : .chunkEnd
        if rest > 0 { return nil }
      case .chunkEnd:
        guard pendingBytes >= 2 else { return nil }
        guard buffer[position] == 13, buffer[position + 1] == 10 else {
          throw RequestProblem("A chunk is longer than it says.")
        }
        advance(2)
        stage = .chunkSize
      case .trailer(let bytes):
        guard let line = try takeLine(limit: limits.headBytes - bytes) else { return nil }
        if line.isEmpty { return finish() }
        stage = .trailer(bytes: bytes + line.count + 2)
      }
    }
  }

  private var tooLong: RequestProblem {
    RequestProblem("The body is longer than \(limits.bodyBytes) bytes.", status: 413)
  }

  private mutating func finish() -> LoopbackRequest {
    stage = .head
    isContinueAwaited = false
    defer { request = LoopbackRequest(method: "", path: "") }
    return request
  }

  /// How the body is framed (RFC 9112, section 6.3); what two readers could understand differently
  /// is refused.
  private func bodyStage() throws(RequestProblem) -> Stage {
    let codings = request.headers.values("Transfer-Encoding")
    let lengths = request.headers.values("Content-Length")
    if !codings.isEmpty {
      guard lengths.isEmpty, !request.isVersion10 else {
        throw RequestProblem("The length of the body is said in two ways.")
      }
      guard codings.count == 1, codings[0].equalsIgnoringASCIICase("chunked") else {
        throw RequestProblem("The only transfer coding here is chunked.", status: 501)
      }
      return .chunkSize
    }
    guard let first = lengths.first else { return .body(left: 0) }
    guard Set(lengths).count == 1, !first.isEmpty,
      first.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
    else { throw RequestProblem("Content-Length is not one number.") }
    guard let length = Int(first), length <= limits.bodyBytes else {
      throw tooLong
    }
    return .body(left: length)
  }

  private mutating func takeBody(_ limit: Int) -> Int {
    let count = min(limit, pendingBytes)
    request.body.append(contentsOf: buffer[position..<(position + count)])
    advance(count)
    return count
  }

  /// The head's lines without their ends.
  private mutating func takeHead() throws(RequestProblem) -> [ArraySlice<UInt8>]? {
    // Empty lines before a request are skipped (RFC 9112, section 2.2).
    while pendingBytes >= 2, buffer[position] == 13, buffer[position + 1] == 10 { advance(2) }
    var at = max(searched, position)
    while at + 3 < buffer.count {
      if buffer[at] == 13, buffer[at + 1] == 10, buffer[at + 2] == 13, buffer[at + 3] == 10 {
        guard at + 4 - position <= limits.headBytes else { break }
        let head = buffer[position..<(at + 2)]
        advance(at + 4 - position)
        return RequestParser.lines(head)
      }
      at += 1
    }
    searched = at
    guard pendingBytes < limits.headBytes else {
      throw RequestProblem("The head is longer than \(limits.headBytes) bytes.", status: 431)
    }
    return nil
  }

  private mutating func takeLine(limit: Int) throws(RequestProblem) -> [UInt8]? {
    let end = buffer[position...].firstIndex(of: 10)
    guard (end ?? buffer.count) - position <= limit else {
      throw RequestProblem("A line of the chunked body is too long.")
    }
    guard let end else { return nil }
    guard end > position, buffer[end - 1] == 13 else {
      throw RequestProblem("A line doesn't end with CR LF.")
    }
    defer { advance(end + 1 - position) }
    return Array(buffer[position..<(end - 1)])
  }

  private mutating func advance(_ count: Int) {
    position += count
    searched = position
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.count <= LoopbackLimits.stepBytes)
      position = 0
      searched = 0
    }
  }

  private static func chunkSize(_ line: [UInt8]) throws(RequestProblem) -> Int {
    // Extensions after a semicolon mean nothing here.
    let digits = line.prefix { $0 != UInt8(ascii: ";") }
    let text = String(decoding: digits, as: UTF8.self).trimmingASCIIBlanks()
    guard !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy({ Hex.value($0) != nil }),
      let size = Int(text, radix: 16)
    else { throw RequestProblem("A chunk doesn't begin with its size.") }
    return size
  }

  /// Splits a head, whose last line has its end, at CR LF.
  private static func lines(_ head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = head.startIndex
    var at = start
    while at + 1 < head.endIndex {
      if head[at] == 13 && head[at + 1] == 10 {
        lines.append(head[start..<at])
        at += 2
        start = at
      } else {
        at += 1
      }
    }
    return lines
  }
}
