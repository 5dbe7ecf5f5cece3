// A recording as an answer on the wire (IO-44, IO-45): its bytes stay, what belongs to one
// connection, one moment or one host is made anew.

import PostKitExampleServer
import PostKitHTTP
import PostKitJSON
import PostKitLoopback

/// How long answers are held back.
package enum MockLatency: Sendable, Hashable {
  case none
  /// As long as the recorded answer took.
  case recorded
  /// From and to so many milliseconds.
  case range(ClosedRange<Int>)
}

/// Makes answers of recordings.
struct MockAnswer {
  /// The mock's own URL without a slash at its end.
  let base: String
  let latency: MockLatency
  /// How many times faster than recorded; 1 as recorded.
  let speed: Double

  /// Fields that the mock makes itself.
  private static let own: Set<String> = [
    "date", "content-length", "connection", "transfer-encoding", "content-encoding", "keep-alive",
  ]

  /// The answer that a recording is.
  func response(_ recording: MockRecording, to request: LoopbackRequest) -> LoopbackResponse {
    var headers = HeaderFields()
    for field in recording.headers.fields where !Self.own.contains(field.name.lowercased()) {
      headers.append(field.name, value(of: field, recording))
    }
    let isMasked = headers.fields.contains { $0.value.contains(SecretMask.text) }
    if recording.isRedacted || isMasked { headers.append("PostKit-Note", "redacted") }
    if request.headers.contains("Origin"), !headers.contains("Access-Control-Allow-Origin") {
      headers.append("Access-Control-Allow-Origin", "*")
    }
    let (before, during) = times(recording)
    return LoopbackResponse(
      status: recording.status, headers: headers, body: body(recording, during),
      delayMilliseconds: before)
  }

  /// The answer to a browser that asks whether it may send something; `nil` for other requests.
  static func preflight(_ request: LoopbackRequest) -> LoopbackResponse? {
    guard request.method == "OPTIONS", request.headers.contains("Origin"),
      let method = request.headers.first("Access-Control-Request-Method")
    else { return nil }
    return LoopbackResponse(
      status: 204,
      headers: [
        ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", method),
        (
          "Access-Control-Allow-Headers",
          request.headers.first("Access-Control-Request-Headers") ?? "*"
        ),
        ("Access-Control-Max-Age", "600"),
      ])
  }

  /// The answer where nothing is recorded (RFC 9457).
  static func missing(
    _ request: LoopbackRequest, _ nearest: [(recording: MockRecording, reason: String)]
  ) -> LoopbackResponse {
    let target = request.path + (request.query.map { "?" + $0 } ?? "")
    let value: JSONValue = [
      "type": "about:blank", "title": "No answer is recorded", "status": 404,
      "detail": .string(
        "Nothing answers \(request.method) \(target). "
          + (nearest.isEmpty
            ? "The mock has no recording at all; send a request that it can repeat."
            : "Record it, or ask for one of `nearest`.")),
      "nearest": .array(
        nearest.map { miss in
          [
            "method": .string(miss.recording.method), "path": .string(miss.recording.shownPath),
            "source": .string(miss.recording.source), "reason": .string(miss.reason),
          ]
        }),
    ]
    var response = LoopbackResponse.json(value, status: 404)
    response.headers = [("Content-Type", "application/problem+json")]
    if request.headers.contains("Origin") {
      response.headers.append("Access-Control-Allow-Origin", "*")
    }
    return response
  }

  private func value(of field: HeaderField, _ recording: MockRecording) -> String {
    if field.name.equalsIgnoringASCIICase("Set-Cookie") {
      // For another host, and without TLS, a client would not take it.
      return field.value.split(separator: ";").filter { attribute in
        let name = String(attribute.prefix { $0 != "=" }).trimmingASCIIBlanks().lowercased()
        return name != "domain" && name != "secure"
      }.joined(separator: ";")
    }
    if field.name.equalsIgnoringASCIICase("Location"), !recording.origin.isEmpty,
      field.value.hasPrefix(recording.origin)
    {
      let rest = field.value.dropFirst(recording.origin.count)
      if rest.isEmpty || "/?#".contains(rest.first ?? "/") { return base + rest }
    }
    return field.value
  }

  /// The time before the first byte and the time of the body, in milliseconds.
  private func times(_ recording: MockRecording) -> (before: Int64, during: Int64) {
    switch latency {
    case .none: return (0, 0)
    case .range(let range):
      var generator = SystemRandomNumberGenerator()
      return (Int64(Int.random(in: range, using: &generator)), 0)
    case .recorded:
      let during = recording.totalMilliseconds - recording.firstByteMilliseconds
      return (scaled(recording.firstByteMilliseconds), scaled(max(0, during)))
    }
  }

  private func scaled(_ milliseconds: Int) -> Int64 { Int64(Double(milliseconds) / speed) }

  private func body(_ recording: MockRecording, _ during: Int64) -> LoopbackResponse.Body {
    switch recording.body {
    case .file(let path, let range):
      return .file(path: path, range: range, milliseconds: during)
    case .bytes(let bytes):
      let events = recording.headers.mediaType.map { Self.events(bytes, $0) } ?? []
      guard events.count > 1 else { return .bytes(bytes) }
      // The gaps between events are not recorded: they share the time of the body.
      let pause = during / Int64(events.count - 1)
      return .pieces(events.enumerated().map { (pause: $0 == 0 ? 0 : pause, bytes: $1) })
    }
  }

  /// The events of a stream, each with the blank line or line end behind it; none for what is no
  /// stream.
  private static func events(_ bytes: [UInt8], _ type: MediaType) -> [[UInt8]] {
    let isEvents = type.essence == "text/event-stream"
    guard isEvents || type.isNewlineDelimitedJSON else { return [] }
    var result: [[UInt8]] = []
    var event: [UInt8] = []
    var lineStart = 0
    for (index, byte) in bytes.enumerated() {
      event.append(byte)
      guard byte == 10 else { continue }
      let line = bytes[lineStart..<index].filter { $0 != 13 }
      lineStart = index + 1
      if !isEvents || line.isEmpty {
        result.append(event)
        event = []
      }
    }
    if !event.isEmpty { result.append(event) }
    return result
  }
}
