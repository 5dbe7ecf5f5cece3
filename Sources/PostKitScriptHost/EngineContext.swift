// One context: the scripts of one file in one run share its globals.

import CJavaScriptCore
import PostKitJSON

/// A context and the functions of `core.js` in it.
final class EngineContext {
  /// Where its values are made.
  let realm: Realm
  private var functions: [String: postkit_js_value] = [:]
  /// What it was opened with, as JSON; `core.js` reads it at its start.
  let hello: [UInt8]
  /// The function that hears of promises that were rejected and that nobody handled.
  var onRejection: postkit_js_value?

  /// Bytes of the prelude that have been read in it.
  private(set) var preludeBytes = 0

  private static let names = ["begin", "scope", "resume", "turn", "aborted", "rewritten"]

  /// Makes a context without anything of ours in it; `nil` where there is no memory.
  init?(_ js: JavaScript, group: postkit_js_group, hello: [UInt8]) {
    guard let context = js.pointee.JSGlobalContextCreateInGroup(group, nil) else { return nil }
    realm = Realm(js: js, context: context)
    self.hello = hello
  }

  /// Runs `core.js`, whose natives must find this context; the reason where it can't.
  func start() -> String? {
    let core: postkit_js_value
    switch part("core") {
    case .success(let value): core = value
    case .failure(let thrown): return realm.text(thrown.value)
    }
    let native = Natives.object(in: realm)
    let part = Natives.part(in: realm)
    let engine: postkit_js_value
    switch realm.call(core, [native, part]) {
    case .success(let value): engine = value
    case .failure(let thrown):
      let stack = realm.property(thrown.value, "stack").map(realm.text) ?? ""
      return "\(realm.text(thrown.value)) \(stack)"
    }
    for name in Self.names {
      guard let function = realm.property(engine, name) else { return "core.js has no \(name)" }
      realm.js.pointee.JSValueProtect(realm.context, function)
      functions[name] = function
    }
    return nil
  }

  /// The function that a file of the prelude is.
  func part(_ name: String) -> Result<postkit_js_value, Thrown> {
    guard let text = Prelude.text(name) else {
      return .failure(Thrown(value: realm.error("there is no part \(name)")))
    }
    preludeBytes += text.count
    return realm.evaluate(text, url: Array("postkit:\(name).js".utf8), line: 1)
  }

  /// Calls a function of the engine; the number that it answers, NaN where it threw.
  @discardableResult
  func call(_ name: String, _ arguments: [postkit_js_value] = []) -> Double {
    guard let function = functions[name],
      case .success(let value) = realm.call(function, arguments)
    else { return .nan }
    return realm.number(value)
  }

  /// Calls a function of the engine; what it answers, `nil` where it threw.
  func value(_ name: String, _ arguments: [postkit_js_value]) -> postkit_js_value? {
    guard let function = functions[name],
      case .success(let value) = realm.call(function, arguments)
    else { return nil }
    return value
  }

  /// Ends the context.
  func close() {
    for function in functions.values {
      realm.js.pointee.JSValueUnprotect(realm.context, function)
    }
    if let onRejection { realm.js.pointee.JSValueUnprotect(realm.context, onRejection) }
    realm.js.pointee.JSGlobalContextRelease(realm.context)
  }
}
