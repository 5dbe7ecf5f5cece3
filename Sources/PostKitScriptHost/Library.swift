// The library that runs JavaScript, opened when the script engine starts.

import CJavaScriptCore

/// The functions of JavaScriptCore.
typealias JavaScript = UnsafePointer<postkit_js_functions>

/// A library that was opened.
struct Library {
  let functions: JavaScript
  /// Its name in the system, such as `libjavascriptcoregtk-4.1.so.0`.
  let name: String
  /// Such as `2.50.6`; empty where the library doesn't say.
  let version: String

  /// The names under which systems have the library, best first.
  static var names: [String] {
    #if canImport(Darwin)
      ["/System/Library/Frameworks/JavaScriptCore.framework/JavaScriptCore"]
    #else
      [
        "libjavascriptcoregtk-6.0.so.1", "libjavascriptcoregtk-4.1.so.0",
        "libjavascriptcoregtk-4.0.so.18",
      ]
    #endif
  }

  /// Opens the first library of these names that there is; `nil` where there is none.
  static func open(_ names: [String]) -> Library? {
    for name in names {
      var message = [CChar](repeating: 0, count: 512)
      guard let functions = postkit_js_open(name, &message, message.count) else { continue }
      return Library(functions: functions, name: name, version: version(functions))
    }
    return nil
  }

  private static func version(_ js: JavaScript) -> String {
    guard let major = js.pointee.jsc_get_major_version,
      let minor = js.pointee.jsc_get_minor_version,
      let micro = js.pointee.jsc_get_micro_version
    else { return "" }
    return "\(major()).\(minor()).\(micro())"
  }

  /// Whether a script can be ended while it runs.
  var canTerminate: Bool { functions.pointee.JSContextGroupSetExecutionTimeLimit != nil }
}
