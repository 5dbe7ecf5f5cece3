// The outside of a message: what it is, before anybody looks at what it says.

package import PostKitJSON

/// A message that arrived.
package enum IncomingMessage: Sendable {
  case request(id: RequestID, method: String, params: JSONView?)
  case notification(method: String, params: JSONView?)
  /// An answer to a request of ours; an `id` of `nil` answers something that couldn't be read.
  case response(id: RequestID?, Result<JSONView?, RPCError>)

  /// Reads a message's envelope.
  ///
  /// Throws an `EnvelopeProblem` with the error response to send back (PROMISES.md F7 to F9).
  package init(parsing body: [UInt8]) throws(EnvelopeProblem) {
    let root: JSONView
    do throws(JSONSyntaxError) {
      root = try JSONTree(parsing: body).root
    } catch {
      throw EnvelopeProblem(
        id: nil,
        error: RPCError(
          .parseError, "The message is not JSON: \(error.explanation) (byte \(error.offset))."))
    }
    try self.init(root)
  }

  private init(_ root: JSONView) throws(EnvelopeProblem) {
    guard root.kind == .object else {
      throw EnvelopeProblem(
        id: nil,
        error: RPCError(
          .invalidRequest,
          root.kind == .array
            ? "Batches of messages are not supported by the Language Server Protocol."
            : "A message must be a JSON object."))
    }
    let idView = root["id"]
    let id = idView.flatMap(RequestID.init)
    if let method = root["method"]?.string {
      let params = root["params"]
      guard idView != nil else {
        self = .notification(method: method, params: params)
        return
      }
      guard let id else {
        throw EnvelopeProblem(
          id: nil,
          error: RPCError(.invalidRequest, "The id of a request must be an integer or a string."))
      }
      self = .request(id: id, method: method, params: params)
    } else if let error = root["error"], !error.isNull {
      self = .response(id: id, .failure(RPCError(error)))
    } else if idView != nil, root["method"] == nil, root["result"] != nil || root["error"] != nil {
      self = .response(id: id, .success(root["result"]))
    } else {
      throw EnvelopeProblem(
        id: id,
        error: RPCError(.invalidRequest, "The message has neither a method nor a result."))
    }
  }
}

/// A message that is none, with what its sender is to be told.
package struct EnvelopeProblem: Error, Sendable, Hashable {
  /// The id to answer; `nil` is sent as `null`.
  package let id: RequestID?
  package let error: RPCError
}

/// Builds the frames that we send; each is one piece of memory, so that one write sends it
/// (PROMISES.md F12).
package enum OutgoingMessage {
  /// A response with a result, which the closure writes as one JSON value.
  package static func response(
    id: RequestID, result: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    frame { writer in
      writer.key("id")
      id.write(to: &writer)
      writer.key("result")
      result(&writer)
    }
  }

  /// A response with an error.
  package static func response(id: RequestID?, error: RPCError) -> [UInt8] {
    frame { writer in
      writer.key("id")
      if let id { id.write(to: &writer) } else { writer.null() }
      writer.key("error")
      error.write(to: &writer)
    }
  }

  /// A request; its id is an integer, since Vim can't answer any other (PROMISES.md F14).
  package static func request(
    id: Int, method: String, params: ((inout JSONWriter) -> Void)?
  ) -> [UInt8] {
    frame { writer in
      writer.key("id")
      writer.int(id)
      writer.key("method")
      writer.string(method)
      if let params {
        writer.key("params")
        params(&writer)
      }
    }
  }

  /// A notification.
  package static func notification(
    method: String, params: ((inout JSONWriter) -> Void)?
  ) -> [UInt8] {
    frame { writer in
      writer.key("method")
      writer.string(method)
      if let params {
        writer.key("params")
        params(&writer)
      }
    }
  }

  private static func frame(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("jsonrpc")
    writer.string("2.0")
    members(&writer)
    writer.endObject()
    let body = writer.bytes
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count + 32)
    bytes.append(contentsOf: "Content-Length: \(body.count)\r\n\r\n".utf8)
    bytes.append(contentsOf: body)
    return bytes
  }
}
