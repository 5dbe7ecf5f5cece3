// What a script asks of the program while it runs, and how it is answered.

package import PostKitJSON

/// A call of a script (SC-55).
package struct ScriptCall: Sendable, Hashable {
  /// The call's number in the session.
  package var number: Int
  /// The job whose script calls.
  package var job: Int
  package var name: String
  package var arguments: [JSONValue]
  /// Bytes that arguments refer to.
  package var blobs: [[UInt8]]
  /// Whether the script goes on until it awaits the answer; other jobs may run meanwhile.
  package var isAsync: Bool

  /// Makes a call.
  package init(
    number: Int, job: Int, name: String, arguments: [JSONValue] = [], blobs: [[UInt8]] = [],
    isAsync: Bool = false
  ) {
    self.number = number
    self.job = job
    self.name = name
    self.arguments = arguments
    self.blobs = blobs
    self.isAsync = isAsync
  }

  /// An argument; `null` where there are fewer.
  package func argument(_ index: Int) -> JSONValue {
    index < arguments.count ? arguments[index] : .null
  }

  /// The bytes of an argument that is a blob or a string; `nil` for any other.
  package func bytes(_ index: Int) -> [UInt8]? {
    ScriptBlobs.bytes(argument(index), in: blobs)
  }
}

/// The answer to a call.
package enum ScriptAnswer: Sendable, Hashable {
  /// A value that may refer to blobs by `{"$blob": i}`.
  case value(JSONValue, [[UInt8]])
  /// An error of that name, thrown where the script calls; `code` is its member of that name.
  case error(name: String, message: String, code: String? = nil)

  /// A value without blobs.
  package static func value(_ value: JSONValue) -> ScriptAnswer { .value(value, []) }
}

/// References to blobs in messages.
package enum ScriptBlobs {
  /// The bytes of a blob or of a string; `nil` for any other value.
  package static func bytes(_ value: JSONValue, in blobs: [[UInt8]]) -> [UInt8]? {
    if case .string(let text) = value { return Array(text.utf8) }
    guard let index = value["$blob"]?.int, blobs.indices.contains(index) else { return nil }
    return blobs[index]
  }

  /// A value that stands for bytes, which are added to the blobs.
  package static func reference(to bytes: [UInt8], in blobs: inout [[UInt8]]) -> JSONValue {
    blobs.append(bytes)
    return .object([JSONMember("$blob", .int(blobs.count - 1))])
  }
}
