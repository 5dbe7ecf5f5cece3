// What core.js calls: the functions of `native`.

import CJavaScriptCore
import CSystem
import PostKitSupport

/// The functions that JavaScript calls. They find the host and the context by themselves, as a
/// function of C carries nothing along.
enum Natives {
  /// The arguments of one call.
  struct Call {
    let host: ScriptHostProcess
    let context: EngineContext
    let arguments: [postkit_js_value]

    /// Where values are made.
    var realm: Realm { context.realm }

    /// An argument; `undefined` where there are fewer.
    subscript(index: Int) -> postkit_js_value {
      index < arguments.count ? arguments[index] : realm.undefined
    }

    /// The text of an argument.
    func bytes(_ index: Int) -> [UInt8] { realm.bytes(self[index]) ?? [] }
    /// The text of an argument.
    func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
    /// An argument as an integer.
    func int(_ index: Int) -> Int { Int(exactly: realm.number(self[index]).rounded()) ?? 0 }
  }

  /// An object with all of them.
  static func object(in realm: Realm) -> postkit_js_value {
    let object = realm.object()
    for (name, function) in table { realm.set(object, name, make(name, function, realm)) }
    return object
  }

  /// The function that gives the parts of the prelude.
  static func part(in realm: Realm) -> postkit_js_value {
    make(
      "part",
      { context, _, _, count, arguments, exception in
        answer(context, count, arguments, exception) { $0.context.part($0.text(0)) }
      }, realm)
  }

  private static func make(
    _ name: String, _ function: postkit_js_function, _ realm: Realm
  ) -> postkit_js_value {
    realm.withString(Array(name.utf8)) {
      realm.js.pointee.JSObjectMakeFunctionWithCallback(realm.context, $0, function)
    }
  }

  private static let table: [(String, postkit_js_function)] = [
    ("hello", { answer($0, $3, $4, $5) { .success($0.realm.value($0.context.hello)) } }),
    ("now", { answer($0, $3, $4, $5) { .success($0.realm.value($0.host.now)) } }),
    (
      "evaluate",
      {
        answer($0, $3, $4, $5) { call in
          call.realm.evaluate(call[0], url: call[1], line: call.int(2))
        }
      }
    ),
    ("check", { answer($0, $3, $4, $5) { Natives.check($0) } }),
    ("call", { answer($0, $3, $4, $5) { Natives.ask($0) } }),
    (
      "post",
      {
        answer($0, $3, $4, $5) { call in
          let number = call.host.post(call.text(0), call.bytes(1), call.realm.buffers(call[2]))
          return .success(call.realm.value(Double(number)))
        }
      }
    ),
    (
      "log",
      {
        answer($0, $3, $4, $5) { call in
          let hasRoom = call.host.log(
            call.text(0), call.text(1), line: call.int(2), file: call.text(3))
          return .success(call.realm.value(hasRoom ? 1 : 0))
        }
      }
    ),
    (
      "finish",
      {
        answer($0, $3, $4, $5) { call in
          call.host.finish(call.bytes(0), call.realm.buffers(call[1]))
          return .success(call.realm.undefined)
        }
      }
    ),
    (
      "stop",
      {
        answer($0, $3, $4, $5) { call in
          call.host.terminate(.script)
          return .success(call.realm.undefined)
        }
      }
    ),
    (
      "utf8",
      {
        answer($0, $3, $4, $5) { call in
          .success(call.realm.buffer(call.bytes(0)) ?? call.realm.null)
        }
      }
    ),
    ("text", { answer($0, $3, $4, $5) { Natives.decode($0) } }),
    (
      "collect",
      {
        answer($0, $3, $4, $5) { call in
          call.realm.js.pointee.JSGarbageCollect(call.realm.context)
          return .success(call.realm.undefined)
        }
      }
    ),
    ("onRejection", { answer($0, $3, $4, $5) { Natives.hearRejections($0) } }),
  ]

  /// `check(source, url, line)`: throws what is wrong with a text, and never runs it.
  private static func check(_ call: Call) -> Result<postkit_js_value, Thrown> {
    let realm = call.realm
    var exception: postkit_js_value?
    let isRight = realm.withString(call.bytes(0)) { source in
      realm.withString(call.bytes(1)) { url in
        realm.js.pointee.JSCheckScriptSyntax(
          realm.context, source, url, Int32(clamping: call.int(2)), &exception)
      }
    }
    if isRight { return .success(realm.undefined) }
    return .failure(Thrown(value: exception ?? realm.error("the text can't be read")))
  }

  /// `call(name, json, blobs)`: an object with `json` and `blobs`, or with `error`.
  private static func ask(_ call: Call) -> Result<postkit_js_value, Thrown> {
    let realm = call.realm
    let result = realm.object()
    let answer = call.host.ask(call.text(0), call.bytes(1), realm.buffers(call[2]))
    switch answer {
    case .value(let json, let blobs):
      realm.set(result, "json", realm.value(json))
      realm.set(result, "blobs", realm.array(buffers: blobs))
    case .error(let json): realm.set(result, "error", realm.value(json))
    }
    return .success(result)
  }

  /// `text(buffer, label)`: the bytes of a buffer as text. `utf-8-strict` answers `null` where they
  /// are no UTF-8.
  private static func decode(_ call: Call) -> Result<postkit_js_value, Thrown> {
    let realm = call.realm
    guard let bytes = realm.bytes(ofBuffer: call[0]) else {
      return .failure(Thrown(value: realm.error("no bytes were given")))
    }
    switch call.text(1).lowercased() {
    case "utf-8", "utf8", "": return .success(realm.value(bytes))
    case "utf-8-strict":
      let isText = String(validating: bytes, as: UTF8.self) != nil
      return .success(isText ? realm.value(bytes) : realm.null)
    case "latin1", "iso-8859-1", "binary":
      return .success(realm.value(units: bytes.map(UInt16.init)))
    case "ascii", "us-ascii":
      return .success(realm.value(units: bytes.map { UInt16($0 & 0x7F) }))
    case "utf-16le", "utf16le", "ucs2", "ucs-2":
      return .success(
        realm.value(
          units: stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
          }))
    default:
      return .failure(Thrown(value: realm.error("the encoding \(call.text(1)) is not known")))
    }
  }

  /// `onRejection(function)`: calls it with the reason of each promise that nobody handles.
  private static func hearRejections(_ call: Call) -> Result<postkit_js_value, Thrown> {
    let realm = call.realm
    guard let listen = realm.js.pointee.JSGlobalContextSetUnhandledRejectionCallback else {
      return .success(realm.undefined)
    }
    let function = call[0]
    realm.js.pointee.JSValueProtect(realm.context, function)
    call.context.onRejection = function
    let listener = make(
      "rejected",
      { context, _, _, count, arguments, exception in
        answer(context, count, arguments, exception) { call in
          guard let function = call.context.onRejection else {
            return .success(call.realm.undefined)
          }
          return call.realm.call(function, [call[1]])
        }
      }, realm)
    listen(realm.context, listener, nil)
    return .success(realm.undefined)
  }
}

/// Finds the call of a function and gives what it answers; a free function, as a function of C can
/// use no type of its surroundings.
private func answer(
  _ context: postkit_js_context, _ count: Int,
  _ arguments: UnsafePointer<postkit_js_value>?,
  _ exception: UnsafeMutablePointer<postkit_js_value?>,
  _ body: (Natives.Call) -> Result<postkit_js_value, Thrown>
) -> postkit_js_value? {
  guard let host = ScriptHostProcess.current, let own = host.context(of: context) else {
    return nil
  }
  let list = Array(UnsafeBufferPointer(start: arguments, count: arguments == nil ? 0 : count))
  switch body(Natives.Call(host: host, context: own, arguments: list)) {
  case .success(let value): return value
  case .failure(let thrown):
    exception.pointee = thrown.value
    return own.realm.undefined
  }
}
