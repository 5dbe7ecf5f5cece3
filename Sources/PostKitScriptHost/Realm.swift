// Texts and bytes on their way into the engine and out of it.

import CJavaScriptCore
import Libc

/// A context in which values are made; a value of it must not outlive it.
struct Realm {
  let js: JavaScript
  let context: postkit_js_context

  /// Calls a body with a text of the engine's that lives as long as the call.
  func withString<Result>(_ bytes: [UInt8], _ body: (postkit_js_string) -> Result) -> Result {
    let string = makeString(bytes)
    defer { js.pointee.JSStringRelease(string) }
    return body(string)
  }

  /// A text of the engine's, which the caller releases. Bytes that are no UTF-8 become U+FFFD.
  private func makeString(_ bytes: [UInt8]) -> postkit_js_string {
    // The short way takes neither a NUL nor bytes that are no UTF-8.
    let isPlain =
      bytes.allSatisfy { $0 != 0 && $0 < 0x80 }
      || !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    if isPlain {
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(text).copyMemory(from: $0) }
        text[bytes.count] = 0
        return text.baseAddress.map { js.pointee.JSStringCreateWithUTF8CString($0) }
          ?? js.pointee.JSStringCreateWithCharacters(nil, 0)
      }
    }
    return string(units: Array(String(decoding: bytes, as: UTF8.self).utf16))
  }

  private func string(units: [UInt16]) -> postkit_js_string {
    units.withUnsafeBufferPointer {
      js.pointee.JSStringCreateWithCharacters($0.baseAddress, $0.count)
    }
  }

  /// A JavaScript string.
  func value(_ bytes: [UInt8]) -> postkit_js_value {
    withString(bytes) { js.pointee.JSValueMakeString(context, $0) }
  }

  /// A JavaScript string of UTF-16 units.
  func value(units: [UInt16]) -> postkit_js_value {
    let string = string(units: units)
    defer { js.pointee.JSStringRelease(string) }
    return js.pointee.JSValueMakeString(context, string)
  }

  /// A JavaScript string.
  func value(_ text: String) -> postkit_js_value { value(Array(text.utf8)) }

  /// A number.
  func value(_ number: Double) -> postkit_js_value {
    js.pointee.JSValueMakeNumber(context, number)
  }

  /// `null`.
  var null: postkit_js_value { js.pointee.JSValueMakeNull(context) }

  /// `undefined`.
  var undefined: postkit_js_value { js.pointee.JSValueMakeUndefined(context) }

  /// The text of a value in UTF-8, as `String(value)` gives it; `nil` where that throws. Lone
  /// surrogates become U+FFFD.
  func bytes(_ value: postkit_js_value) -> [UInt8]? {
    guard let string = js.pointee.JSValueToStringCopy(context, value, nil) else { return nil }
    defer { js.pointee.JSStringRelease(string) }
    let capacity = js.pointee.JSStringGetMaximumUTF8CStringSize(string)
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let written = buffer.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map {
          js.pointee.JSStringGetUTF8CString(string, $0, capacity)
        } ?? 0
      }
      // Without the NUL behind it.
      count = max(0, written - 1)
    }
  }

  /// The text of a value; empty where it has none.
  func text(_ value: postkit_js_value) -> String {
    String(decoding: bytes(value) ?? [], as: UTF8.self)
  }

  /// A number; NaN where the value is none.
  func number(_ value: postkit_js_value) -> Double {
    js.pointee.JSValueToNumber(context, value, nil)
  }

  /// An array buffer with a copy of bytes; `nil` where there is no memory.
  func buffer(_ bytes: [UInt8]) -> postkit_js_value? {
    guard let copy = malloc(max(1, bytes.count)) else { return nil }
    bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(copy, base, $0.count) } }
    return js.pointee.JSObjectMakeArrayBufferWithBytesNoCopy(
      context, copy, bytes.count, { bytes, _ in free(bytes) }, nil, nil)
  }

  /// The bytes of an array buffer or of a view; `nil` for any other value.
  func bytes(ofBuffer value: postkit_js_value) -> [UInt8]? {
    let kind = Int(js.pointee.JSValueGetTypedArrayType(context, value, nil))
    if kind == POSTKIT_JS_NO_TYPED_ARRAY { return nil }
    if kind == POSTKIT_JS_ARRAY_BUFFER {
      let length = js.pointee.JSObjectGetArrayBufferByteLength(context, value, nil)
      return Self.copy(js.pointee.JSObjectGetArrayBufferBytesPtr(context, value, nil), 0, length)
    }
    return Self.copy(
      js.pointee.JSObjectGetTypedArrayBytesPtr(context, value, nil),
      js.pointee.JSObjectGetTypedArrayByteOffset(context, value, nil),
      js.pointee.JSObjectGetTypedArrayByteLength(context, value, nil))
  }

  private static func copy(_ base: UnsafeMutableRawPointer?, _ at: Int, _ count: Int) -> [UInt8] {
    guard let base, count > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: base + at, count: count))
  }

  /// An array.
  func array(_ values: [postkit_js_value]) -> postkit_js_value {
    values.withUnsafeBufferPointer {
      js.pointee.JSObjectMakeArray(context, $0.count, $0.baseAddress, nil)
    } ?? undefined
  }

  /// The buffers of an array of buffers.
  func buffers(_ array: postkit_js_value) -> [[UInt8]] {
    let length = property(array, "length").map(number) ?? 0
    guard length >= 1, length <= 1_000 else { return [] }
    return (0..<UInt32(length)).map { index in
      js.pointee.JSObjectGetPropertyAtIndex(context, array, index, nil).flatMap(bytes(ofBuffer:))
        ?? []
    }
  }

  /// Array buffers in an array.
  func array(buffers: [[UInt8]]) -> postkit_js_value { array(buffers.map { buffer($0) ?? null }) }

  /// A property of an object; `nil` where getting it throws.
  func property(_ object: postkit_js_value, _ name: String) -> postkit_js_value? {
    withString(Array(name.utf8)) { js.pointee.JSObjectGetProperty(context, object, $0, nil) }
  }

  /// Sets a property of an object.
  func set(_ object: postkit_js_value, _ name: String, _ value: postkit_js_value) {
    withString(Array(name.utf8)) {
      js.pointee.JSObjectSetProperty(context, object, $0, value, 0, nil)
    }
  }

  /// A new object.
  func object() -> postkit_js_value { js.pointee.JSObjectMake(context, nil, nil) }

  /// An `Error` with a message.
  func error(_ message: String) -> postkit_js_value {
    let words = [value(message)]
    return words.withUnsafeBufferPointer {
      js.pointee.JSObjectMakeError(context, 1, $0.baseAddress, nil)
    } ?? words[0]
  }

  /// Runs a text; the result, or what it threw.
  func evaluate(
    _ source: [UInt8], url: [UInt8], line: Int
  ) -> Result<postkit_js_value, Thrown> {
    var exception: postkit_js_value?
    let result = withString(source) { source in
      withString(url) { url in
        js.pointee.JSEvaluateScript(
          context, source, nil, url, Int32(clamping: line), &exception)
      }
    }
    return outcome(result, exception)
  }

  /// Runs a text that the engine has already; the result, or what it threw.
  func evaluate(
    _ source: postkit_js_value, url: postkit_js_value, line: Int
  ) -> Result<postkit_js_value, Thrown> {
    guard let source = js.pointee.JSValueToStringCopy(context, source, nil) else {
      return .failure(Thrown(value: error("no text was given")))
    }
    defer { js.pointee.JSStringRelease(source) }
    guard let url = js.pointee.JSValueToStringCopy(context, url, nil) else {
      return .failure(Thrown(value: error("no place was given")))
    }
    defer { js.pointee.JSStringRelease(url) }
    var exception: postkit_js_value?
    let result = js.pointee.JSEvaluateScript(
      context, source, nil, url, Int32(clamping: line), &exception)
    return outcome(result, exception)
  }

  /// Calls a function; the result, or what it threw.
  func call(
    _ function: postkit_js_value, _ arguments: [postkit_js_value]
  ) -> Result<postkit_js_value, Thrown> {
    var exception: postkit_js_value?
    let result = arguments.withUnsafeBufferPointer {
      js.pointee.JSObjectCallAsFunction(
        context, function, nil, $0.count, $0.baseAddress, &exception)
    }
    return outcome(result, exception)
  }

  private func outcome(
    _ result: postkit_js_value?, _ exception: postkit_js_value?
  ) -> Result<postkit_js_value, Thrown> {
    if let exception { return .failure(Thrown(value: exception)) }
    return result.map { .success($0) } ?? .failure(Thrown(value: undefined))
  }
}

/// A value that was thrown.
struct Thrown: Error, @unchecked Sendable {
  // It never leaves the engine's thread, though an error must be able to.
  let value: postkit_js_value
}
