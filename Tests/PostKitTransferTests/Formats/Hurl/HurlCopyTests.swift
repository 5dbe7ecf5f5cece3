// Copies for Hurl, read by our own reader of Hurl files: they mean what was copied.

import PostKitHTTP
import Testing

@testable import PostKitTransfer

@Suite struct HurlCopyTests {
  /// Each with what makes it hard.
  static let specs: [RequestSpec] = [
    RequestSpec(method: "GET", url: "http://h/a?b=c&d=%20&e"),
    RequestSpec(
      method: "PURGE", url: "http://h/q?f[]=1&g='y",
      headers: [
        ("x-lOwer", "it's \"q\" $HOME `id` \\\\n 100% #x"),
        ("X-Twice", "a"), ("X-Twice", "b"),
      ]),
    RequestSpec(
      method: "POST", url: "http://h/", headers: [("Content-Type", "text/plain")],
      body: [.bytes(Array("it's \"\"\" and ``` `x` ${y} $HOME #{w}\n\\\\".utf8))]),
    RequestSpec(
      method: "POST", url: "http://h/", headers: [("Content-Type", "application/json")],
      body: [.bytes(Array("{\n  \"a\": 1.50,\n  \"t\": \"é 😀\"\n}".utf8))]),
    RequestSpec(
      method: "PUT", url: "http://h/", headers: [("Content-Type", "text/plain")],
      body: [.bytes(Array("a\tb\r\n\r\nc\r\n".utf8))]),
  ]

  @Test(arguments: specs.indices)
  func `a copy means what was copied`(index: Int) throws {
    let spec = Self.specs[index]
    let text = CopyTarget.hurl.text(for: spec)
    let read = try ImportedText.read(HurlImporter.self, ("copy.hurl", text))
    let written = Written(read.collection)
    let wire = try #require(written.paths.first.map { written.wires($0) }?.first)
    #expect(wire.method == spec.method, "\(text)")
    #expect(wire.url == spec.url, "\(text)")
    #expect(wire.headers == spec.headers.fields.map { "\($0.name): \($0.value)" }, "\(text)")
    let body = spec.body.reduce(into: [UInt8]()) { result, chunk in
      if case .bytes(let bytes) = chunk { result += bytes }
    }
    #expect(wire.body == String(decoding: body, as: UTF8.self), "\(text)")
  }
}
