// What every message type of the protocol can do; the types themselves are generated.

package import PostKitJSON

/// The types of the Language Server Protocol as far as we speak it, and our own additions.
///
/// Their names are kept apart, as `Range` or `Command` mean other things elsewhere.
package enum LSP {}

/// A structure, enumeration or union of the protocol.
package protocol ProtocolValue: Sendable, Hashable {
  /// Reads the value from JSON.
  init(decoding view: JSONView) throws(DecodingFailure)
  /// Writes the value as JSON; optional members that are `nil` are left out.
  func encode(to writer: inout JSONWriter)
}

extension LSP {
  /// A value in a box of its own, so that a structure can hold another of its kind.
  package indirect enum Indirect<Value: ProtocolValue>: ProtocolValue {
    case value(Value)

    /// Reads the value itself.
    package init(decoding view: JSONView) throws(DecodingFailure) {
      self = .value(try Value(decoding: view))
    }

    /// Writes the value itself.
    package func encode(to writer: inout JSONWriter) {
      switch self {
      case .value(let value): value.encode(to: &writer)
      }
    }
  }
}

/// How a type is read from JSON and written to it.
package struct Codec<Value: Sendable>: Sendable {
  /// Reads a value.
  package let read: Decode.Reader<Value>
  /// Writes a value.
  package let write: Encode.Writer<Value>
  /// What a message without the member means; `nil` where it must be there.
  private let absent: Value?

  /// Makes a codec; `absent` is what a message without the member means.
  package init(
    _ read: @escaping Decode.Reader<Value>, _ write: @escaping Encode.Writer<Value>,
    absent: Value? = nil
  ) {
    self.read = read
    self.write = write
    self.absent = absent
  }

  /// Whether there is nothing to write, so that the member can be left out.
  package var isNothing: Bool { Value.self == LSP.Nothing.self }

  /// Reads a member that may be missing as a whole.
  package func decode(_ view: JSONView?) throws(DecodingFailure) -> Value {
    if let view { return try read(view) }
    guard let absent else { throw DecodingFailure(expected: "a value") }
    return absent
  }
}

/// A request of the protocol.
package protocol RequestMessage: SendableMetatype {
  associatedtype Params: Sendable
  associatedtype Result: Sendable
  /// The name on the wire.
  static var method: String { get }
  /// How the parameters are read and written.
  static var params: Codec<Params> { get }
  /// How the result is read and written.
  static var result: Codec<Result> { get }
}

/// A notification of the protocol.
package protocol NotificationMessage: SendableMetatype {
  associatedtype Params: Sendable
  /// The name on the wire.
  static var method: String { get }
  /// How the parameters are read and written.
  static var params: Codec<Params> { get }
}

extension LSP {
  /// The parameters of a message that has none, and the result of a request that has none.
  package struct Nothing: ProtocolValue {
    /// Makes nothing.
    package init() {}
    /// Takes anything for nothing.
    package init(decoding view: JSONView) {}
    /// Writes `null`.
    package func encode(to writer: inout JSONWriter) { writer.null() }

    /// How nothing is read and written; anything at all is taken for it.
    package static var codec: Codec<Nothing> {
      Codec({ _ throws(DecodingFailure) in Nothing() }, Encode.null, absent: Nothing())
    }
  }

  /// One message of the model.
  package struct MethodDescription: Sendable, Hashable {
    /// Who sends a message.
    package enum Direction: String, Sendable, Hashable { case clientToServer, serverToClient, both }

    /// The name on the wire.
    package let method: String
    package let direction: Direction
    /// Whether it is answered.
    package let isRequest: Bool
    /// The path of the server capability that announces it, such as `completionProvider`.
    package let serverCapability: String?

    init(
      _ method: String, _ direction: Direction, _ isRequest: Bool, _ serverCapability: String?
    ) {
      self.method = method
      self.direction = direction
      self.isRequest = isRequest
      self.serverCapability = serverCapability
    }
  }
}
