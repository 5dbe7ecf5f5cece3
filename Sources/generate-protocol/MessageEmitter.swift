// Writes the Swift source of requests and notifications, and the table of all methods.

extension Emitter {
  /// A request or a notification.
  mutating func message(_ message: ModelMessage) throws(ModelFailure) -> String {
    let isRequest = message.result != nil
    let kind = isRequest ? "RequestMessage" : "NotificationMessage"
    let documentation = message.documentation ?? "The \(isRequest ? "request" : "notification")"
      + " `\(message.method)`."
    var text = Emitter.documentation(documentation, "  ")
    text += "  package enum \(message.typeName): \(kind) {\n"
    text += "    package static let method = \"\(message.method)\"\n"
    text += try codec("params", message.params)
    if let result = message.result { text += try codec("result", result) }
    return text + "  }\n"
  }

  /// The table of all methods.
  func table() -> String {
    var text = "  /// Every message of the model, in its order.\n"
    text += "  package static let methods: [MethodDescription] = [\n"
    for message in model.messages {
      let capability = message.serverCapability.map { "\"\($0)\"" } ?? "nil"
      text += Emitter.wrapped(
        "    MethodDescription(",
        "\"\(message.method)\", .\(message.direction), \(message.result != nil), \(capability)),")
    }
    return text + "  ]\n"
  }

  private mutating func codec(_ label: String, _ type: ModelType?) throws(ModelFailure) -> String {
    guard let type, type != .base("null") else {
      return "    package static var \(label): Codec<Nothing> { Nothing.codec }\n"
    }
    let name = try types.name(type)
    var arguments = "\(try types.reader(type)), \(SwiftTypes.writer(type))"
    if SwiftTypes.isNullable(type) { arguments += ", absent: .some(nil)" }
    let head = "    package static var \(label): Codec<\(name)> {"
    return "\(head)\n" + Emitter.wrapped("      Codec(", arguments + ")") + "    }\n"
  }
}
