// What a request is answered with when it has no result.

package import PostKitJSON

/// An error response (JSON-RPC 2.0, section 5.1; LSP 3.18, ErrorCodes and LSPErrorCodes).
package struct RPCError: Error, Sendable, Hashable {
  /// The number by which a client tells errors apart.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The body is no JSON.
    package static let parseError = Code(rawValue: -32700)
    /// The JSON is no request that can be taken up now.
    package static let invalidRequest = Code(rawValue: -32600)
    package static let methodNotFound = Code(rawValue: -32601)
    package static let invalidParams = Code(rawValue: -32602)
    /// A mistake of ours.
    package static let internalError = Code(rawValue: -32603)
    package static let serverNotInitialized = Code(rawValue: -32002)
    /// A well-formed request that failed for a reason worth showing.
    package static let requestFailed = Code(rawValue: -32803)
    /// What the request was about changed, so that an answer would be wrong.
    package static let contentModified = Code(rawValue: -32801)
    /// The client cancelled the request.
    package static let requestCancelled = Code(rawValue: -32800)
  }

  package var code: Code
  /// A sentence for a person.
  package var message: String
  /// More for a program; the request's documentation says what.
  package var data: JSONValue?

  /// Makes an error.
  package init(_ code: Code, _ message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The answer to a request that its client cancelled (PROMISES.md Q4).
  package static let cancelled = RPCError(.requestCancelled, "The request was cancelled.")

  /// Reads the `error` member of a response, leniently: a client's error is only shown.
  package init(_ view: JSONView) {
    code = Code(rawValue: view["code"]?.int ?? Code.internalError.rawValue)
    message = view["message"]?.string ?? "The client gave no reason."
    data = view["data"]?.value
  }

  /// Writes the error as the `error` member's value.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("code")
    writer.int(code.rawValue)
    writer.key("message")
    writer.string(message)
    if let data {
      writer.key("data")
      writer.write(data)
    }
    writer.endObject()
  }
}
