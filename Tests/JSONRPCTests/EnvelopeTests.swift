// What is a request, a notification, a response, and what is none of them.

import JSONRPC
import PostKitJSON
import Testing

@Suite struct EnvelopeTests {
  private func describe(_ text: String) -> String {
    do throws(EnvelopeProblem) {
      switch try IncomingMessage(parsing: Array(text.utf8)) {
      case .request(let id, let method, let params):
        return "request \(id) \(method) \(params?.value.text ?? "-")"
      case .notification(let method, let params):
        return "notification \(method) \(params?.value.text ?? "-")"
      case .response(let id, .success(let result)):
        return "result \(id?.description ?? "-") \(result?.value.text ?? "-")"
      case .response(let id, .failure(let error)):
        return "error \(id?.description ?? "-") \(error.code.rawValue) \(error.message)"
      }
    } catch {
      return "problem \(error.id?.description ?? "-") \(error.error.code.rawValue)"
    }
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#, #"request 1 m {"a":1}"#),
    (#"{"id":"1","method":"m"}"#, #"request "1" m -"#),
    (#"{"id":1.0,"method":"m"}"#, "request 1 m -"),
    (#"{"id":-7,"method":"m","params":[]}"#, "request -7 m []"),
    (#"{"method":"m","id":9223372036854775807}"#, "request 9223372036854775807 m -"),
    (#"{"method":"m","params":null}"#, "notification m null"),
    (#"{"id":99999999999999999999,"method":"m"}"#, "request 99999999999999999999 m -"),
    (#"{"id":"a\ud800","method":"m"}"#, #"request "a\ud800" m -"#),
    (#"{"id":3,"result":null}"#, "result 3 null"),
    (#"{"id":3,"result":{"x":[]}}"#, #"result 3 {"x":[]}"#),
    (#"{"id":3,"error":null,"result":5}"#, "result 3 5"),
    (#"{"id":null,"error":{"code":-32700,"message":"bad"}}"#, "error - -32700 bad"),
    (#"{"id":4,"error":{}}"#, "error 4 -32603 The client gave no reason."),
    (#"{"id":1,"id":2,"method":"m"}"#, "request 2 m -"),
    (#"{"method":"\ud800","id":"\ud83d\ude00"}"#, "request \"😀\" \u{FFFD} -"),
  ])
  func `messages are told apart`(text: String, expected: String) {
    #expect(describe(text) == expected)
  }

  @Test(arguments: [
    ("", "problem - -32700"), ("{", "problem - -32700"), ("{} x", "problem - -32700"),
    ("NaN", "problem - -32700"), (#"{"a":NaN}"#, "problem - -32700"),
    ("{\"a\":\"\u{0}\"}", "problem - -32700"), ("[]", "problem - -32600"),
    (#"[{"id":1,"method":"m"}]"#, "problem - -32600"), ("7", "problem - -32600"),
    ("{}", "problem - -32600"), (#"{"id":null,"method":"m"}"#, "problem - -32600"),
    (#"{"id":1.5,"method":"m"}"#, "problem - -32600"),
    (#"{"id":{},"method":"m"}"#, "problem - -32600"),
    (#"{"id":true,"method":"m"}"#, "problem - -32600"),
    (#"{"id":8}"#, "problem 8 -32600"), (#"{"id":8,"method":5}"#, "problem 8 -32600"),
  ])
  func `what is no message is answered with the right code`(text: String, expected: String) {
    #expect(describe(text) == expected)
  }

  @Test func `invalid UTF-8 and deep nesting are parse errors`() {
    let invalid = Array(#"{"id":1,"method":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 20_000)
    for bytes in [invalid, deep] {
      #expect(throws: EnvelopeProblem.self) { try IncomingMessage(parsing: bytes) }
    }
  }

  @Test func `outgoing frames say what they are in one piece of memory`() {
    let cases: [([UInt8], String)] = [
      (
        OutgoingMessage.response(id: .string("1")) { $0.null() },
        #"{"jsonrpc":"2.0","id":"1","result":null}"#
      ),
      (
        OutgoingMessage.response(id: .int(1)) { $0.string("é") },
        #"{"jsonrpc":"2.0","id":1,"result":"é"}"#
      ),
      (
        OutgoingMessage.response(id: .verbatim(#""a\ud800""#)) { $0.null() },
        #"{"jsonrpc":"2.0","id":"a\ud800","result":null}"#
      ),
      (
        OutgoingMessage.response(
          id: nil, error: RPCError(.requestFailed, "No.", data: ["code": "x"])),
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32803,"message":"No.","data":{"code":"x"}}}"#
      ),
      (
        OutgoingMessage.request(id: 5, method: "a/b", params: nil),
        #"{"jsonrpc":"2.0","id":5,"method":"a/b"}"#
      ),
      (
        OutgoingMessage.notification(method: "a/b") { $0.write(["x": 1]) },
        #"{"jsonrpc":"2.0","method":"a/b","params":{"x":1}}"#
      ),
    ]
    for (frame, body) in cases {
      let expected = "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      #expect(String(decoding: frame, as: UTF8.self) == expected)
    }
  }
}
